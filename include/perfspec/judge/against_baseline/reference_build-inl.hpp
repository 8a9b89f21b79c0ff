// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on baseline() where the baseline is another build of this program, measured now. The sequential test takes the
// centres of launch pairs (stats/README.md, "Launch pairs"). Every launch pair is fresh, so a violated claim needs no
// confirmation.

#include <perfspec/judge/against_baseline/record_baseline-inl.hpp>
#include <perfspec/judge/against_baseline/reference_build.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/minimum_evidence.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/processes/launch_centres.hpp>
#include <perfspec/judge/processes/launch_pair.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace perfspec::detail {

inline double longest_ns(const claim_context& context) {
    return static_cast<double>((context.plan.budget_given ? context.plan.budget : context.plan.cap).count());
}

std::size_t max_pairs_of(const claim_context& context, double one_ns) {
    const std::size_t always = limits_of_launches(context).settings.max_size;
    const double longest = context.plan.budget_given ? longest_ns(context) : std::min(patience_ns, longest_ns(context));
    const double fit = std::min(longest / one_ns, static_cast<double>(max_launch_pairs));
    return std::max(always, static_cast<std::size_t>(fit));
}

void require_launch_pairs_fit(const claim_context& context, double one_ns) {
    const std::size_t minimum = limits_of_launches(context).min_size;
    const double needed = static_cast<double>(minimum) * one_ns;
    if (needed <= longest_ns(context)) return;
    const std::string seconds = std::to_string(std::llround(std::ceil(needed * 1e-9)));
    throw measurement_failure(
        failure_kind::too_slow,
        std::to_string(minimum) +
            " launch pairs are the fewest that can show a violation of this claim; they need about " +
            format_seconds(needed) + ", and " + format_seconds(longest_ns(context)) + " is allowed: give " +
            (context.plan.budget_given ? "budget(" : "--perf-cap=") + seconds +
            (context.plan.budget_given ? "s)" : "s"));
}

/// The distance of a launch pair's ratio inside the bound. An offset counts as a factor of that pair's reference.
inline double distance_inside(const claim_context& context, const launch_pair& p) {
    const double bound = positive_of_launch(context, bound_of(context, p.reference));
    if (!(bound > 0.0))
        throw measurement_failure(
            failure_kind::worker_failed,
            "the bound is not positive for the reference build's value: the offset is larger than it");
    return context.sign() * (p.log_ratio - std::log(bound / positive_of_launch(context, p.reference)));
}

/// Adds a launch pair to the counts.
inline void count(evidence_counts& counts, const launch_pair& p) {
    counts.launches += 1;
    counts.rounds += p.rounds;
    counts.seconds += p.seconds;
}

inline void describe_new(const claim_context& context, claim_result& result, const record& head) {
    result.estimate = head.estimate;
    result.subjects = head.subjects;
    result.evidence.rounds = head.evidence.rounds;
    result.evidence.seconds = head.evidence.seconds;
    result.evidence.method = head.evidence.method;
    result.baseline = baseline_origin{};
    result.baseline->file = reference_program(context.run, context.plan);
    result.baseline->key = context.key;
    result.baseline->now = {head.estimate->centre};
    result.baseline->action = baseline_action::is_new;
    set_verdict(result, verdict::not_judged, "the reference build does not have this claim");
}

inline std::vector<double> gather(const std::vector<launch_pair>& pairs, double launch_pair::*value) {
    std::vector<double> values;
    for (const launch_pair& p : pairs) values.push_back(p.*value);
    return values;
}

/// Describes both builds by the samples of all launch pairs, where the builds were measured in pairs of samples.
inline void describe_sides(const claim_context& context, claim_result& result, const std::vector<launch_pair>& pairs) {
    std::vector<double> head;
    std::vector<double> reference;
    for (const launch_pair& p : pairs) {
        head.insert(head.end(), p.head_ns.begin(), p.head_ns.end());
        reference.insert(reference.end(), p.reference_ns.begin(), p.reference_ns.end());
    }
    if (head.empty()) return;
    result.subjects = {summary_of(context.names.front(), std::move(head), pairs.back().head_iterations),
                       summary_of(context.names.front() + ", reference build", std::move(reference),
                                  pairs.back().reference_iterations)};
}

