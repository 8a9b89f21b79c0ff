// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Whether a fresh process of this program, or of another build, can reach this claim.
[[nodiscard]] bool can_start_again(const claim_context& context);

/// The command that starts this program, or another build of it, for this claim.
[[nodiscard]] child_command command_of_child(const claim_context& context, child_task task,
                                             const std::string& executable);

/// The answer of a fresh process about this claim: the record of one stage or one process, or why there is none.
struct child_evidence {
    std::optional<record> answer;
    std::string fault;                               ///< why there is no answer
    failure_kind kind{failure_kind::worker_failed};  ///< of the fault
    evidence_counts spent{};                         ///< the time of the process alone
    disturbances disturbed{};                        ///< in the process, and by the wait for the machine's lock
};

/// Starts this program again for this claim, and waits for its answer.
[[nodiscard]] child_evidence run_child_process(const claim_context& context, child_task task);

/// The processes of one side in this evaluation so far.
[[nodiscard]] process_series& processes_of(const claim_context& context);

/// Whether other work on the machine lengthens the values of the query: latency and starts, not cpu_time or counts.
[[nodiscard]] bool takes_wall_time(const claim_context& context);

/// The upper quartile of the processes' values. One burst of other work explains only one process.
template <class Value>
[[nodiscard]] double usual_of_processes(const claim_context& context, const claim_result& result, Value value_of) {
    std::vector<double> values;
    for (const process_result& l : processes_of(context).processes)
        if (values.size() < result.evidence.processes) values.push_back(value_of(l));
    std::ranges::sort(values);
    return quantile_of_sorted(values, 0.75);
}

/// The factor, at most, by which waiting for a processor lengthened the wall times of the processes; 1 for other
/// metrics.
[[nodiscard]] double usual_waiting(const claim_context& context, const claim_result& result);
/// "waiting for a processor may explain that: …", with that factor.
[[nodiscard]] std::string waiting_text(double factor);
/// The result's disturbances, with the work of other programs beside these processes.
[[nodiscard]] disturbances usual_disturbances(const claim_context& context, const claim_result& result);

/// The time limit for fresh processes, if there is no other. It allows forty cheap processes, or ten expensive ones.
inline constexpr std::chrono::seconds patience_for_processes{10};

/// The number of processes for a query without a bound.
[[nodiscard]] inline std::size_t processes_to_measure(const plan& p) {
    constexpr std::size_t usual = 3;
    return p.processes.value_or(usual);
}

/// A number of processes.
struct process_range {
    std::size_t minimum = 0;
    std::size_t maximum = 0;
};

/// The fresh processes of a claim, one after the other. Each measures one value of the query.
class process_source {
public:
    explicit process_source(const claim_context& context) : context_(context) {}

    /// The next process of the query, or of one side of a comparison: one that the other side of a tolerance took,
    /// otherwise a fresh process. Throws measurement_failure.
    ///
    /// Refuses a first process that measured other work than this process would, because the fresh process skips
    /// earlier assertions. If these ran bodies in this process, compares the fastest of three calls with its value.
    [[nodiscard]] const process_result& next() { return next(context_.side); }
    [[nodiscard]] const process_result& next(compared_side side);

    /// The processes of the query so far.
    [[nodiscard]] std::span<const process_result> processes() const;
    /// The cost, disturbances, notes and workers of the processes so far, and the samples of the newest one.
    [[nodiscard]] const claim_result& totals() const noexcept { return totals_; }
    [[nodiscard]] double seconds() const noexcept { return totals_.evidence.seconds; }

private:
    [[nodiscard]] process_result process_once(const claim_context& context);

    const claim_context& context_;
    std::array<std::size_t, 2> counts_{};  ///< by side
    claim_result totals_;
};

/// Whether there is time for processes beyond a minimum.
[[nodiscard]] bool is_patient(const process_source& processes);

/// Takes the minimum of processes, then more up to the maximum while the patience lasts.
[[nodiscard]] std::vector<stored_process> take_processes(const claim_context& context, process_source& from,
                                                         const process_range& range);

}  // namespace perfspec::inline v0_2::detail
