// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on baseline() where that means another build of this program, now: the centres of launch pairs go into the sequential test
// (statistics.md 8). Every launch pair is fresh, so that a violated claim needs no further confirmation.

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/judge_reference.hpp>
#include <perfspec/run/launch_pair.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/evidence_interval.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace perfspec::detail {

inline double longest_ns(const evaluation& e) { return static_cast<double>((e.plan.budget_given ? e.plan.budget : e.plan.cap).count()); }

void require_launch_pairs_fit(const evaluation& e, double one_ns) {
    constexpr auto fewest = sequential_settings::for_launch_centres().first_look;
    const double needed = static_cast<double>(fewest) * one_ns;
    if (needed <= longest_ns(e)) return;
    const std::string seconds = std::to_string(std::llround(std::ceil(needed * 1e-9)));
    throw measurement_failure(failure_kind::too_slow, std::to_string(fewest) + " launch pairs of this claim need about " +
                                                          format_seconds(needed) + ", and " + format_seconds(longest_ns(e)) +
                                                          " may be spent: allow " + (e.plan.budget_given ? "budget(" : "--perf-cap=") +
                                                          seconds + (e.plan.budget_given ? "s)" : "s"));
}

/// The distance of a launch pair's ratio inside the bound. An offset counts as the factor that it is for that pair's reference.
inline double distance_inside(const evaluation& e, const launch_pair& p) {
    const double bound = bound_of(e, p.reference);
    if (!(bound > 0.0))
        throw measurement_failure(failure_kind::worker_failed,
                                  "the bound is not positive for the reference build's value: the offset is larger than it");
    return sign_of(e.tree().compared) * (p.log_ratio - std::log(bound / p.reference));
}

/// Counts a launch pair, which an earlier claim may have paid for.
inline void count(evaluation& e, const launch_pair& p, bool is_shared) {
    evidence_counts& counts = e.out.evidence;
    counts.launches += 1;
    counts.rounds += p.rounds;
    counts.seconds += p.seconds;
    if (is_shared) counts.shared_seconds += p.seconds;
}

inline void describe_new(evaluation& e, const record& head) {
    e.out.measured = head.measured;
    e.out.subjects = head.subjects;
    e.out.evidence.rounds = head.evidence.rounds;
    e.out.evidence.seconds = head.evidence.seconds;
    e.out.evidence.method = head.evidence.method;
    e.out.baseline = baseline_origin{};
    e.out.baseline->file = reference_program(e.context, e.plan);
    e.out.baseline->key = e.out.key;
    e.out.baseline->now = {head.measured->centre};
    e.out.baseline->action = baseline_action::is_new;
    e.out.on_request = true;  // there is nothing to judge, which is no reason to skip the test
    set_verdict(e, verdict::not_judged, "the reference build does not have this claim");
}

inline std::vector<double> gather(const std::vector<launch_pair>& pairs, double launch_pair::*value) {
    std::vector<double> values;
    for (const launch_pair& p : pairs) values.push_back(p.*value);
    return values;
}

/// Samples of all launch pairs, where the builds were measured in pairs of samples.
inline void describe_sides(evaluation& e, const std::vector<launch_pair>& pairs) {
    std::vector<double> head;
    std::vector<double> reference;
    for (const launch_pair& p : pairs) {
        head.insert(head.end(), p.head_ns.begin(), p.head_ns.end());
        reference.insert(reference.end(), p.reference_ns.begin(), p.reference_ns.end());
    }
    if (head.empty()) return;
    e.out.subjects = {summary_of(e.names.front(), std::move(head), pairs.back().head_iterations),
                      summary_of(e.names.front() + ", reference build", std::move(reference), pairs.back().reference_iterations)};
}

/// What the evidence does not exclude; of the few launch pairs that exclude nothing, the range, at no level.
inline centre_interval interval_of_ratios(const std::vector<double>& log_ratios) {
    const centre_interval interval = evidence_interval(log_ratios);
    if (std::isfinite(interval.low) && std::isfinite(interval.high)) return interval;
    const auto [low, high] = std::ranges::minmax(log_ratios);
    return {.low = low, .centre = interval.centre, .high = high, .level = 0.0};
}

