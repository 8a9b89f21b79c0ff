// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/device_operators.hpp>
#include <perfspec/explain/layer_rounds.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/measure/counters/operator_events.hpp>
#include <perfspec/stats/interval.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace perfspec::detail {

std::vector<double> turn::sums() const {
    std::vector<double> all(times.at(0).size());
    for (const std::vector<double>& step : times) std::ranges::transform(all, step, all.begin(), std::plus<>());
    return all;
}

layer_rounds::layer_rounds(const claim_context& context, claim_result& result, std::vector<turn> turns)
    : context_(context), result_(result), turns_(std::move(turns)) {
    for (turn& t : turns_) t.times.resize(t.steps.size());
}

double layer_rounds::read_step(const turn& t, const subject& step) const {
    if (t.reading == turn_reading::timers)
        return take_sample(step, 1, warm_call::no, clocks_for(context_, metric_kind::latency).metric).per_iteration();
    counters& all = context_.run.system().counts;
    if (t.reading == turn_reading::operators) return total_self_ns(record_operators(*all.operators(), step));
    double sum = 0.0;
    for (const operator_event& e : record_operators(*all.devices(), step)) sum += e.device_ns;
    return sum;
}

std::vector<double> layer_rounds::take_turn(const turn& t) const {
    const std::uint64_t iterations = calibration_.x.iterations;
    if (t.reading == turn_reading::batch) {
        const clocks time = clocks_for(context_, metric_kind::latency);
        return {take_positive_sample(t.steps[0], iterations, calibration_.warm, time.metric).per_iteration()};
    }
    if (calibration_.warm == warm_call::yes)
        for (const subject& step : t.steps) run_untimed(step, 1);
    std::vector<double> times(t.steps.size());
    for (std::uint64_t i = 0; i < iterations; ++i)
        for (std::size_t k = 0; k < t.steps.size(); ++k) times[k] += read_step(t, t.steps[k]);
    for (double& time : times) time /= static_cast<double>(iterations);
    return times;
}

/// [turns][steps]: takes every turn once, in a drawn order.
std::vector<std::vector<double>> layer_rounds::take_round(std::mt19937_64& order) const {
    std::vector<std::size_t> drawn(turns_.size());
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    std::ranges::shuffle(drawn, order);
    std::vector<std::vector<double>> round(turns_.size());
    for (const std::size_t i : drawn) round[i] = take_turn(turns_[i]);
    return round;
}

void layer_rounds::take(unsigned measurement) {
    const measuring_scope measuring(context_, result_);
    measuring_settings settings = settings_of(context_, metric_kind::latency);
    if (context_.plan.budget_given) settings.budget /= context_.query.said<layers_of_variants>().settings.best_of;
    clock& wall = context_.run.system().wall;
    const std::size_t maximum = context_.plan.rounds.value_or(100);
    if (measurement == 0) result_.evidence.seed = seed_of(context_);
    std::mt19937_64 order(result_.evidence.seed + measurement);
    calibration_ = calibrate_samples(turns_[0].steps[0], settings, clocks_for(context_, metric_kind::latency));
    const std::int64_t begun = wall.now();
    static_cast<void>(take_round(order));  // not counted, because the first run is slow
    const auto round_ns = static_cast<double>(wall.now() - begun);
    const time_budget time = budget_of_rounds(calibration_.started_ns, wall.now(), round_ns, settings);
    announce_cost(context_, static_cast<double>(time.budget_ns) * 1e-9);
    std::size_t rounds = 0;
    for (; rounds < maximum && (rounds < min_pairs || !time.spent(wall.now())); ++rounds) {
        const auto taken = take_round(order);
        for (std::size_t i = 0; i < turns_.size(); ++i)
            for (std::size_t k = 0; k < taken[i].size(); ++k) turns_[i].times[k].push_back(taken[i][k]);
    }
    result_.evidence.rounds += rounds;
    result_.evidence.seconds += static_cast<double>(wall.now() - calibration_.started_ns) * 1e-9;
    result_.evidence.budget_seconds += static_cast<double>(time.budget_ns) * 1e-9;
}

estimate estimate_of(std::span<const double> values) {
    const centre_interval interval = signed_rank_interval(values);
    return {interval.centre, median(values), interval.low, interval.high, interval.level};
}

void add_part(claim_result& result, std::string part, std::string method, const estimate& value, double share,
              std::string mark) {
    result.parts.push_back({std::move(part), std::move(method), dimension::time, value, share, std::move(mark)});
}

}  // namespace perfspec::detail
