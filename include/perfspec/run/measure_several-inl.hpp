// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// compare(a, b, c): rounds of one sample of every subject, in an order drawn for each round. Of every subject and the first the samples are a series of
// pairs, which claims on the two go on with: in a random order of all, either of two is as likely the earlier one.

#include <perfspec/run/judge_pairs-inl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The samples of one round, by subject, and the turn at which each was taken.
struct several_round {
    std::vector<sample> samples{};
    std::vector<std::size_t> turns{};
};

/// How all subjects are sampled.
struct several_calibration {
    std::vector<subject_calibration> subjects{};
    warm_call warm{warm_call::no};
    double round_ns{};
    time_budget time{};
};

inline several_calibration calibrate_several(const evaluation& e) {
    const query_description& q = e.query();
    const clocks time = clocks_for(e, q.measured);
    const measuring_settings settings = settings_of(e, q.measured);
    several_calibration all;
    std::vector<bool> alike;  // by subject: whether its samples have as many iterations as the first one's
    // Each with the first, so that the samples are those of a pair; the first has the most that any pair asks for.
    for (std::size_t i = 1; i < q.subjects.size(); ++i) {
        const pair_calibration pair = calibrate_pair(q.subjects[0], q.subjects[i], settings, time);
        if (i == 1) all = {.subjects = {pair.a}, .warm = pair.warm, .time = pair.time};
        all.subjects[0].iterations = std::max(all.subjects[0].iterations, pair.a.iterations);
        all.subjects.push_back(pair.b);
        alike.push_back(pair.a.iterations == pair.b.iterations);
        if (pair.warm == warm_call::no) all.warm = warm_call::no;
    }
    for (std::size_t i = 1; i < q.subjects.size(); ++i)
        if (alike[i - 1]) all.subjects[i].iterations = all.subjects[0].iterations;
    for (const subject_calibration& c : all.subjects)
        all.round_ns += (c.call_ns + c.untimed_ns) * static_cast<double>(c.iterations + (all.warm == warm_call::yes ? 1 : 0));
    return all;
}

inline several_round take_round(const evaluation& e, const several_calibration& c, std::mt19937_64& order) {
    const query_description& q = e.query();
    std::vector<std::size_t> turns(q.subjects.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    std::ranges::shuffle(turns, order);
    several_round round{std::vector<sample>(turns.size()), std::vector<std::size_t>(turns.size())};
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
        const std::size_t i = turns[turn];
        round.samples[i] = take_positive_sample(q.subjects[i], c.subjects[i].iterations, c.warm, clocks_for(e, q.measured).metric);
        round.turns[i] = turn;
    }
    return round;
}

/// The rounds as pairs of the first subject and one other, for claims on the two.
inline pair_series series_of_rounds(const several_calibration& c, const std::vector<several_round>& rounds, std::size_t other) {
    pair_series series;
    series.calibration = {.a = c.subjects[0], .b = c.subjects[other], .warm = c.warm, .pair_ns = c.round_ns, .time = c.time};
    for (const several_round& r : rounds)
        series.pairs.push_back({r.samples[0], r.samples[other], r.turns[0] < r.turns[other] ? pair_order::a_first : pair_order::b_first});
    return series;
}

inline estimate speedup_in(const pair_series& series) {
    std::vector<double> logs;
    for (const timed_pair& p : series.pairs) logs.push_back(p.log_ratio());
    const centre_interval interval = evidence_interval(logs);
    return {std::exp(interval.centre), std::exp(median(logs)), std::exp(interval.low), std::exp(interval.high), interval.level};
}

inline void describe_several(evaluation& e, const several_calibration& c, const std::vector<several_round>& rounds) {
    const query_description& q = e.query();
    for (std::size_t i = 0; i < q.subjects.size(); ++i) {
        std::vector<double> times;
        for (const several_round& r : rounds) times.push_back(r.samples[i].per_iteration());
        e.out.subjects.push_back(summary_of(e.names[i], std::move(times), c.subjects[i].iterations));
        if (i == 0) continue;
        pair_series series = series_of_rounds(c, rounds, i);
        e.out.compared.push_back({e.names[i], speedup_in(series)});
        series.seed = e.out.evidence.seed;
        series.spent_ns = series.counted_ns = e.out.evidence.seconds * 1e9;
        use_series(e, series.users);
        e.context.samples().pairs.insert_or_assign(sharing_key(e, {&q.subjects[0], &q.subjects[i]}, q.measured), std::move(series));
    }
    e.out.evidence.rounds = rounds.size();
}

void measure_several(evaluation& e) {
    constexpr std::size_t enough_rounds = 100;
    const std::size_t most = e.plan.rounds.value_or(enough_rounds);
    e.out.evidence.seed = e.plan.seed.value_or(e.context.around().draw_seed());
    const measuring_scope measuring(e);
    several_calibration c = calibrate_several(e);
    clock& wall = e.context.around().wall;
    const auto spent = [&] { return wall.now() - c.time.started_ns; };
    // The budget of two subjects is stretched as that of a pair is: for thirty rounds, up to the cap.
    const auto needed = spent() + std::llround(comfortable_pairs * c.round_ns);
    if (!e.plan.budget_given) c.time.budget_ns = std::max(c.time.budget_ns, std::min<std::int64_t>(needed, e.plan.cap.count()));
    announce_cost(e, static_cast<double>(c.time.budget_ns) * 1e-9);
    std::mt19937_64 order(e.out.evidence.seed);
    std::vector<several_round> rounds;
    while (rounds.size() < most && (rounds.size() < fewest_pairs || spent() < c.time.budget_ns)) rounds.push_back(take_round(e, c, order));
    e.out.evidence.seconds = static_cast<double>(spent()) * 1e-9;
    e.out.evidence.budget_seconds = static_cast<double>(c.time.budget_ns) * 1e-9;
    e.out.evidence.method = "rounds of all subjects in random order, Hodges-Lehmann centres of the logarithms of ratios";
    describe_several(e, c, rounds);
    set_verdict(e, verdict::holds);
}

}  // namespace perfspec::detail
