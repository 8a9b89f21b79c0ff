// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/pairs-inl.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Values that are known before the program runs, such as the time of compiling: one number each, compared as it is. No
// body runs.

namespace perfspec::detail {

double declared_value(const subject& x) {
    const subject_state& state = x.state();
    return state.ask_declared != nullptr ? state.ask_declared(x.storage()) : state.compile_ns;
}

/// Precondition: the subjects have values, as reason_of_subjects says.
inline claim_result judge_declared(const claim_context& context) {
    if (context.is_against_query())
        static_cast<void>(ratio_of(context));  // throws for two queries that cannot be compared
    claim_result result = empty_result(context);
    const double value = declared_value(context.query.subjects[0]);
    double bound = 0.0;
    result.subjects = {summary_of(context.names[0], {value}, 1, context.query.unit)};
    if (context.is_against_query()) {
        const double other = declared_value(context.other().subjects[0]);
        result.subjects.push_back(summary_of(context.names[1], {other}, 1, context.query.unit));
        result.bound_text = counted_bound_text(context, other);
        bound = context.against().factor * other;
    } else {
        bound = context.value();
    }
    result.evidence.rounds = 1;
    result.evidence.method = declared_method;
    return compare_exactly(context, std::move(result), value, bound);
}

const procedure known_values{
    declared_method,
    [](const claim_context& context) { return is_judged_by_itself(context) && is_declared(context.query.metric); },
    judge_declared};

// Claims on values that two bodies report: pairs of values in random order go into the sequential test
// (stats/README.md, "Pairs of values").

reported_pair take_reported_pair(const time_ratio& r, sample_kind what, random_order& order) {
    reported_pair pair{};
    const bool other_first = order.next();
    if (other_first) pair.other = take_reported(r.denominator, what, r.denominator_kernels);
    pair.own = take_reported(r.numerator, what, r.numerator_kernels);
    if (!other_first) pair.other = take_reported(r.denominator, what, r.denominator_kernels);
    return pair;
}

claim_result with_reported_pairs(const claim_context& context, claim_result result, const time_ratio& r,
                                 const std::vector<reported_pair>& pairs) {
    std::vector<double> logs;
    std::vector<double> values[2];
    for (const reported_pair& p : pairs) {
        logs.push_back(p.log_ratio() + r.log_factor);
        values[0].push_back(p.own);
        values[1].push_back(p.other);
    }
    const dimension unit = unit_of_samples(context);
    result.estimate = estimate_of_logs(logs);
    result.subjects = {summary_of(r.numerator_name, std::move(values[0]), 1, unit),
                       summary_of(r.denominator_name, std::move(values[1]), 1, unit)};
    result.evidence.rounds = pairs.size();
    return result;
}

/// Whether all pairs have the same values.
inline bool agree(const std::vector<reported_pair>& pairs) {
    return std::ranges::all_of(
        pairs, [&](const reported_pair& p) { return p.own == pairs.front().own && p.other == pairs.front().other; });
}

/// Throws measurement_failure where one side is 0 in some pairs: a ratio to 0 does not exist, and 0 has no logarithm.
inline void require_ratios(const claim_context& context, const std::vector<reported_pair>& pairs) {
    const auto zero = [](const reported_pair& p) { return p.own == 0.0 || p.other == 0.0; };
    const auto found = std::ranges::find_if(pairs, zero);
    if (found == pairs.end()) return;
    throw measurement_failure(failure_kind::no_value,
                              "\"" + context.names[found->own == 0.0 ? 0 : 1] +
                                  "\" returned 0 in some calls, and 0 has no ratio: bound each metric by a number");
}

/// Compares values without noise: one side with the other times the claim's factor, or their ratio with the bound.
inline claim_result compare_agreed_pair(const claim_context& context, claim_result result,
                                        const reported_pair& values) {
    if (context.query.is_ratio())
        return compare_agreed(context, std::move(result), values.own / values.other, context.ratio_bound());
    result.bound_text = counted_bound_text(context, values.other);
    return compare_agreed(context, std::move(result), values.own, context.ratio_bound() * values.other);
}

/// Pairs of values that bodies reported.
struct taken_values {
    std::vector<reported_pair> pairs{};
    bool agree{};  ///< all of them, where values may have no noise
    double pair_seconds{};
    double seconds{};
    double budget_seconds{};
};

/// Takes pairs until the test decides or the time is over. Stops also where the values of the user's own metric
/// have agreed up to the first look.
inline taken_values take_reported_pairs(const claim_context& context, const time_ratio& r, random_order order,
                                        sequential& test, std::size_t minimum) {
    measuring_settings settings = settings_of(context, r.metric);
    settings.min_rounds = static_cast<std::uint32_t>(minimum);
    const pair_calibration c = calibrate_pair(r.numerator, r.denominator, settings, clocks_for(context, r.metric));
    clock& wall = context.run.system().wall;
    const double log_bound = std::log(context.ratio_bound()) - r.log_factor;
    std::vector<reported_pair> pairs;
    drive(test, [&](std::size_t taken) -> std::optional<double> {
        if (taken >= minimum && c.time.spent(wall.now())) return {};
        if (may_agree(context) && taken >= test.progress().settings.first_look && agree(pairs)) return {};
        pairs.push_back(take_reported_pair(r, settings_of(context, r.metric).samples, order));
        return context.sign() * (pairs.back().log_ratio() - log_bound);
    });
    const bool all_agree = may_agree(context) && agree(pairs);
    if (!all_agree) require_ratios(context, pairs);
    return {.pairs = std::move(pairs),
            .agree = all_agree,
            .pair_seconds = c.pair_ns * 1e-9,
            .seconds = static_cast<double>(wall.now() - c.time.started_ns) * 1e-9,
            .budget_seconds = static_cast<double>(c.time.budget_ns) * 1e-9};
}

claim_result judge_value_pairs(const claim_context& context) {
    claim_result result = empty_result(context);
    const time_ratio r = ratio_of(context);
    result.bound = context.ratio_bound();
    const auto [limits, minimum] = limits_of_rounds(context, sequential_settings::for_pairs().max_size, "pairs");
    sequential test(limits);
    result.evidence.method = "pairs of values in random order, " + std::string(sequential::method);
    result.evidence.seed = seed_of(context);
    auto [taken, seen] = measure(context, result, [&, at_least = minimum] {
        return take_reported_pairs(context, r, random_order(result.evidence.seed), test, at_least);
    });
    result = with_reported_pairs(context, std::move(result), r, taken.pairs);
    result.evidence.seconds = taken.seconds;
    result.evidence.budget_seconds = taken.budget_seconds;
    result = observed(std::move(result), std::move(seen));
    if (taken.agree) return compare_agreed_pair(context, std::move(result), taken.pairs.front());
    return conclude(context, std::move(result), test.progress(),
                    {"pairs", taken.pair_seconds, limits.max_size, sensible_pairs});
}

const procedure pairs_of_values{"pairs of values in random order",
                                [](const claim_context& context) {
                                    return is_judged_by_itself(context) && context.is_relative() &&
                                           reports_own_value(context.query.metric);
                                },
                                judge_value_pairs};

}  // namespace perfspec::detail
