// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// speedups(a, b, c): each round takes one sample of every subject in random order, so each of two subjects is equally
// likely to be first.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The samples of one round, by subject.
using several_round = std::vector<sample>;

/// The sampling settings of all subjects.
struct several_calibration {
    std::vector<subject_calibration> subjects{};
    warm_call warm{warm_call::no};
    double round_ns{};
    time_budget time{};
};

inline several_calibration calibrate_several(const claim_context& context) {
    const query_description& q = context.query;
    const clocks time = clocks_for(context, q.metric);
    const measuring_settings settings = settings_of(context, q.metric);
    several_calibration all;
    std::int64_t calibrated_ns = 0;
    std::vector<bool> equal_iterations;  // by subject: whether its samples have the first one's number of iterations
    // Calibrates each subject with the first, as in a pair. The first subject gets the largest number of iterations
    // that any pair needs.
    for (std::size_t i = 1; i < q.subjects.size(); ++i) {
        const pair_calibration pair = calibrate_pair(q.subjects[0], q.subjects[i], settings, time);
        if (i == 1) all = {.subjects = {pair.a}, .warm = pair.warm, .time = pair.time};
        all.subjects[0].iterations = std::max(all.subjects[0].iterations, pair.a.iterations);
        all.subjects.push_back(pair.b);
        calibrated_ns += pair.time.calibrated_ns;
        equal_iterations.push_back(pair.a.iterations == pair.b.iterations);
        if (pair.warm == warm_call::no) all.warm = warm_call::no;
    }
    all.time.started_ns = time.wall.now() - calibrated_ns;
    for (std::size_t i = 1; i < q.subjects.size(); ++i)
        if (equal_iterations[i - 1]) all.subjects[i].iterations = all.subjects[0].iterations;
    for (const subject_calibration& c : all.subjects)
        all.round_ns +=
            c.sample_ns() * (all.warm == warm_call::yes ? 1.0 + 1.0 / static_cast<double>(c.iterations) : 1.0);
    return all;
}

inline several_round take_round(const claim_context& context, const several_calibration& c, std::mt19937_64& order) {
    const query_description& q = context.query;
    std::vector<std::size_t> turns(q.subjects.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    std::ranges::shuffle(turns, order);
    several_round round(turns.size());
    for (const std::size_t i : turns)
        round[i] = take_metered_sample(q.subjects[i], c.subjects[i].iterations, c.warm, clocks_for(context, q.metric),
                                       c.subjects[i].metered());
    return round;
}

/// The rounds of a query.
struct round_evidence {
    several_calibration calibration{};
    std::vector<several_round> rounds{};  ///< that count
    double seconds{};
    disturbances disturbed{};  ///< interrupted samples
};

inline round_evidence take_rounds(const claim_context& context, std::uint64_t seed) {
    constexpr std::size_t enough_rounds = 100;
    const std::size_t maximum = context.plan.rounds.value_or(enough_rounds);
    several_calibration c = calibrate_several(context);
    clock& wall = context.run.system().wall;
    const auto spent = [&] { return wall.now() - c.time.started_ns; };
    // The budget is extended as for a pair: to the time of thirty rounds, up to the cap.
    const auto needed = spent() + std::llround(target_pairs * c.round_ns);
    if (!context.plan.has_hard_budget())
        c.time.budget_ns = std::max(c.time.budget_ns, std::min<std::int64_t>(needed, context.plan.cap.count()));
    announce_cost(context, static_cast<double>(c.time.budget_ns) * 1e-9);
    std::mt19937_64 order(seed);
    std::vector<several_round> rounds;
    disturbances disturbed;
    for (std::size_t taken = 0; rounds.size() < maximum && (taken < min_pairs || spent() < c.time.budget_ns); ++taken) {
        several_round round = take_round(context, c, order);
        for (const sample& s : round)
            disturbed = with_sample(std::move(disturbed), s.per_iteration(), s.working(), s.iterations);
        if (std::ranges::all_of(round, [](const sample& s) { return s.working().is_exact; }))
            rounds.push_back(std::move(round));
    }
    if (rounds.empty())
        throw measurement_failure(
            failure_kind::unavailable,
            "other work interrupted a sample in every round: compare them when the machine has less to do");
    const double seconds = static_cast<double>(spent()) * 1e-9;
    return {std::move(c), std::move(rounds), seconds, std::move(disturbed)};
}

claim_result measure_several(const claim_context& context) {
    claim_result result = empty_result(context);
    result.evidence.seed = seed_of(context);
    auto [evidence, observation] = measure(context, result, [&] { return take_rounds(context, result.evidence.seed); });
    for (std::size_t i = 0; i < context.query.subjects.size(); ++i) {
        std::vector<double> times, logs;
        for (const several_round& r : evidence.rounds) {
            times.push_back(r[i].working().ns);
            logs.push_back(timed_pair{.a = r[0], .b = r[i]}.log_ratio());
        }
        result.subjects.push_back(
            summary_of(context.names[i], std::move(times), evidence.calibration.subjects[i].iterations));
        if (i > 0) result.compared.push_back({context.names[i], estimate_across_processes(logs, {1.0, 1.0})});
    }
    result.disturbed = std::move(evidence.disturbed);
    result.evidence.rounds = evidence.rounds.size();
    result.evidence.seconds = evidence.seconds;
    result.evidence.budget_seconds = static_cast<double>(evidence.calibration.time.budget_ns) * 1e-9;
    result.evidence.method =
        "rounds of all subjects in random order, Hodges-Lehmann centers of the logarithms of ratios";
    return judged(observed(std::move(result), std::move(observation)), {verdict::holds});
}

}  // namespace perfspec::inline v0_2::detail
