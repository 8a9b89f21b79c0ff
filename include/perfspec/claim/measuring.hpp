// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
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

namespace perfspec::inline v0_1::detail {

/// The devices that subjects work on, each once, in the order of the subjects: {"cuda:0"}. None for subjects on the
/// processor.
[[nodiscard]] std::vector<std::string> devices_of(const std::vector<subject>& subjects);

/// The hardware key of this claim's baselines: that of the device, if its subjects work on one. Several keys are
/// joined: `nvidia-h100-and-nvidia-a100`.
[[nodiscard]] std::string hardware_key_of(const claim_context& context);

/// Throws measurement_failure for a claim on a baseline of a device of unknown model: its baseline may be of another
/// one.
void require_known_devices(const claim_context& context);

/// Notes, once in a process, that nothing monitors the devices of a claim.
[[nodiscard]] std::vector<std::string> note_of_unwatched_devices(const claim_context& context);

// Notes are what a careful reader would ask about; they do not change the verdict. These functions return only notes
// that are new in this test case.

/// The note, unless this test case already has one with the same `about`.
[[nodiscard]] std::vector<std::string> note_once(const claim_context& context, const std::string& about,
                                                 std::string text);

/// The notes of a fresh process that measured this claim.
[[nodiscard]] std::vector<std::string> notes_of_process(const claim_context& context, const record& answer);

/// The facts about the worker processes of remote subjects, if these were started.
[[nodiscard]] std::vector<remote_subject> workers_of(const claim_context& context);

/// Notes facts that differ between workers: a ratio of two such subjects compares these, too.
[[nodiscard]] std::vector<std::string> notes_of_workers(const claim_context& context,
                                                        const std::vector<remote_subject>& workers);

/// Notes a bound on the better side: such a claim holds even after a regression.
[[nodiscard]] std::vector<std::string> note_of_better_side(const claim_context& context);

/// Notes that assertions ran before in this process, so its first run may not be the first.
[[nodiscard]] std::vector<std::string> note_of_first_run(const claim_context& context);

/// Notes a first call that differs from all later ones.
[[nodiscard]] std::vector<std::string> notes_of_calls(const claim_context& context, const subject& x,
                                                      const std::string& name, const subject_calibration& c);
/// The same for both sides.
[[nodiscard]] std::vector<std::string> notes_of_calls(const claim_context& context, const time_ratio& r,
                                                      const pair_calibration& c);

/// Notes such a call, what calls left behind, and times of either subject that rise or fall over its calls.
[[nodiscard]] std::vector<std::string> notes_of_pairs(const claim_context& context, const time_ratio& r,
                                                      const pair_series& series);
/// The same of one subject.
[[nodiscard]] std::vector<std::string> notes_of_blocks(const claim_context& context, const block_series& series);

/// The threads, descriptors and heap of this process.
[[nodiscard]] process_resources resources_now(const claim_context& context);

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

}  // namespace perfspec::inline v0_1::detail
