// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/procedures/process_centers.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

process_interval interval_of_processes(std::span<const double> log_values) {
    const center_interval interval = signed_rank_interval(log_values);
    if (std::isfinite(interval.low) && std::isfinite(interval.high)) return {interval, {}};
    const auto [low, high] = std::ranges::minmax(log_values);
    return {{.low = low, .center = interval.center, .high = high, .level = 0.0},
            "; the range of " + std::to_string(log_values.size()) + " processes is shown, because an interval at " +
                format_percentage(interval.level) + " needs at least " + std::to_string(center_interval::minimum)};
}

// Judges relative claims over fresh processes, `processes(n)`: the center of each process's pairs goes into the
// sequential test (stats/README.md, "Processes"). It is for unlike subjects, whose ratio differs from process to
// process.

/// How many processes far inside the bound show that a claim holds: three, and more for a false-pass rate below the
/// default. For a false claim, at most half of the processes are inside.
inline std::size_t processes_far_inside(double false_pass) {
    constexpr std::size_t least = 3;
    if (false_pass >= sequential_settings{}.false_pass) return least;
    return static_cast<std::size_t>(std::ceil(std::log2(1.0 / false_pass)));
}

/// Whether two or more processes are so far inside the bound that no statistics are needed: each by a factor of two,
/// and by more than they differ.
inline bool are_far_inside(std::span<const double> distances) {
    if (distances.size() < 2) return false;
    const auto [nearest, farthest] = std::ranges::minmax(distances);
    return nearest >= std::max(std::log(2.0), farthest - nearest);
}

/// The result with the interval of these processes.
inline claim_result with_interval_of(claim_result result, std::span<const double> logs) {
    const auto [interval, remark] = interval_of_processes(logs);
    result.estimate =
        estimate{std::exp(interval.center), std::exp(interval.low), std::exp(interval.high), interval.level};
    result.evidence.method += remark;
    return result;
}

/// Why a violation by fresh processes does not count; empty if it does (judge/README.md, "Violations that do not
/// count").
inline std::string reason_of_processes(const claim_context& context, const claim_result& result) {
    if (!takes_wall_time(context) || !(context.is_relative() || context.claims_less_time())) return {};
    const double beyond = -log_inside(context, result.estimate->value, *result.bound);
    const double waited = usual_waiting(context, result);
    if (beyond <= std::log(waited)) return "it is beyond the bound, but " + waiting_text(waited);
    return context.is_relative() ? "" : reason_of_sharing(beyond, usual_disturbances(context, result));
}

/// Judges a claim on a ratio by the logarithm of the value of each process, as `take_log` takes it. Unless the option
/// `processes` is set, processes far inside the bound need no room for the processes of a violation.
template <class TakeLog>
claim_result judge_by_processes(const claim_context& context, claim_result partial, process_source& processes,
                                TakeLog take_log) {
    partial.bound = context.ratio_bound();
    auto [settings, at_least] = limits_of_processes(context);
    const double longest = longest_seconds(context.plan);
    sequential test(settings);
    std::vector<double> logs, distances;
    const auto is_far = [&] { return !over_processes(context) && are_far_inside(distances); };
    const std::size_t enough = processes_far_inside(settings.false_pass);
    const auto next = [&, minimum = at_least](std::size_t count) mutable -> std::optional<double> {
        if (is_far()) minimum = enough;  // also for later calls
        const bool is_enough = is_far() && count >= enough;
        if (is_enough || !allows_another_process(context, processes.totals().evidence, count, minimum)) {
            partial.evidence.budget_seconds = longest;
            return {};
        }
        logs.push_back(take_log());
        distances.push_back(context.sign() * (logs.back() - std::log(context.ratio_bound())));
        show_progress(context, {.done = count + 1,
                                .most = test.progress().settings.max_size,
                                .seconds = processes.seconds(),
                                .longest = longest});
        return distances.back();
    };
    with_partial_result([&] { return joined(processes.totals(), partial); }, [&] { drive(test, next); });
    if (is_far())
        partial.evidence.method = "values of fresh processes, each inside the bound by a factor of two or more";
    partial.evidence.approximate = partial.evidence.approximate || is_far();
    claim_result result = with_interval_of(joined(processes.totals(), std::move(partial)), logs);
    if (is_far()) return judged(std::move(result), {verdict::holds});
    const double mean_seconds = processes.seconds() / static_cast<double>(test.size());
    std::string excuse = reason_of_processes(context, result);
    return conclude(context, std::move(result), test.progress(),
                    {"processes", mean_seconds, settings.max_size, settings.max_size}, std::move(excuse));
}

