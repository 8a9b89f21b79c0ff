// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts: runs that agree are compared exactly, without statistics. Others go through the tests for times, by their
// logarithms (stats/README.md, "Counts").

#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/module_counter.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/blocks-inl.hpp>
#include <perfspec/judge/procedures/pairs-inl.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/describe.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

std::vector<double> counted_runs::per_iteration() const {
    std::vector<double> values;
    for (const std::uint64_t n : counts) values.push_back(static_cast<double>(n) / static_cast<double>(iterations));
    return values;
}

std::optional<double> counted_runs::settled() const {
    const auto count = repeated_count(counts);
    if (!count) return {};
    return static_cast<double>(*count) / static_cast<double>(iterations);
}

namespace detail {

counting_scope::counting_scope(const claim_context& context) {
    if (const module_counter* const by = module_counter_of(context)) fault_of_module_ = by->fault();
    else if (is_counted(context.query.metric)) counting_.emplace(counter_for(context, context.query.metric));
}

/// Refuses a count of 0 kernels on a device: the profiler probably sees nothing, and no count is better than a wrong
/// one.
inline void require_seen_kernels(const subject& x, metric_kind m, const counted_runs& runs) {
    const bool nothing_seen = std::ranges::all_of(runs.counts, [](std::uint64_t n) { return n == 0; });
    if (traits_of(m).needs != supply::kernels || x.state().kernels != kernel_view::device || !nothing_seen) return;
    throw measurement_failure(failure_kind::not_countable, no_kernels_seen);
}

inline std::uint64_t count_once(const claim_context& context, const subject& x, std::uint64_t iterations) {
    counter& counting = counter_for(context, context.query.metric);
    return static_cast<std::uint64_t>(take_sample(x, iterations, warm_call::no, counting).elapsed_ns);
}

/// Whether to go on with runs that have agreed so far. An event in one of a hundred runs shows only in hundreds of
/// runs; short bodies have time for them. fastest_ns  of the runs so far. On a busy machine one run may take as long as
/// a thousand others, and would end the look at these.
inline bool may_still_differ(const counted_runs& runs, double fastest_ns, double elapsed_ns) {
    constexpr std::size_t enough = 1000;
    constexpr double long_enough_ns = 1e6;
    constexpr double at_most_ns = 100e6;
    return runs.counts.size() < enough && static_cast<double>(runs.counts.size()) * fastest_ns < long_enough_ns &&
           elapsed_ns < at_most_ns;
}

/// Counts runs of x, after an uncounted run that pays for one-time work.
inline counted_runs count_now(const claim_context& context, const subject& x) {
    const clocks time = clocks_for(context, context.query.metric);
    counted_runs runs;
    runs.iterations = is_counted_by_hardware(context.query.metric)
                          ? calibrate_samples(x, settings_of(context, context.query.metric), time).x.iterations
                      : takes_single_iterations(context.query.metric)
                          ? 1
                          : std::max<std::uint64_t>(context.plan.iterations.value_or(1), 1);
    run_untimed(x, 1);
    const bool by_processor = is_counted_by_hardware(context.query.metric);
    const std::int64_t started = time.wall.now();
    std::int64_t begun = started;
    double fastest_ns = std::numeric_limits<double>::infinity();
    while (runs.counts.size() < runs_of_a_count ||
           (!by_processor && may_still_differ(runs, fastest_ns, static_cast<double>(begun - started)))) {
        runs.counts.push_back(count_once(context, x, runs.iterations));
        const std::int64_t ended = time.wall.now();
        fastest_ns = std::min(fastest_ns, static_cast<double>(ended - std::exchange(begun, ended)));
    }
    require_seen_kernels(x, context.query.metric, runs);
    return runs;
}

counted_runs count_runs(const claim_context& context, claim_result& result, const subject& x) {
    counted_runs runs = count_now(context, x);
    std::string caveat = counter_for(context, context.query.metric).caveat();
    if (!caveat.empty()) add_note(context, result, "count of " + context.key, std::move(caveat));
    return runs;
}

sample_summary summary_of_runs(const claim_context& context, const std::string& name, const counted_runs& runs) {
    return summary_of(name, runs.per_iteration(), runs.iterations, context.query.unit);
}

std::string counted_bound_text(const claim_context& context, double other) {
    char factor[32];
    const double written = std::get<query_bound>(context.written.value().bound).factor;
    std::snprintf(factor, sizeof factor, "%g x ", written);
    return (written == 1.0 ? std::string{} : factor) + format_value(other, context.query.unit) + " of " +
           describe(context.other(), {context.names.begin() + 1, context.names.end()});
}

std::size_t processes_that_agree(const plan& p) {
    constexpr double minimum = 3.0;
    return static_cast<std::size_t>(std::max(minimum, std::ceil(-std::log2(p.false_pass))));
}

bool do_agree(const std::vector<double>& values) {
    return std::ranges::adjacent_find(values, std::ranges::not_equal_to{}) == values.end();
}

bool is_same_number(double a, double b) {
    constexpr double by_products = 2e-13;  // 1 - 0.99 is off by 1e-13 of its value
    const bool both_are_whole = a == std::trunc(a) && b == std::trunc(b);
    return a == b || (!both_are_whole && std::abs(a - b) <= by_products * std::abs(b));
}

void require_bound_of_counts(const claim_context& context, double bound) {
    if (bound >= 0.0 && std::isfinite(bound)) return;
    throw input_error("a count is compared with a number from 0 up, not with " +
                      format_value(bound, context.query.unit));
}

bool satisfies(comparison compared, double value, double bound) {
    const bool same = is_same_number(value, bound);
    switch (compared) {
    case comparison::less: return !same && value < bound;
    case comparison::less_equal: return same || value < bound;
    case comparison::greater: return !same && value > bound;
    case comparison::greater_equal: return same || value > bound;
    case comparison::equal: break;
    }
    return same;
}

void describe_exact(const claim_context& context, claim_result& result, double value, double bound) {
    result.unit = context.query.unit;
    result.estimate = without_interval(value);
    result.bound = is_same_number(value, bound) ? value : bound;
    result.margin = 0.0;
    result.evidence.exact = true;
}

inline void conclude_exact(const claim_context& context, claim_result& result, verdict v, std::string reason) {
    set_verdict(result, v, std::move(reason));
    if (v == verdict::violated && !context.is_child() && can_be_repeated(context)) confirm_violation(context, result);
}

void compare_agreed(const claim_context& context, claim_result& result, double value, double bound) {
    describe_exact(context, result, value, bound);
    result.evidence.approximate = false;
    result.evidence.method = "exact comparison of values that all agree";
    conclude_exact(context, result, satisfies(context.compared(), value, bound) ? verdict::holds : verdict::violated,
                   {});
}

/// "0, 1, 0", or "from 0 to 1 in 1000 runs".
inline std::string counts_text(const claim_context& context, const counted_runs& runs) {
    constexpr std::size_t max_listed = 8;
    const std::vector<double> values = runs.per_iteration();
    if (values.size() > max_listed) {
        const auto [low, high] = std::ranges::minmax(values);
        return "from " + format_value(low, context.query.unit) + " to " + format_value(high, context.query.unit) +
               " in " + std::to_string(values.size()) + " runs";
    }
    std::string text;
    for (const double v : values) text += (text.empty() ? "" : ", ") + format_value(v, context.query.unit);
    return text;
}

/// Whether runs that differ violate the claim without statistics: they cannot all equal the bound, and they are not
/// always 0.
inline bool is_excluded(const claim_context& context, double bound) {
    return context.compared() == comparison::equal || (bound == 0.0 && context.claims_less());
}

inline void judge_varying(const claim_context& context, claim_result& result, const counted_runs& own, double bound) {
    if (is_excluded(context, bound)) {
        const std::vector<double> values = own.per_iteration();
        describe_exact(context, result, *std::ranges::max_element(values), bound);
        return conclude_exact(context, result, verdict::violated, "the runs differ: " + counts_text(context, own));
    }
    result.evidence.rounds = 0;
    context.is_against_query() ? judge_pairs(context, result) : judge_blocks(context, result);
}

void judge_counts(const claim_context& context, claim_result& result) {
    const bool against_query = context.is_against_query();
    if (against_query) static_cast<void>(ratio_of(context));  // throws for two queries that cannot be compared
    std::optional<counted_runs> other;
    counted_runs own;
    {
        const measuring_scope measuring(context, result);
        const std::int64_t started = context.run.system().wall.now();
        own = count_runs(context, result, context.query.subjects[0]);
        result.subjects = {summary_of_runs(context, context.names[0], own)};
        if (against_query) {
            other = count_runs(context, result, context.other().subjects[0]);
            result.subjects.push_back(summary_of_runs(context, context.names[1], *other));
        }
        result.evidence.seconds = static_cast<double>(context.run.system().wall.now() - started) * 1e-9;
    }
    result.evidence.method = "exact comparison of the counts of all runs";
    result.evidence.rounds = other ? std::min(own.counts.size(), other->counts.size()) : own.counts.size();
    const std::optional<double> right = other ? other->settled() : std::optional<double>(context.value());
    const double bound = against_query ? context.against().factor * right.value_or(1.0) : context.value();
    result.bound = bound;
    require_bound_of_counts(context, bound);
    const std::optional<double> left = own.settled();
    if (!left || !right) return judge_varying(context, result, own, bound);
    describe_exact(context, result, *left, bound);
    if (other) result.bound_text = counted_bound_text(context, *right);
    conclude_exact(context, result, satisfies(context.compared(), *left, bound) ? verdict::holds : verdict::violated,
                   {});
}

const procedure exact_counts{"exact comparison of three runs; statistics where they vary",
                             [](const claim_context& context) {
                                 return is_judged_by_itself(context) && is_counted(context.query.metric) &&
                                        !needs_fresh_process(context.query.metric);
                             },
                             judge_counts};

}  // namespace detail
}  // namespace perfspec
