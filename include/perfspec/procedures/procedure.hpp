// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// A way to judge claims, or to measure queries.
struct procedure {
    const char* method;                             ///< its name in a dry run
    bool (*answers)(const claim_context& context);  ///< an adapter's: whether it judges this claim
    /// May throw measurement_failure and input_error: then the claim is an error, or skipped if the failure's kind
    /// says so. The record gets the partial result that the failure carries.
    claim_result (*judge)(const claim_context& context);
};

/// Adds the procedures of an adapter.
void add_procedures(std::span<const procedure* const> more);
[[nodiscard]] std::span<const procedure* const> procedures_of_adapters();

/// The index of the subject that this process measures. Throws input_error if the parent requests a second subject that
/// this claim lacks: the programs have different sources.
[[nodiscard]] std::size_t subject_of_this_process(const claim_context& context);

/// Measures the value of one process.
[[nodiscard]] claim_result measure_one_process(const claim_context& context);

// The ways to measure the value of a process in this process, within a measuring_scope. A count that differs from run
// to run is sampled as a time.
[[nodiscard]] claim_result measure_complexity(const claim_context& context);
[[nodiscard]] claim_result measure_ratio(const claim_context& context);
[[nodiscard]] claim_result measure_count(const claim_context& context);
[[nodiscard]] claim_result measure_declared(const claim_context& context);
[[nodiscard]] claim_result measure_time_value(const claim_context& context);

/// Throws input_error for a spread without a positive bound, or over too few processes.
void require_spread(const claim_context& context);

/// Whether the bound is a number or another query.
[[nodiscard]] inline bool is_judged_by_itself(const claim_context& context) {
    return context.is_bounded() && !context.is_against_baseline();
}
/// Whether the option `processes` at the call requests judging over fresh processes. The option does not count
/// elsewhere, because it would be for every claim of a run.
[[nodiscard]] inline bool over_processes(const claim_context& context) {
    if (context.is_child()) return false;
    return std::ranges::any_of(context.options,
                               [](const option& o) { return o.id == option_id::processes && o.number > 0.0; });
}

// The core's procedures.

[[nodiscard]] claim_result judge_spread(const claim_context& context);
[[nodiscard]] claim_result judge_fresh(const claim_context& context);
[[nodiscard]] claim_result measure_several(const claim_context& context);
[[nodiscard]] claim_result judge_complexity(const claim_context& context);
[[nodiscard]] claim_result judge_declared(const claim_context& context);
[[nodiscard]] claim_result judge_counts(const claim_context& context);
[[nodiscard]] claim_result judge_blocks(const claim_context& context);
[[nodiscard]] claim_result judge_pairs(const claim_context& context);
[[nodiscard]] claim_result judge_percentiles(const claim_context& context);
[[nodiscard]] claim_result judge_processes(const claim_context& context);

}  // namespace perfspec::inline v0_2::detail