claim_result judge_processes(const claim_context& context) {
    claim_result partial = empty_result(context);
    partial.evidence.approximate = true;  // the sides of the bound are not randomized
    partial.evidence.method = "centers of fresh processes, " + std::string(sequential::method);
    process_source processes(context);
    return judge_by_processes(context, std::move(partial), processes,
                              [&] { return std::log(processes.next().process.value); });
}

// Judges the spread between processes by a fixed number of fresh processes and the signs of their distances from
// their median (stats/summary.hpp).

/// The number of processes from the option, otherwise the default. Throws input_error if they are too few for a spread
/// or for the verdict violated.
inline std::size_t processes_for_spread(const claim_context& context) {
    const std::size_t minimum =
        context.is_bounded() ? spread_test{.false_failure = context.plan.false_failure}.min_size_to_violate() : 0;
    if (!over_processes(context)) return std::max(processes_of_a_spread, minimum);
    const auto text = [&](std::size_t n) { return context.framework.words().option("processes", std::to_string(n)); };
    if (*context.plan.processes < min_processes_of_a_spread)
        throw input_error(text(*context.plan.processes) + " is too few, because a spread needs at least " +
                          std::to_string(min_processes_of_a_spread) + " processes: write " +
                          text(std::max(processes_of_a_spread, minimum)) + ", or leave it out");
    if (*context.plan.processes < minimum)
        throw input_error(text(*context.plan.processes) +
                          " cannot show that this claim is violated, because its false-failure rate needs at least " +
                          std::to_string(minimum) + ": write " + text(minimum) + ", or leave it out");
    return *context.plan.processes;
}

inline judgement judgement_of_spread(const claim_context& context, const process_spread& spread,
                                     std::size_t processes) {
    const spread_test test{context.margin(), context.plan.false_failure, context.plan.false_pass};
    switch (test.decide(spread.distances, context.claims_less() ? direction::less : direction::more, context.value())) {
    case decision::holds: return {verdict::holds};
    case decision::violated: return {verdict::violated};
    case decision::none: break;
    }
    judgement open{verdict::undecided,
                   std::to_string(processes) +
                       " processes do not show whether the spread is within the bound or beyond it"};
    const std::size_t more = std::min(2 * processes, baseline_entry::max_processes_of_session);
    if (more > processes)
        open.advice = {"more processes can decide closer bounds: " +
                       context.framework.words().option("processes", std::to_string(more))};
    return open;
}

claim_result judge_spread(const claim_context& context) {
    process_source processes(context);
    const auto partial = [&] { return joined(processes.totals(), empty_result(context)); };
    const std::size_t count = processes_for_spread(context);
    std::vector<double> values = values_of(with_partial_result(partial, [&] {
        return take_processes(context, processes, {count, count});
    }));
    const std::size_t size = values.size();
    const process_spread spread = spread_of(values);
    claim_result result = partial();
    result.estimate = estimate{spread.spread, spread.low, spread.high, spread.level};
    result.evidence.method = std::string(process_spread::method);
    result.subjects = {summary_of(context.names.front(), std::move(values), 1)};
    if (!context.is_bounded()) return judged(std::move(result), {verdict::holds});
    result.bound = context.value();
    result.evidence.approximate = true;  // distances from the median of the same processes are dependent
    result.evidence.method += "; " + std::string(spread_test::method);
    return judged(std::move(result), judgement_of_spread(context, spread, size));
}

void require_spread(const claim_context& context) {
    if (context.is_bounded() && !(context.value() > 0.0 && std::isfinite(context.value())))
        throw input_error("a spread is compared with a percentage above 0, such as 7_pct");
    static_cast<void>(processes_for_spread(context));
}