inline void describe_reference(const claim_context& context, claim_result& result,
                               const std::vector<launch_pair>& pairs) {
    baseline_origin origin;
    origin.file = reference_program(context.run, context.plan);
    origin.key = context.key;
    origin.values = gather(pairs, &launch_pair::reference);
    origin.now = gather(pairs, &launch_pair::head);
    note_value_of_key(context, median(origin.now));
    origin.median = median(origin.values);
    origin.launches = pairs.size();
    origin.commit = pairs.back().commit;
    origin.action = baseline_action::reference_build;
    const centre_interval ratio = interval_of_launches(result, gather(pairs, &launch_pair::log_ratio));
    // The test is on the ratio of the builds. It is shown as a value of this build: times the reference build's median.
    const auto times_reference = [&](double log_ratio) {
        return context.query.unit == dimension::power ? origin.median + log_ratio : origin.median * std::exp(log_ratio);
    };
    result.estimate = estimate{times_reference(ratio.centre), median(origin.now), times_reference(ratio.low),
                               times_reference(ratio.high), ratio.level};
    result.bound = bound_of(context, origin.median);
    result.bound_text = bound_formula(context, origin.median) + ", the reference build";
    result.baseline = std::move(origin);
    describe_sides(context, result, pairs);
}

/// Takes a launch pair. Where both builds together do not fit into memory, it runs one after the other, from the first
/// pair on.
inline launch_pair_outcome take_fitting_pair(const claim_context& context, claim_result& result,
                                             reference_series& series, random_order& order, bool is_first) {
    if (!series.alternates && !one_at_a_time(context)) {
        try {
            return take_launch_pair(context, result, order, is_first);
        } catch (const measurement_failure& failure) {
            // Both kinds of pairs are never mixed: a later failure is reported.
            if (failure.kind != failure_kind::out_of_memory || !is_first) throw;
        }
        series.alternates = true;
    }
    return take_alternating_pair(context, result, order);
}

/// The next launch pair: one that the other side of the tolerance took, else a fresh one. Null where the reference
/// build lacks the claim.
inline const launch_pair* next_launch_pair(const claim_context& context, claim_result& result, reference_series& series,
                                           std::size_t index, random_order& order) {
    if (index == series.pairs.size()) {
        launch_pair_outcome taken = take_fitting_pair(context, result, series, order, index == 0);
        if (!taken.pair) {
            series.head = std::move(taken.head);
            return nullptr;
        }
        series.pairs.push_back(*std::move(taken.pair));
    }
    if (series.alternates)
        add_disturbances(
            result,
            {.notes = {"both builds together do not fit into memory, so they were measured one after the other"}});
    count(result.evidence, series.pairs[index]);
    return &series.pairs[index];
}

/// A launch pair in which only one build's process was far from that build's other processes.
struct lone_process {
    std::size_t index;
    bool is_head;
    double factor;  ///< relative to the build's median
};

/// The factor by which each value differs from the median; 1 where the difference is usual for these values.
inline std::vector<double> factors_out_of_line(const std::vector<double>& values) {
    constexpr double deviations = 5.0;
    constexpr double least = 0.05;  // a small difference counts as usual even where the values hardly spread
    const double middle = median(values);
    std::vector<double> distances;
    for (const double v : values) distances.push_back(std::abs(v / middle - 1.0));
    const double usual = std::max(least, deviations * median(distances));
    std::vector<double> factors;
    for (std::size_t i = 0; i < values.size(); ++i) factors.push_back(distances[i] > usual ? values[i] / middle : 1.0);
    return factors;
}

