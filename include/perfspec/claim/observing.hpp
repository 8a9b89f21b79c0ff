// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What else happens during a measurement: other programs that measure, the machine's load, devices.

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/machine/machine_lock.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/session.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The disturbances with one more sample, if it was interrupted for more than 1 % of its time.
///
/// reading_ns  an iteration of the sample, with interruptions
[[nodiscard]] disturbances with_sample(disturbances all, double reading_ns, const working_time& working,
                                       std::uint64_t iterations);

/// The interrupted samples of a block.
[[nodiscard]] disturbances interruptions_of(const timed_block& block, std::uint64_t iterations);

/// Tells the host for its lifetime that this assertion runs bodies: the host must not print within a sample.
class bodies_run_scope {
public:
    explicit bodies_run_scope(const claim_context& context) : framework_(context.framework) {
        framework_.measuring_starts(context.where, context.claim);
    }
    bodies_run_scope(const bodies_run_scope&) = delete;
    bodies_run_scope& operator=(const bodies_run_scope&) = delete;
    ~bodies_run_scope() { framework_.measuring_ends(); }

private:
    host& framework_;
};

/// Holds the machine's lock for its lifetime, for this process and the fresh processes that it starts. Those take no
/// lock.
class machine_guard {
public:
    explicit machine_guard(const claim_context& context);
    machine_guard(const machine_guard&) = delete;
    machine_guard& operator=(const machine_guard&) = delete;
    ~machine_guard() = default;

    /// A note if the lock is not available.
    [[nodiscard]] disturbances disturbed() const;

private:
    std::optional<machine_lock> lock_;
};

/// Holds the machine's lock, and tells the host which assertion runs, for its lifetime.
class machine_scope {
public:
    explicit machine_scope(const claim_context& context) : guard_(context), running_(context) {}

    [[nodiscard]] disturbances disturbed() const { return guard_.disturbed(); }

private:
    machine_guard guard_;
    bodies_run_scope running_;
};

/// What else happened during a measurement.
struct observations {
    disturbances disturbed{};
    std::vector<std::string> notes{};  ///< on devices that were slowed down
};

/// The result with the observations of one of its measurements.
[[nodiscard]] claim_result observed(claim_result result, observations observation);

/// Observes a measurement for its lifetime, with the machine's lock.
class measuring_scope {
public:
    explicit measuring_scope(const claim_context& context);

    /// The observations until now.
    [[nodiscard]] observations end() const;

private:
    const claim_context& context_;
    machine_scope machine_;
    std::vector<std::unique_ptr<device_watch>> devices_;
    machine_counters before_;
    processor_use use_before_;
    std::int64_t started_ns_;
};

template <class T> struct measured {
    T value;
    observations observation;
};

/// Runs `take` under observation. A failure carries the known result and the observations.
template <class Take>
[[nodiscard]] auto measure(const claim_context& context, const claim_result& partial, Take take)
    -> measured<decltype(take())> {
    const measuring_scope measuring(context);
    auto value = with_partial_result([&] { return observed(partial, measuring.end()); }, take);
    return {std::move(value), measuring.end()};
}

}  // namespace perfspec::inline v0_2::detail
