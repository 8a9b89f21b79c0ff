// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on baseline() where that means another build of this program, now: the centres of launch pairs go into the sequential test
// (stats/README.md, "Launch pairs"). Every launch pair is fresh, so that a violated claim needs no further confirmation.

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/conclude.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/judge_reference.hpp>
#include <perfspec/run/launch_interval.hpp>
#include <perfspec/run/launch_pair.hpp>
#include <perfspec/run/least_evidence.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/record_baseline-inl.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace perfspec::detail {

inline double longest_ns(const evaluation& e) { return static_cast<double>((e.plan.budget_given ? e.plan.budget : e.plan.cap).count()); }

std::size_t most_pairs_of(const evaluation& e, double one_ns) {
    const std::size_t always = limits_of_launches(e).settings.most;
    const double longest = e.plan.budget_given ? longest_ns(e) : std::min(patience_ns, longest_ns(e));
    const double fit = std::min(longest / one_ns, static_cast<double>(most_launch_pairs));
    return std::max(always, static_cast<std::size_t>(fit));
}

void require_launch_pairs_fit(const evaluation& e, double one_ns) {
    const std::size_t fewest = limits_of_launches(e).fewest;
    const double needed = static_cast<double>(fewest) * one_ns;
    if (needed <= longest_ns(e)) return;
    const std::string seconds = std::to_string(std::llround(std::ceil(needed * 1e-9)));
    throw measurement_failure(failure_kind::too_slow,
                              std::to_string(fewest) + " launch pairs, without which this claim cannot be found violated, need about " +
                                  format_seconds(needed) + ", and " + format_seconds(longest_ns(e)) + " may be spent: allow " +
                                  (e.plan.budget_given ? "budget(" : "--perf-cap=") + seconds + (e.plan.budget_given ? "s)" : "s"));
}

/// The distance of a launch pair's ratio inside the bound. An offset counts as the factor that it is for that pair's reference.
inline double distance_inside(const evaluation& e, const launch_pair& p) {
    const double bound = positive_of_launch(e, bound_of(e, p.reference));
    if (!(bound > 0.0))
        throw measurement_failure(failure_kind::worker_failed,
                                  "the bound is not positive for the reference build's value: the offset is larger than it");
    return sign_of(e.tree().compared) * (p.log_ratio - std::log(bound / positive_of_launch(e, p.reference)));
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

inline void describe_reference(evaluation& e, const std::vector<launch_pair>& pairs) {
    baseline_origin origin;
    origin.file = reference_program(e.context, e.plan);
    origin.key = e.out.key;
    origin.values = gather(pairs, &launch_pair::reference);
    origin.now = gather(pairs, &launch_pair::head);
    note_value_of_key(e, median(origin.now));
    origin.median = median(origin.values);
    origin.launches = pairs.size();
    origin.commit = pairs.back().commit;
    origin.action = baseline_action::reference_build;
    const centre_interval ratio = interval_of_launches(e, gather(pairs, &launch_pair::log_ratio));
    // What was tested is the ratio of the builds; it is shown as a value of this build, where the other has its median.
    const auto times_reference = [&](double log_ratio) {
        return e.query().unit == dimension::power ? origin.median + log_ratio : origin.median * std::exp(log_ratio);
    };
    e.out.measured =
        estimate{times_reference(ratio.centre), median(origin.now), times_reference(ratio.low), times_reference(ratio.high), ratio.level};
    e.out.bound = bound_of(e, origin.median);
    e.out.bound_text = bound_formula(e, origin.median) + ", the reference build";
    e.out.baseline = std::move(origin);
    describe_sides(e, pairs);
}

/// A launch pair; with one build after the other, from the first on, where both together do not fit into memory.
inline launch_pair_outcome take_fitting_pair(evaluation& e, reference_series& series, coin& order, bool is_first) {
    if (!series.alternates) {
        try {
            return take_launch_pair(e, order, is_first);
        } catch (const measurement_failure& failure) {
            // Pairs of both kinds are not mixed: what happens later is told.
            if (failure.kind != failure_kind::out_of_memory || !is_first || one_at_a_time(e)) throw;
        }
        series.alternates = true;
    }
    e.plan.resident = resident_builds::one;
    return take_launch_pair(e, order, is_first);
}

/// The next launch pair: one that an earlier claim of the test case took, else a fresh one. Nothing where the claim is new.
inline const launch_pair* next_launch_pair(evaluation& e, reference_series& series, std::size_t index, coin& order) {
    const bool is_shared = index < series.pairs.size();
    if (!is_shared) {
        launch_pair_outcome taken = take_fitting_pair(e, series, order, index == 0);
        if (!taken.pair) {
            series.head = std::move(taken.head);
            return nullptr;
        }
        series.pairs.push_back(*std::move(taken.pair));
    }
    if (series.alternates)
        add_disturbances(e, {.notes = {"both builds together do not fit into memory, so that they were measured one after the other; "
                                       "PERFSPEC_RESIDENT=one does so without trying"}});
    count(e, series.pairs[index], is_shared);
    return &series.pairs[index];
}

/// The launch pair whose process of one build was far from those of the other launch pairs, while that of the other build was not.
struct lone_process {
    std::size_t index;
    bool is_head;
    double factor;  ///< of the build's median
};

/// By how much each value differs from the median, as a factor; 1 where that is within what the values do anyway.
inline std::vector<double> factors_out_of_line(const std::vector<double>& values) {
    constexpr double deviations = 5.0;
    constexpr double least = 0.05;  // values that hardly spread are not out of line because of that
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
        if ((of_head[i] == 1.0) == (of_reference[i] == 1.0)) continue;  // what both met is in neither's favour
        const bool is_head = of_head[i] != 1.0;
        found.push_back({i, is_head, is_head ? of_head[i] : of_reference[i]});
    }
    return found;
}