inline std::vector<lone_process> lone_processes(const std::vector<double>& head, const std::vector<double>& reference) {
    const auto of_head = factors_out_of_line(head);
    const auto of_reference = factors_out_of_line(reference);
    std::vector<lone_process> found;
    for (std::size_t i = 0; i < head.size(); ++i) {
        if ((of_head[i] == 1.0) == (of_reference[i] == 1.0)) continue;  // a disturbance of both favours neither
        const bool is_head = of_head[i] != 1.0;
        found.push_back({i, is_head, is_head ? of_head[i] : of_reference[i]});
    }
    return found;
}

/// Reports processes that were out of line. A process keeps much of its speed for life (where its memory is, which core
/// it got), so one unlucky process spoils its launch pair.
inline void advise_on_lone_processes(const claim_context& context, claim_result& result) {
    // A power of growth near 0 has no useful fraction of its median.
    if (result.verdict != verdict::undecided || context.query.unit == dimension::power) return;
    if (!(result.baseline->median > 0.0) || !(median(result.baseline->now) > 0.0)) return;
    const auto lone = lone_processes(result.baseline->now, result.baseline->values);
    if (lone.empty()) return;
    const lone_process& worst =
        *std::ranges::max_element(lone, {}, [](const lone_process& l) { return std::abs(std::log(l.factor)); });
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.3g", worst.factor);
    result.advice.push_back(
        "in " + std::to_string(lone.size()) + " of " + std::to_string(result.baseline->now.size()) +
        " launch pairs, one build's process was an outlier and the other's was not; the largest is in launch pair " +
        std::to_string(worst.index + 1) + ": that of " + (worst.is_head ? "this build" : "the reference build") +
        " had " + factor +
        " times its median; a process keeps such a speed until it ends, so run the test again, on a machine that does nothing else");
}

/// Whether the path of the other build depends on this process's working directory.
inline bool is_relative_path(const std::string& against) { return !against.starts_with('/'); }

/// The launch pairs of this claim: none yet, unless one side of its tolerance was judged.
inline reference_series& launch_pairs_of(const claim_context& context) { return context.run.samples().builds; }

/// Advice where a process of either build failed.
inline void advise_on_failure(const claim_context& context, claim_result& result) {
    result.advice.emplace_back(
        "PERFSPEC_AGAINST names another build of this test program, or its build folder; if that build does not have the program yet, "
        "run this one without the variable");
    if (is_relative_path(context.plan.against))
        result.advice.push_back(
            "\"" + context.plan.against + "\" is a relative path, and starts at " +
            context.run.system().start.working_directory +
            ", where this program was started: under ctest each test has its own working directory, so write an absolute path");
}

/// Whether one more launch pair fits into the time. Throws measurement_failure where too few fit for a verdict.
inline bool allows_another_pair(const claim_context& context, const evidence_counts& so_far, std::size_t taken,
                                std::size_t minimum) {
    constexpr std::size_t pairs_to_tell_cost = 2;  // after so many pairs their cost is known
    if (taken == 0) return true;
    const double one = so_far.seconds / static_cast<double>(taken);
    if (taken >= max_pairs_of(context, one * 1e9)) return false;
    if (taken <= pairs_to_tell_cost) require_launch_pairs_fit(context, one * 1e9);
    return taken < minimum || so_far.seconds + one <= so_far.budget_seconds;
}

/// Feeds the test with launch pairs. Takes none where the other build does not have the claim.
inline void drive_by_builds(const claim_context& context, claim_result& result, reference_series& series,
                            sequential& test, std::size_t minimum) {
    constexpr std::size_t usual = sequential_settings::for_launch_centres().max_size;
    random_order order(result.evidence.seed + series.pairs.size());
    drive(test, [&](std::size_t taken) -> std::optional<double> {
        if (!allows_another_pair(context, result.evidence, taken, minimum)) return {};
        const launch_pair* const pair = next_launch_pair(context, result, series, taken, order);
        if (pair == nullptr && taken > 0)
            throw measurement_failure(
                failure_kind::worker_failed,
                "the reference build reached this claim before, but not this time: a test must not reach a claim by chance");
        if (pair == nullptr) return {};
        show_progress(context, {.unit = "launch pairs",
                                .done = taken + 1,
                                .most = std::max(usual, minimum),
                                .seconds = result.evidence.seconds,
                                .test = test.progress()});
        return distance_inside(context, *pair);
    });
}

