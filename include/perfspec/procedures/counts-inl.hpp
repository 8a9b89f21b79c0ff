// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts: runs that agree are compared exactly, without statistics. The tests for times judge the logarithms of other
// runs (stats/README.md, "Counts").

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/blocks-inl.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/pairs-inl.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The counts of a few runs of a subject.
struct counted_runs {
    std::vector<std::uint64_t> counts{};
    std::uint64_t iterations{1};  ///< of a run

    [[nodiscard]] std::vector<double> per_iteration() const {
        std::vector<double> values;
        for (const std::uint64_t n : counts) values.push_back(static_cast<double>(n) / static_cast<double>(iterations));
        return values;
    }
    /// The count of one iteration, if all runs counted the same.
    [[nodiscard]] std::optional<double> settled() const {
        const auto count = repeated_count(counts);
        if (!count) return {};
        return static_cast<double>(*count) / static_cast<double>(iterations);
    }
};

inline std::uint64_t count_once(const claim_context& context, const subject& x, std::uint64_t iterations) {
    counter& counting = counter_for(context, context.query.metric);
    return static_cast<std::uint64_t>(take_sample(x, iterations, warm_call::no, counting).elapsed_ns);
}

/// Whether to go on with runs that have agreed so far. An event in one of a hundred runs takes hundreds of runs to
/// appear, for which short bodies have time.
///
/// fastest_ns  of the runs so far; not the total, because on a busy machine one run may take as long as a thousand
///             others
inline bool may_still_differ(const counted_runs& runs, double fastest_ns, double elapsed_ns) {
    constexpr std::size_t enough = 1000;
    constexpr double long_enough_ns = 1e6;
    constexpr double at_most_ns = 100e6;
    return runs.counts.size() < enough && static_cast<double>(runs.counts.size()) * fastest_ns < long_enough_ns &&
           elapsed_ns < at_most_ns;
}

/// Counts runs of x after an uncounted first run, which does one-time work.
inline counted_runs count_runs(const claim_context& context, const subject& x) {
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
    if (const module_metric* const module = module_of(context.query)) module->require_plausible(x, runs.counts);
    return runs;
}

/// Notes the limits of the claim's counter.
inline std::vector<std::string> note_of_counter(const claim_context& context) {
    std::string caveat = counter_for(context, context.query.metric).caveat();
    if (caveat.empty()) return {};
    return note_once(context, "count of " + context.key, std::move(caveat));
}

inline sample_summary summary_of_runs(const claim_context& context, const std::string& name, const counted_runs& runs) {
    return summary_of(name, runs.per_iteration(), runs.iterations, context.query.unit);
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
    return list_of_counts(context, values);
}

/// Judges runs that differ. Without statistics, they violate a claim that all equal the bound or all are 0.
inline claim_result judge_varying(const claim_context& context, claim_result result, const counted_runs& own,
                                  const counted_runs& differing, std::optional<double> right) {
    const double bound = result.bound.value();
    if (context.compared() == comparison::equal || (right == 0.0 && context.claims_less())) {
        result = with_exact_value(context, std::move(result), std::ranges::max(own.per_iteration()), bound);
        return repeated(context, judged(std::move(result),
                                        {verdict::violated, "the runs differ: " + counts_text(context, differing)}));
    }
    result.evidence.rounds = 0;
    return continued(result, [&] { return context.is_against_query() ? judge_pairs(context) : judge_blocks(context); });
}

/// The counts of a claim's subject, and of the subject that it is compared with.
struct counts_of_claim {
    counted_runs own{};
    std::optional<counted_runs> other{};
    std::vector<std::string> notes{};
    double seconds{};
};

inline counts_of_claim count_sides(const claim_context& context) {
    clock& wall = context.run.system().wall;
    const std::int64_t started = wall.now();
    counts_of_claim counted;
    counted.own = count_runs(context, context.query.subjects[0]);
    counted.notes = note_of_counter(context);
    if (context.is_against_query()) {
        counted.other = count_runs(context, context.other().subjects[0]);
        append(counted.notes, note_of_counter(context));
    }
    counted.seconds = static_cast<double>(wall.now() - started) * 1e-9;
    return counted;
}

claim_result judge_counts(const claim_context& context) {
    claim_result result = empty_result(context);
    auto [counted, observation] = measure(context, result, [&] { return count_sides(context); });
    result.subjects = {summary_of_runs(context, context.names[0], counted.own)};
    if (counted.other) result.subjects.push_back(summary_of_runs(context, context.names[1], *counted.other));
    result.evidence.method = "exact comparison of the counts of all runs";
    result.evidence.rounds = counted.own.counts.size();
    if (counted.other) result.evidence.rounds = std::min(result.evidence.rounds, counted.other->counts.size());
    result.evidence.seconds = counted.seconds;
    result.notes = std::move(counted.notes);
    result = observed(std::move(result), std::move(observation));
    const std::optional<double> right = counted.other ? counted.other->settled() : std::optional(context.value());
    const double bound =
        counted.other ? context.against().factor * median(counted.other->per_iteration()) : context.value();
    result.bound = bound;
    with_partial_result(result, [&] { require_bound_of_counts(context, bound); });
    const std::optional<double> left = counted.own.settled();
    if (!left || !right)
        return judge_varying(context, std::move(result), counted.own, left ? *counted.other : counted.own, right);
    if (counted.other) result.bound_text = counted_bound_text(context, *right);
    return repeated(context, compare_exactly(context, std::move(result), *left, bound));
}

/// Measures a count. If runs differ, samples it like a time.
claim_result measure_count(const claim_context& context) {
    const counted_runs runs = count_runs(context, context.query.subjects[0]);
    claim_result result = empty_result(context);
    result.notes = note_of_counter(context);
    const std::optional<double> value = runs.settled();
    if (!value) return continued(result, [&] { return measure_time_value(context); });
    result.estimate = without_interval(*value);
    result.subjects = {summary_of_runs(context, context.names.front(), runs)};
    result.evidence.rounds = runs.counts.size();
    result.evidence.exact = true;
    result.evidence.method = "runs that counted the same";
    return result;
}

}  // namespace perfspec::inline v0_2::detail