/// A process keeps much of its speed for life (where its memory lies, which core it got), so that one unlucky process spoils its launch pair.
inline void advise_on_lone_processes(evaluation& e) {
    // A power of growth near 0 is no fraction of its median.
    if (e.out.verdict != verdict::undecided || e.query().unit == dimension::power) return;
    if (!(e.out.baseline->median > 0.0) || !(median(e.out.baseline->now) > 0.0)) return;
    const auto lone = lone_processes(e.out.baseline->now, e.out.baseline->values);
    if (lone.empty()) return;
    const lone_process& most = *std::ranges::max_element(lone, {}, [](const lone_process& l) { return std::abs(std::log(l.factor)); });
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.3g", most.factor);
    e.out.advice.push_back("in " + std::to_string(lone.size()) + " of " + std::to_string(e.out.baseline->now.size()) +
                           " launch pairs one build's process was out of line and the other's was not, most in launch pair " +
                           std::to_string(most.index + 1) + ": that of " + (most.is_head ? "this build" : "the reference build") + " had " +
                           factor +
                           " times its median; a process keeps such a speed all its life, so run the test again, on a machine "
                           "that does nothing else");
}

/// Whether the other build was named by where this process happens to stand.
inline bool is_relative(const std::string& against) { return !against.starts_with('/'); }

/// What may help where a process of either build failed.
inline void advise_on_failure(evaluation& e) {
    e.out.advice.emplace_back(
        "PERFSPEC_AGAINST names another build of this test program, or its build folder; where that cannot have the program yet, "
        "run this one without the variable");
    if (is_relative(e.plan.against))
        e.out.advice.push_back(
            "\"" + e.plan.against + "\" is a relative path, and was taken from " + e.context.around().start.working_directory +
            ", where this program was started: under ctest each test has a working directory of its own, so name it from "
            "the root on");
    if (!one_at_a_time(e))
        e.out.advice.emplace_back("where both builds do not fit into memory together: PERFSPEC_RESIDENT=one measures one after the other");
}

inline bool are_launch_pairs_unchanged(evaluation& e, const reference_series& series) {
    if (series.pairs.empty()) return true;
    coin order(e.context.around().draw_seed());
    reference_series fresh;
    fresh.alternates = series.alternates;
    for (std::size_t i = 0; i < fresh_samples_to_share; ++i) {
        if (next_launch_pair(e, fresh, i, order) == nullptr) return false;
    }
    const auto positive = [&](const std::vector<launch_pair>& pairs, double launch_pair::*value) {
        std::vector<double> values = gather(pairs, value);
        for (double& v : values) v = positive_of_launch(e, v);
        return values;
    };
    return are_alike(positive(fresh.pairs, &launch_pair::head), positive(series.pairs, &launch_pair::head)) &&
           are_alike(positive(fresh.pairs, &launch_pair::reference), positive(series.pairs, &launch_pair::reference));
}

