// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/judge/device_watch.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/machine/machine_lock.hpp>
#include <perfspec/report/claim_result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Observations on samples that a careful reader would ask about: they become notes in the result, and do not change
// the verdict.

namespace perfspec::detail {

/// Notes a first call that differs from all later ones.
void note_calls(const claim_context& context, claim_result& result, const subject& x, const std::string& name,
                const subject_calibration& c);
/// The same for both sides.
void note_calls(const claim_context& context, claim_result& result, const time_ratio& r, const pair_calibration& c);

/// Notes times of either subject that rise or fall over its calls.
void note_pairs(const claim_context& context, claim_result& result, const time_ratio& r,
                std::span<const timed_pair> pairs);
/// Notes times of the subject that rise or fall over its calls.
void note_blocks(const claim_context& context, claim_result& result, std::span<const timed_block> blocks);

/// Lets the host know, for its lifetime, that this assertion runs bodies: the host's own output must not fall into a
/// sample.
class bodies_run_scope {
public:
    explicit bodies_run_scope(const claim_context& context);
    bodies_run_scope(const bodies_run_scope&) = delete;
    bodies_run_scope& operator=(const bodies_run_scope&) = delete;
    ~bodies_run_scope();

private:
    host& framework_;
};

/// Holds the machine's lock for its lifetime, for this process or for a fresh process that it starts. A fresh process
/// takes no lock. Where the lock is not available, the result says so.
class machine_hold {
public:
    machine_hold(const claim_context& context, claim_result& result);
    machine_hold(const machine_hold&) = delete;
    machine_hold& operator=(const machine_hold&) = delete;
    ~machine_hold() = default;

private:
    std::optional<machine_lock> lock_;
};

/// Gives the machine to bodies for its lifetime: this process holds the machine's lock, and the host knows which
/// assertion runs.
class machine_scope {
public:
    machine_scope(const claim_context& context, claim_result& result) : hold_(context, result), running_(context) {}

private:
    machine_hold hold_;
    bodies_run_scope running_;
};

/// Measures for its lifetime: bodies have the machine, and at the end all disturbances are added to the result.
class measuring_scope {
public:
    measuring_scope(const claim_context& context, claim_result& result);
    measuring_scope(const measuring_scope&) = delete;
    measuring_scope& operator=(const measuring_scope&) = delete;
    ~measuring_scope();

private:
    const claim_context& context_;
    claim_result& result_;
    machine_scope machine_;
    std::vector<std::unique_ptr<device_watch>> devices_;
    machine_counters before_;
};

/// Describes the cost of the series so far.
template <class Series> void describe_cost(claim_result& result, const Series& series) {
    result.evidence.seconds = series.spent_ns * 1e-9;
    result.evidence.budget_seconds = static_cast<double>(series.calibration.time.budget_ns) * 1e-9;
}

}  // namespace perfspec::detail