// Judges metrics that need a fresh process, such as the peak of memory. Each process measures one value of one subject.
// The values go into the sequential test (stats/README.md, "Fresh values"). Every process is fresh, so a violated claim
// needs no confirmation.

fresh_values take_fresh_values(const claim_context& context, process_source& processes, fresh_values values,
                               random_order& order) {
    const auto take = [&](compared_side side) {
        values.sides[static_cast<std::size_t>(side)].push_back(processes.next(side).process.value);
    };
    const bool second_first = context.is_relative() && order.next();
    if (second_first) take(compared_side::second);
    take(compared_side::first);
    if (context.is_relative() && !second_first) take(compared_side::second);
    return values;
}

/// The medians of the parts that the claim's processes reported. None for two subjects: their parts would mix.
inline std::vector<part_value> parts_of_processes(const claim_context& context, std::size_t count) {
    const std::vector<process_result>& all = processes_of(context).processes;
    const std::span processes(all.data(), std::min(count, all.size()));
    std::vector<part_value> parts;
    if (context.is_relative() || processes.empty()) return parts;
    std::map<std::string, std::vector<part_value>> by_name;
    for (const process_result& process : processes)
        for (const part_value& p : process.answer.parts) by_name[p.part].push_back(p);
    for (const part_value& first : processes.front().answer.parts) {
        std::vector<double> times, shares;
        for (const part_value& p : by_name[first.part]) {
            times.push_back(p.value.value);
            shares.push_back(p.share);
        }
        const auto [low, high] = std::ranges::minmax(times);
        const double middle = median(times);
        parts.push_back({first.part, first.method, first.unit, {middle, low, high, 0.0}, median(shares), {}});
    }
    return parts;
}

/// The result with the samples and the parts of fresh values.
inline claim_result with_fresh(const claim_context& context, claim_result result, const fresh_values& values) {
    result.subjects.clear();
    for (std::size_t side = 0; side < 2 && !values.sides[side].empty(); ++side)
        result.subjects.push_back(summary_of(context.names[side], values.sides[side], 1, unit_of_samples(context)));
    result.parts = parts_of_processes(context, values.sides[0].size());
    return result;
}

/// Measures a query without a bound: the median of a few processes, and their extremes.
inline claim_result measure_fresh(const claim_context& context, claim_result result, random_order& order) {
    process_source processes(context);
    fresh_values values;
    const auto partial = [&] { return joined(processes.totals(), result); };
    with_partial_result(partial, [&] {
        const std::size_t count = processes_to_measure(context.plan);
        while (values.sides[0].size() < count) {
            values = take_fresh_values(context, processes, std::move(values), order);
            show_progress(context, {.done = values.sides[0].size(), .most = count, .seconds = processes.seconds()});
        }
    });
    std::vector<double> measured = values.sides[0];
    for (std::size_t i = 0; i < values.sides[1].size(); ++i) measured[i] = std::exp(values.log_value(i));
    const auto [low, high] = std::ranges::minmax(measured);
    const double middle = median(measured);
    result = with_fresh(context, partial(), values);
    result.estimate = estimate{middle, low, high, 0.0};
    result.evidence.method = "median of fresh processes, and their extremes";
    return judged(std::move(result), {verdict::holds});
}

claim_result judge_fresh(const claim_context& context) {
    claim_result partial = empty_result(context);
    const std::uint64_t seed = seed_of(context);
    if (context.is_relative()) partial.evidence.seed = seed;  // the seed decides which process starts first
    random_order order(seed);
    if (!context.is_bounded()) return measure_fresh(context, std::move(partial), order);
    partial.evidence.approximate = !context.is_relative();
    partial.evidence.method = "values of fresh processes, " + std::string(sequential::method);
    process_source processes(context);
    fresh_values values;
    claim_result result = judge_by_processes(context, std::move(partial), processes, [&] {
        values = take_fresh_values(context, processes, std::move(values), order);
        return values.log_value(values.sides[0].size() - 1);
    });
    return with_fresh(context, std::move(result), values);
}

}  // namespace perfspec::inline v0_2::detail