/// The launch pairs that this claim is judged by: those of an earlier claim, where nothing has changed since, or none yet.
inline reference_series& series_of_builds(evaluation& e) {
    reference_series& series = e.context.samples().references[e.out.key + "\n" + e.out.query + sampling_of(e.plan) + e.plan.against];
    const evidence_counts before = e.out.evidence;
    if (!may_share(e, series.users, [&] { return are_launch_pairs_unchanged(e, series); })) series = {};
    const std::string shared_with = e.out.evidence.shared_with;
    e.out.evidence = before;  // the fresh pairs are no part of what is judged
    e.out.evidence.shared_with = shared_with;
    use_series(e, series.users);
    return series;
}

/// After so many launch pairs it is known whether enough of them fit into the time.
inline constexpr std::size_t pairs_to_tell_cost = 2;

inline void compare_builds(evaluation& e) {
    reference_series& series = series_of_builds(e);
    if (series.head) return describe_new(e, *series.head);
    auto [settings, fewest] = limits_of_launches(e);
    settings.first_look = sequential_settings::for_launch_centres().first_look;
    settings.most = std::max(most_launch_pairs, fewest);
    sequential test(settings);
    e.out.evidence.method = "centres of launch pairs against the reference build, " + std::string(sequential::method);
    e.out.evidence.approximate = e.tree().offset != 0.0;  // an offset from one build is another one from the other
    const bool has_drawn = e.out.evidence.seed != 0;      // for the pairs that were counted
    if (!has_drawn) e.out.evidence.seed = e.plan.seed.value_or(e.context.around().draw_seed());
    e.out.evidence.budget_seconds = longest_ns(e) * 1e-9;
    coin order(e.out.evidence.seed + series.pairs.size());
    const auto mean_seconds = [&] { return e.out.evidence.seconds / static_cast<double>(test.size()); };
    while (test.decided() == decision::none && !test.exhausted()) {
        if (test.size() > 0 && test.size() >= most_pairs_of(e, mean_seconds() * 1e9)) break;
        if (test.size() > 0 && test.size() <= pairs_to_tell_cost) require_launch_pairs_fit(e, mean_seconds() * 1e9);
        if (test.size() >= fewest && e.out.evidence.seconds + mean_seconds() > e.out.evidence.budget_seconds) break;
        const launch_pair* pair = next_launch_pair(e, series, test.size(), order);
        if (pair == nullptr && test.size() > 0)
            throw measurement_failure(
                failure_kind::worker_failed,
                "the reference build came to this claim before, and now it does not: whether it does must not depend on chance");
        if (pair == nullptr) return describe_new(e, *series.head);
        test.add(distance_inside(e, *pair));
        constexpr std::size_t usual = sequential_settings::for_launch_centres().most;
        if (test.size() == 1) announce_cost(e, std::min(mean_seconds() * static_cast<double>(usual), longest_ns(e) * 1e-9));
    }
    describe_reference(e, {series.pairs.begin(), series.pairs.begin() + static_cast<std::ptrdiff_t>(test.size())});
    const double patience = mean_seconds() * static_cast<double>(most_pairs_of(e, mean_seconds() * 1e9));
    e.out.evidence.budget_seconds = std::min(e.out.evidence.budget_seconds, std::max(patience, patience_ns * 1e-9));
    conclude(e, test.progress(), {"launch pairs", mean_seconds(), most_launch_pairs, most_launch_pairs});
    advise_on_lone_processes(e);
}

/// What compares a program with itself holds whatever was changed.
inline void require_another_build(evaluation& e) {
    const std::string other = reference_program(e.context, e.plan);
    const likeness is = e.context.likeness_of_program(other);
    if (is == likeness::same_file)
        throw measurement_failure(failure_kind::worker_failed,
                                  "the reference build is this program itself (" + other +
                                      "): name another build of it; to compare this one with itself on purpose, name a copy of it");
    if (is != likeness::same_bytes) return;
    const std::string found = "the reference build (" + other + ") has the same bytes as this program: what differs is chance";
    add_disturbances(e, {.notes = {found}});
    if (e.plan.verbosity != console_verbosity::quiet) e.context.tell_once(found);
}

void judge_reference(evaluation& e) {
    if (!can_start_again(e)) {
        set_verdict(e, verdict::invalid,
                    "this program cannot be started again for it: call perfspec::init(argc, argv) at the start of main");
        return;
    }
    try {
        require_another_build(e);
        compare_builds(e);
    } catch (const measurement_failure& failure) {
        const bool of_worker = failure.kind == failure_kind::worker_failed || failure.kind == failure_kind::out_of_memory;
        if (of_worker) advise_on_failure(e);
        throw;
    }
}

}  // namespace perfspec::detail
