// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/operators.hpp>
#include <perfspec/explain/table_metrics-inl.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

std::vector<operator_event> calls_with_device_times(std::span<const device_event> trace) {
    constexpr std::uint64_t no_thread = std::numeric_limits<std::uint64_t>::max();
    std::vector<operator_event> calls;
    std::map<std::uint64_t, std::size_t> by_number;
    for (const device_event& e : trace) {
        if (e.what != traced_work::call) continue;
        if (e.call != 0) by_number.emplace(e.call, calls.size());
        calls.push_back({e.name, e.start_ns, e.end_ns, e.thread, 0.0, e.shapes});
    }
    for (const device_event& e : trace) {
        if (e.what == traced_work::call) continue;
        const auto time = static_cast<double>(e.end_ns - e.start_ns);
        const auto found = by_number.find(e.call);
        if (found == by_number.end()) calls.push_back({"(no operator)", e.start_ns, e.start_ns, no_thread});
        operator_event& call = found == by_number.end() ? calls.back() : calls[found->second];
        call.device_ns += time;
        call.work.push_back({e.name, time});
    }
    return calls;
}

std::vector<operator_event> record_operators(device_recorder& recorder, const subject& x, input_shapes shapes) {
    if (const std::string fault = recorder.begin(shapes); !fault.empty())
        throw measurement_failure(failure_kind::not_countable, fault);
    try {
        run_untimed(x, 1);
    } catch (...) {
        detail::stop(recorder);
        throw;
    }
    return calls_with_device_times(detail::trace_of(recorder));
}

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// How a turn is timed: as a batch of one subject; or as steps in order, each by a clock around it, by its operators,
/// or by the operators' work on a device.
enum class turn_reading : std::uint8_t { batch, timers, operators, device };

/// A turn, which each round runs once, and its times in all rounds so far.
struct turn {
    std::vector<subject> steps{};
    turn_reading reading{turn_reading::batch};
    std::vector<std::vector<double>> times{};  ///< [steps][rounds], nanoseconds of one iteration

    /// [rounds]: the time of all steps together.
    [[nodiscard]] std::vector<double> sums() const {
        std::vector<double> all(times.at(0).size());
        for (const std::vector<double>& step : times) std::ranges::transform(all, step, all.begin(), std::plus<>());
        return all;
    }
};

/// The turns of the rounds of one claim.
class layer_rounds {
public:
    layer_rounds(const claim_context& context, std::vector<turn> turns) : context_(context), turns_(std::move(turns)) {
        for (turn& t : turns_) t.times.resize(t.steps.size());
    }

    /// Calibrates with the subject of the first turn, which is the longest, and takes rounds until the budget is spent.
    /// Adds their evidence to the result's, because a claim may take rounds several times. Throws measurement_failure
    /// if too few rounds fit.
    ///
    /// measurement  the number of this call within one claim; each draws its own order
    [[nodiscard]] claim_result take(claim_result result, unsigned measurement = 0) {
        if (measurement == 0) result.evidence.seed = seed_of(context_);
        auto [evidence, observation] =
            measure(context_, result, [&] { return take_rounds(result.evidence.seed + measurement); });
        result.evidence.rounds += evidence.rounds;
        result.evidence.seconds += evidence.seconds;
        result.evidence.budget_seconds += evidence.budget_seconds;
        return observed(std::move(result), std::move(observation));
    }

    [[nodiscard]] const turn& at(std::size_t i) const { return turns_.at(i); }
    [[nodiscard]] std::uint64_t iterations() const noexcept { return calibration_.x.iterations; }

private:
    /// Takes rounds. Returns their evidence.
    [[nodiscard]] evidence_counts take_rounds(std::uint64_t seed) {
        measuring_settings settings = settings_of(context_, metrics::latency);
        if (context_.plan.has_hard_budget() && context_.query.metric == metrics::best_mixture)
            settings.cap = settings.budget /= mixture_of(context_).settings.best_of;
        clock& wall = context_.run.system().wall;
        const std::size_t maximum = context_.plan.rounds.value_or(100);
        std::mt19937_64 order(seed);
        calibration_ = calibrate_samples(turns_[0].steps[0], settings, clocks_for(context_, metrics::latency));
        const std::int64_t begun = wall.now();
        static_cast<void>(take_round(order));  // not counted, because the first run is slow
        const auto round_ns = static_cast<double>(wall.now() - begun);
        const time_budget time = budget_of_rounds(calibration_.started_ns, wall.now(), round_ns, settings);
        announce_cost(context_, static_cast<double>(time.budget_ns) * 1e-9);
        evidence_counts evidence;
        for (; evidence.rounds < maximum && (evidence.rounds < min_pairs || !time.spent(wall.now()));
             ++evidence.rounds) {
            const auto round_times = take_round(order);
            for (std::size_t i = 0; i < turns_.size(); ++i)
                for (std::size_t k = 0; k < round_times[i].size(); ++k) turns_[i].times[k].push_back(round_times[i][k]);
        }
        evidence.seconds = static_cast<double>(wall.now() - calibration_.started_ns) * 1e-9;
        evidence.budget_seconds = static_cast<double>(time.budget_ns) * 1e-9;
        return evidence;
    }

    [[nodiscard]] std::vector<double> take_turn(const turn& t) const {
        const std::uint64_t iterations = calibration_.x.iterations;
        if (t.reading == turn_reading::batch) {
            const clocks time = clocks_for(context_, metrics::latency);
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

    [[nodiscard]] double read_step(const turn& t, const subject& step) const {
        if (t.reading == turn_reading::timers)
            return take_sample(step, 1, warm_call::no, clocks_for(context_, metrics::latency).metric).per_iteration();
        counters& all = context_.run.system().counts;
        if (t.reading == turn_reading::operators)
            return total_self_ns(record_operators(*all.recorder<operator_recorder>(), step));
        double sum = 0.0;
        for (const operator_event& e : record_operators(*all.recorder<device_recorder>(), step)) sum += e.device_ns;
        return sum;
    }

    /// [turns][steps]: runs every turn once, in random order.
    [[nodiscard]] std::vector<std::vector<double>> take_round(std::mt19937_64& order) const {
        std::vector<std::size_t> drawn(turns_.size());
        std::iota(drawn.begin(), drawn.end(), std::size_t{0});
        std::ranges::shuffle(drawn, order);
        std::vector<std::vector<double>> round(turns_.size());
        for (const std::size_t i : drawn) round[i] = take_turn(turns_[i]);
        return round;
    }

    const claim_context& context_;
    std::vector<turn> turns_;
    sample_calibration calibration_;
};

/// The center of the rounds' values, with its confidence interval.
inline estimate estimate_of(std::span<const double> values) {
    const center_interval interval = signed_rank_interval(values);
    return {interval.center, interval.low, interval.high, interval.level};
}

/// A cell of a table of times.
inline part_value time_part(std::string part, std::string method, const estimate& value, double share = 0.0,
                            std::string mark = {}) {
    return {std::move(part), std::move(method), dimension::time, value, share, std::move(mark)};
}

}  // namespace perfspec::inline v0_2::detail
