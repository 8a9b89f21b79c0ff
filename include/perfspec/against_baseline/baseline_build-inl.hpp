// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/judge_baseline.hpp>
#include <perfspec/against_baseline/process_pair-inl.hpp>
#include <perfspec/against_baseline/record_baseline-inl.hpp>
#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/procedures/process_centers.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Claims whose baseline() is another build of this program, measured now. The sequential test takes the centers of
// process pairs (stats/README.md, "Process pairs"). Every process pair is fresh, so a violated claim needs no
// confirmation.

namespace perfspec::inline v0_2::detail {

/// The distance of a process pair's ratio inside the bound. An offset counts as a factor of that pair's baseline.
inline double distance_inside(const claim_context& context, const process_pair& p) {
    const double bound = positive_of_process(context, bound_of(context, p.baseline));
    if (bound < 0.0)
        throw measurement_failure(
            failure_kind::worker_failed,
            "the bound is below 0, because the offset is larger than the baseline build's value: write a smaller "
            "offset, or a factor, such as 0.95 * baseline()");
    const double head = positive_of_process(context, p.head), baseline = positive_of_process(context, p.baseline);
    if (head == 0.0 || baseline == 0.0 || bound == 0.0) return log_inside(context, head, bound);
    return context.sign() * (p.log_ratio - std::log(bound / baseline));
}

/// The result of a claim that the baseline build lacks.
inline claim_result as_new(const claim_context& context, claim_result result, const record& head) {
    result.estimate = head.estimate;
    result.subjects = head.subjects;
    result.evidence.rounds = head.evidence.rounds;
    result.evidence.seconds = head.evidence.seconds;
    result.evidence.method = head.evidence.method;
    result.baseline = baseline_origin{};
    result.baseline->file = program_of_baseline_build(context.run, context.plan);
    result.baseline->key = context.key;
    result.baseline->now = {head.estimate->value};
    result.baseline->action = baseline_action::is_new;
    const std::string what = is_new_program(context.run, context.plan) ? "program, " + result.baseline->file : "claim";
    return judged(std::move(result), {.reason = "the baseline build does not have this " + what});
}

inline std::vector<double> gather(const std::vector<process_pair>& pairs, double process_pair::*value) {
    std::vector<double> values;
    for (const process_pair& p : pairs) values.push_back(p.*value);
    return values;
}

/// The samples of both builds over all process pairs; empty if the builds were measured one after the other.
inline std::vector<sample_summary> summaries_of(const claim_context& context, const std::vector<process_pair>& pairs) {
    std::vector<double> head;
    std::vector<double> baseline;
    for (const process_pair& p : pairs) {
        head.insert(head.end(), p.head_ns.begin(), p.head_ns.end());
        baseline.insert(baseline.end(), p.baseline_ns.begin(), p.baseline_ns.end());
    }
    if (head.empty()) return {};
    return {
        summary_of(context.names.front(), std::move(head), pairs.back().head_iterations),
        summary_of(context.names.front() + ", baseline build", std::move(baseline), pairs.back().baseline_iterations)};
}

inline baseline_origin origin_of(const claim_context& context, const std::vector<process_pair>& pairs) {
    baseline_origin origin;
    origin.file = program_of_baseline_build(context.run, context.plan);
    origin.key = context.key;
    origin.values = gather(pairs, &process_pair::baseline);
    origin.now = gather(pairs, &process_pair::head);
    origin.median = median(origin.values);
    origin.processes = pairs.size();
    origin.commit = pairs.back().commit;
    origin.action = baseline_action::baseline_build;
    return origin;
}

/// The result of these process pairs, without a verdict.
inline claim_result with_baseline_build(const claim_context& context, claim_result result,
                                        const std::vector<process_pair>& pairs) {
    baseline_origin origin = origin_of(context, pairs);
    const double baseline = origin.median;
    const auto [ratio, remark] = interval_of_processes(gather(pairs, &process_pair::log_ratio));
    // The test is on the ratio of the builds. It is shown as a value of this build: times the baseline build's median.
    const auto times_baseline_build = [&](double log_ratio) {
        return context.query.unit == dimension::power ? baseline + log_ratio : baseline * std::exp(log_ratio);
    };
    const auto has_zero = [](const std::vector<double>& values) { return std::ranges::count(values, 0.0) > 0; };
    if (context.query.unit != dimension::power && (has_zero(origin.now) || has_zero(origin.values)))
        result.estimate = estimate_of_values(origin.now);
    else
        result.estimate = estimate{times_baseline_build(ratio.center), times_baseline_build(ratio.low),
                                   times_baseline_build(ratio.high), ratio.level};
    result.evidence.method += remark;
    result.bound = bound_of(context, baseline);
    result.bound_text = bound_formula(context, baseline) + ", the baseline build";
    result.baseline = std::move(origin);
    result.subjects = summaries_of(context, pairs);
    return result;
}

/// Advice after a process of either build failed.
inline std::vector<std::string> advice_on_failure(const claim_context& context) {
    std::vector<std::string> advice{
        "set PERFSPEC_BASELINE_BUILD to another build of this test program, or to its build folder, which contains a "
        "CMakeCache.txt; if this program is in a build folder, too, one that is missing from the baseline's folder is "
        "new"};
    if (!context.plan.baseline_build.starts_with('/'))
        advice.push_back(
            "\"" + context.plan.baseline_build + "\" is a relative path, which starts at " +
            context.run.system().start.working_directory +
            ", the working directory of this program: write an absolute path, because ctest gives each test its own "
            "working directory");
    return advice;
}

/// Whether one more process pair fits into the time. Throws measurement_failure if too few fit for a verdict.
inline bool allows_another_pair(const claim_context& context, const evidence_counts& spent, std::size_t minimum) {
    const std::size_t count = spent.processes;
    constexpr std::size_t pairs_to_tell_cost = 2;
    if (count == 0) return true;
    const auto n = static_cast<double>(count);
    const evidence_counts mean{.seconds = spent.seconds / n, .starting_seconds = spent.starting_seconds / n};
    if (count >= max_pairs_of(context, mean.seconds * 1e9)) return false;
    if (count <= pairs_to_tell_cost) require_process_pairs_fit(context, mean);
    return count < minimum || fits_another(context.plan, spent, count);
}

/// Feeds the test with process pairs; with none if the baseline build lacks the claim.
inline void drive_by_builds(const claim_context& context, process_pair_source& pairs, sequential& test,
                            std::size_t minimum) {
    constexpr std::size_t usual = sequential_settings::for_process_centers().max_size;
    drive(test, [&](std::size_t count) -> std::optional<double> {
        if (!allows_another_pair(context, pairs.totals().evidence, minimum)) return {};
        const process_pair* const pair = pairs.next();
        if (pair == nullptr && count > 0)
            throw measurement_failure(
                failure_kind::worker_failed,
                "the baseline build reached this claim in an earlier process, but not in this one: make the test reach "
                "the claim in every run");
        if (pair == nullptr) return {};
        show_progress(
            context,
            {.unit = "process pairs", .done = count + 1, .most = std::max(usual, minimum), .seconds = pairs.seconds()});
        return distance_inside(context, *pair);
    });
}

/// seed  of pairs that exist already; otherwise it is drawn
inline claim_result compare_builds(const claim_context& context, std::optional<std::uint64_t> seed) {
    build_series& series = context.samples->builds;
    claim_result result = empty_result(context);
    if (series.head) return as_new(context, std::move(result), *series.head);
    auto [settings, minimum] = limits_of_processes(context);
    settings.first_look = sequential_settings::for_process_centers().first_look;
    settings.max_size = std::max(max_process_pairs, minimum);
    sequential test(settings);
    result.evidence.method = "centers of process pairs against the baseline build, " + std::string(sequential::method);
    result.evidence.approximate = context.stored().offset != 0.0;  // with an offset the factor differs between pairs
    result.evidence.seed = seed ? *seed : seed_of(context);
    result.evidence.budget_seconds = longest_ns(context) * 1e-9;
    process_pair_source pairs(context, series, result.evidence.seed + series.pairs.size());
    with_partial_result([&] { return joined(pairs.totals(), result); },
                        [&, at_least = minimum] { drive_by_builds(context, pairs, test, at_least); });
    result = joined(pairs.totals(), std::move(result));
    if (series.head) return as_new(context, std::move(result), *series.head);
    result =
        with_partial_result(result, [&] { return with_baseline_build(context, result, pairs.first(test.size())); });
    const double mean_seconds = result.evidence.seconds / static_cast<double>(test.size());
    const double patience = mean_seconds * static_cast<double>(max_pairs_of(context, mean_seconds * 1e9));
    result.evidence.budget_seconds = std::min(result.evidence.budget_seconds, std::max(patience, patience_ns * 1e-9));
    return conclude(context, std::move(result), test.progress(),
                    {"process pairs", mean_seconds, max_process_pairs, max_process_pairs});
}

/// Refuses a baseline build that is this program: its claims would always hold. Notes one with the same bytes.
inline disturbances require_another_build(const claim_context& context) {
    const std::string other = program_of_baseline_build(context.run, context.plan);
    const binary_identity is = context.run.identity_of_program(other);
    if (is == binary_identity::same_file)
        throw measurement_failure(
            failure_kind::worker_failed,
            "the baseline build is this program itself (" + other +
                "): name another build of it; to compare this one with itself on purpose, name a copy of it");
    if (is != binary_identity::same_bytes) return {};
    const std::string same =
        "the baseline build (" + other + ") has the same bytes as this program, so every difference is chance";
    if (context.plan.verbosity != console_verbosity::quiet) context.run.log_once(same);
    return {.notes = {same}};
}

/// Checks that there are two different builds to start, then judges. Adds advice if a process of either build fails.
template <class Judge> claim_result with_both_builds(const claim_context& context, Judge judge) {
    claim_result partial = empty_result(context);
    if (!can_start_again(context))
        return judged(std::move(partial),
                      {verdict::error,
                       "this program cannot start itself again: call perfspec::init(argc, argv) at the start of main"});
    try {
        partial.disturbed = require_another_build(context);
        return continued(partial, judge);
    } catch (const measurement_failure& failure) {
        const bool of_worker = failure.kind == failure_kind::worker_failed ||
                               failure.kind == failure_kind::out_of_memory || failure.kind == failure_kind::timed_out;
        if (!of_worker) throw;
        claim_result with_advice = partial_result(empty_result(context), failure);
        append(with_advice.advice, advice_on_failure(context));
        throw failure_with_result<measurement_failure>(failure, std::move(with_advice));
    }
}

// Counts and metrics that repeat are compared exactly. For a count, one process pair shows that the claim holds; two
// show that it is violated. A metric can differ between processes, so it takes as many equal process pairs as the
// sequential test needs for its first look.

inline claim_result with_counted_builds(const claim_context& context, claim_result result,
                                        const std::vector<process_pair>& pairs) {
    const process_pair& last = pairs.back();
    result = with_baseline_build(context, std::move(result), pairs);
    result = with_exact_value(context, std::move(result), last.head, bound_of(context, last.baseline));
    result.bound_text = bound_formula(context, last.baseline) + ", the baseline build";
    result.evidence.method = "exact comparison of processes with the baseline build's";
    return result;
}

/// How many processes have to agree on a value; 0 for a count that repeats in each process.
inline std::size_t pairs_that_agree(const claim_context& context) {
    if (traits_of(context.query.metric).from == reading::module) return processes_that_agree(context.plan.false_pass);
    return traits_of(context.query.metric).from == reading::body ? sequential_settings::for_process_centers().first_look
                                                                 : 0;
}

inline claim_result compare_counted_builds(const claim_context& context) {
    build_series& series = context.samples->builds;
    claim_result result = empty_result(context);
    if (series.head) return as_new(context, std::move(result), *series.head);
    const std::size_t enough = pairs_that_agree(context);
    if (enough > 0) result.evidence.budget_seconds = longest_ns(context) * 1e-9;
    result.evidence.seed = seed_of(context);
    process_pair_source pairs(context, series, result.evidence.seed);
    const auto next = [&](std::size_t) -> std::optional<process_value> {
        if (enough > 0 && !allows_another_pair(context, pairs.totals().evidence, enough)) return {};
        const process_pair* const pair = pairs.next();
        if (pair == nullptr) return {};
        require_bound_of_counts(context, bound_of(context, pair->baseline));
        return process_value{pair->head, bound_of(context, pair->baseline), pair->exact};
    };
    const auto beyond = with_partial_result([&] { return joined(pairs.totals(), result); },
                                            [&] { return processes_beyond(context, enough, next); });
    result = joined(pairs.totals(), std::move(result));
    if (series.head) return as_new(context, std::move(result), *series.head);
    if (beyond) {
        const std::size_t count = result.evidence.processes;
        result = with_partial_result(result, [&] { return with_counted_builds(context, result, pairs.first(count)); });
        if (beyond == 1)
            return judged(std::move(result),
                          {verdict::undecided, "one of two process pairs is beyond the bound, the other is not"});
        return judged(std::move(result), {beyond == 0 ? verdict::holds : verdict::violated});
    }
    if (context.compared() == comparison::equal)
        return judged(
            std::move(result),
            {verdict::undecided, "processes differ from each other, so no value equals all of them: write <= or >="});
    const std::uint64_t seed = result.evidence.seed;
    result.evidence = {};  // the statistics count these pairs again
    return continued(result, [&] { return compare_builds(context, seed); });
}

claim_result judge_baseline_build(const claim_context& context) {
    return with_both_builds(context, [&] {
        return may_repeat_exactly(context.query.metric) ? compare_counted_builds(context) : compare_builds(context, {});
    });
}

}  // namespace perfspec::inline v0_2::detail