inline void describe_reference(evaluation& e, const std::vector<launch_pair>& pairs) {
    baseline_origin origin;
    origin.file = reference_program(e.context, e.plan);
    origin.key = e.out.key;
    origin.values = gather(pairs, &launch_pair::reference);
    origin.now = gather(pairs, &launch_pair::head);
    origin.median = median(origin.values);
    origin.launches = pairs.size();
    origin.commit = pairs.back().commit;
    origin.action = baseline_action::reference_build;
    const centre_interval ratio = interval_of_ratios(gather(pairs, &launch_pair::log_ratio));
    // What was tested is the ratio of the builds; it is shown as a value of this build, where the other has its median.
    e.out.measured = estimate{origin.median * std::exp(ratio.centre), median(origin.now), origin.median * std::exp(ratio.low),
                              origin.median * std::exp(ratio.high), ratio.level};
    e.out.bound = bound_of(e, origin.median);
    e.out.bound_text = bound_formula(e, origin.median) + ", the reference build";
    e.out.baseline = std::move(origin);
    describe_sides(e, pairs);
}

/// The next launch pair: one that an earlier claim of the test case took, else a fresh one. Nothing where the claim is new.
inline const launch_pair* next_launch_pair(evaluation& e, reference_series& series, std::size_t index, coin& order) {
    const bool is_shared = index < series.pairs.size();
    if (!is_shared) {
        launch_pair_outcome taken = take_launch_pair(e, order, index == 0);
        if (!taken.pair) {
            series.head = std::move(taken.head);
            return nullptr;
        }
        series.pairs.push_back(*std::move(taken.pair));
    }
    count(e, series.pairs[index], is_shared);
    return &series.pairs[index];
}

/// What may help where a process of either build failed.
inline void advise_on_failure(evaluation& e) {
    e.out.advice.emplace_back(
        "PERFSPEC_AGAINST names another build of this test program, or its build folder; where that cannot have the program yet, "
        "run this one without the variable");
    if (!one_at_a_time(e))
        e.out.advice.emplace_back("where both builds do not fit into memory together: PERFSPEC_RESIDENT=one measures one after the other");
}

inline reference_series& series_of_builds(evaluation& e) {
    return e.context.samples().references[e.out.key + "\n" + e.out.query + sampling_of(e.plan) + e.plan.against];
}

inline void compare_builds(evaluation& e) {
    reference_series& series = series_of_builds(e);
    if (series.head) return describe_new(e, *series.head);
    sequential test(with_rates(sequential_settings::for_launch_centres(), e.plan));
    e.out.evidence.method = "centres of launch pairs against the reference build, " + std::string(sequential::method);
    e.out.evidence.seed = e.plan.seed.value_or(e.context.around().draw_seed());
    e.out.evidence.budget_seconds = longest_ns(e) * 1e-9;
    coin order(e.out.evidence.seed + series.pairs.size());
    const auto mean_seconds = [&] { return e.out.evidence.seconds / static_cast<double>(test.size()); };
    while (test.decided() == decision::none && !test.exhausted()) {
        const bool is_judgeable = test.size() >= test.settings().first_look;
        if (test.size() > 0 && !is_judgeable) require_launch_pairs_fit(e, mean_seconds() * 1e9);
        if (is_judgeable && e.out.evidence.seconds + mean_seconds() > e.out.evidence.budget_seconds) break;
        const launch_pair* pair = next_launch_pair(e, series, test.size(), order);
        if (pair == nullptr && test.size() > 0)
            throw measurement_failure(
                failure_kind::worker_failed,
                "the reference build came to this claim before, and now it does not: whether it does must not depend on chance");
        if (pair == nullptr) return describe_new(e, *series.head);
        test.add(distance_inside(e, *pair));
        if (test.size() == 1) announce_cost(e, std::min(mean_seconds() * static_cast<double>(test.settings().most), longest_ns(e) * 1e-9));
    }
    describe_reference(e, {series.pairs.begin(), series.pairs.begin() + static_cast<std::ptrdiff_t>(test.size())});
    conclude(e, test.progress(), {"launch pairs", mean_seconds(), test.settings().most, test.settings().most});
}

void judge_reference(evaluation& e) {
    if (!can_start_again(e)) {
        set_verdict(e, verdict::invalid,
                    "this program cannot be started again for it: call perfspec::init(argc, argv) at the start of main");
        return;
    }
    try {
        compare_builds(e);
    } catch (const measurement_failure& failure) {
        if (failure.kind == failure_kind::worker_failed) advise_on_failure(e);
        throw;
    }
}

}  // namespace perfspec::detail