inline void compare_builds(const claim_context& context, claim_result& result) {
    reference_series& series = launch_pairs_of(context);
    if (series.head) return describe_new(context, result, *series.head);
    auto [settings, minimum] = limits_of_launches(context);
    settings.first_look = sequential_settings::for_launch_centres().first_look;
    settings.max_size = std::max(max_launch_pairs, minimum);
    sequential test(settings);
    result.evidence.method = "centres of launch pairs against the reference build, " + std::string(sequential::method);
    result.evidence.approximate = context.stored().offset != 0.0;  // an offset means another factor for each reference
    const bool has_drawn = result.evidence.seed != 0;  // the seed exists already when pairs were counted before
    if (!has_drawn) result.evidence.seed = seed_of(context);
    result.evidence.budget_seconds = longest_ns(context) * 1e-9;
    drive_by_builds(context, result, series, test, minimum);
    if (series.head) return describe_new(context, result, *series.head);
    describe_reference(context, result,
                       {series.pairs.begin(), series.pairs.begin() + static_cast<std::ptrdiff_t>(test.size())});
    const double mean_seconds = result.evidence.seconds / static_cast<double>(test.size());
    const double patience = mean_seconds * static_cast<double>(max_pairs_of(context, mean_seconds * 1e9));
    result.evidence.budget_seconds = std::min(result.evidence.budget_seconds, std::max(patience, patience_ns * 1e-9));
    conclude(context, result, test.progress(), {"launch pairs", mean_seconds, max_launch_pairs, max_launch_pairs});
    advise_on_lone_processes(context, result);
}

/// Refuses a reference build that is this program: its claims would hold whatever was changed. Notes one with the same
/// bytes.
inline void require_another_build(const claim_context& context, claim_result& result) {
    const std::string other = reference_program(context.run, context.plan);
    const binary_identity is = context.run.identity_of_program(other);
    if (is == binary_identity::same_file)
        throw measurement_failure(
            failure_kind::worker_failed,
            "the reference build is this program itself (" + other +
                "): name another build of it; to compare this one with itself on purpose, name a copy of it");
    if (is != binary_identity::same_bytes) return;
    const std::string same =
        "the reference build (" + other + ") has the same bytes as this program: every difference is chance";
    add_disturbances(result, {.notes = {same}});
    if (context.plan.verbosity != console_verbosity::quiet) context.run.log_once(same);
}

/// Judges a claim by launch pairs, after checking that there are two different builds to start.
/// Where a process of either build fails, adds advice to the failure.
template <class Judge> void with_both_builds(const claim_context& context, claim_result& result, Judge judge) {
    if (!can_start_again(context)) {
        set_verdict(result, verdict::invalid,
                    "this program cannot start itself again: call perfspec::init(argc, argv) at the start of main");
        return;
    }
    try {
        require_another_build(context, result);
        judge(context, result);
    } catch (const measurement_failure& failure) {
        const bool of_worker = failure.kind == failure_kind::worker_failed ||
                               failure.kind == failure_kind::out_of_memory || failure.kind == failure_kind::timed_out;
        if (of_worker) advise_on_failure(context, result);
        throw;
    }
}

void judge_reference(const claim_context& context, claim_result& result) {
    with_both_builds(context, result, compare_builds);
}

const procedure launch_pairs_of_builds{"launch pairs of both builds",
                                       [](const claim_context& context) {
                                           return context.is_against_baseline() && !context.plan.against.empty() &&
                                                  !may_repeat_exactly(context.query.metric);
                                       },
                                       judge_reference};

}  // namespace perfspec::detail
