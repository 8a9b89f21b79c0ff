// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts: runs that agree are compared exactly, without statistics; others go through the tests of times, by their logarithms (stats/README.md, "Counts").

#include <perfspec/language/describe.hpp>
#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/counting.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/stats/counts.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
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
    const auto count = settled_count(counts);
    if (!count) return {};
    return static_cast<double>(*count) / static_cast<double>(iterations);
}

namespace detail {

counting_scope::counting_scope(const evaluation& e) {
    if (is_counted(e.query().measured)) counting_.emplace(counter_for(e, e.query().measured));
}

/// A device on which nothing seems to run is one into which nobody sees: no count is better than a wrong one.
inline void require_seen_kernels(const subject& x, metric_kind m, const counted_runs& runs) {
    const bool nothing_seen = std::ranges::all_of(runs.counts, [](std::uint64_t n) { return n == 0; });
    if (m != metric_kind::kernel_count || x.state().kernels != kernel_view::device || !nothing_seen) return;
    throw measurement_failure(failure_kind::not_countable, no_kernels_seen);
}

inline std::uint64_t count_once(const evaluation& e, const subject& x, std::uint64_t iterations) {
    counter& counting = counter_for(e, e.query().measured);
    return static_cast<std::uint64_t>(take_sample(x, iterations, warm_call::no, counting).elapsed_ns);
}

/// Whether runs go on that have agreed so far: what happens in one of a hundred shows only in hundreds, which short bodies have time for.
inline bool may_still_differ(const counted_runs& runs, double elapsed_ns) {
    constexpr std::size_t enough = 1000;
    constexpr double long_enough_ns = 1e6;
    return runs.counts.size() < enough && elapsed_ns < long_enough_ns;
}

/// Runs of x after one that nobody counts, which pays for what is made once.
inline counted_runs count_now(const evaluation& e, const subject& x) {
    const clocks time = clocks_for(e, e.query().measured);
    counted_runs runs;
    runs.iterations = is_counted_by_hardware(e.query().measured)
                          ? calibrate_samples(x, settings_of(e, e.query().measured), time).x.iterations
                          : std::max<std::uint64_t>(e.plan.iterations.value_or(1), 1);
    run_untimed(x, 1);
    const std::int64_t started = time.wall.now();
    const auto elapsed_ns = [&] { return static_cast<double>(time.wall.now() - started); };
    const bool by_processor = is_counted_by_hardware(e.query().measured);
    while (runs.counts.size() < runs_of_a_count || (!by_processor && may_still_differ(runs, elapsed_ns())))
        runs.counts.push_back(count_once(e, x, runs.iterations));
    require_seen_kernels(x, e.query().measured, runs);
    return runs;
}

/// Whether fresh runs count what those before counted, or something between.
inline bool are_counts_unchanged(const evaluation& e, const subject& x, const counted_runs& runs) {
    const auto [least, most] = std::ranges::minmax(runs.counts);
    for (std::size_t i = 0; i < fresh_samples_to_share; ++i) {
        const std::uint64_t fresh = count_once(e, x, runs.iterations);
        if (fresh < least || fresh > most) return false;
    }
    return true;
}

counted_runs count_runs(evaluation& e, const subject& x) {
    counted_runs& runs = e.context.samples().counts[sharing_key(e, {&x}, e.query().measured)];
    if (!may_share(e, runs.users, [&] { return are_counts_unchanged(e, x, runs); })) runs = count_now(e, x);
    use_series(e, runs.users);
    return runs;
}

sample_summary summary_of_runs(const evaluation& e, const std::string& name, const counted_runs& runs) {
    sample_summary shown = summary_of(name, runs.per_iteration(), runs.iterations);
    shown.unit = e.query().unit;
    return shown;
}

std::string counted_bound_text(const evaluation& e, double other) {
    char factor[32];
    const double written = e.asked.tree.factor;
    std::snprintf(factor, sizeof factor, "%g x ", written);
    return (written == 1.0 ? std::string{} : factor) + format_value(other, e.query().unit) + " of " +
           describe(e.tree().other, {e.names.begin() + 1, e.names.end()});
}

bool satisfies(const evaluation& e, double value, double bound) {
    switch (e.tree().compared) {
    case comparison::less: return value < bound;
    case comparison::less_equal: return value <= bound;
    case comparison::greater: return value > bound;
    case comparison::greater_equal: return value >= bound;
    case comparison::equal: break;
    }
    return value == bound;
}

void describe_exact(evaluation& e, double value, double bound) {
    e.out.unit = e.query().unit;
    e.out.measured = estimate{value, value, value, value, 0.0};
    e.out.bound = bound;
    e.out.margin = 0.0;
    e.out.evidence.exact = true;
}

inline void conclude_exact(evaluation& e, verdict v, std::string reason) {
    set_verdict(e, v, std::move(reason));
    if (v == verdict::violated && !e.is_child() && can_be_repeated(e)) confirm_violation(e);
}

void compare_agreed(evaluation& e, double value, double bound) {
    describe_exact(e, value, bound);
    e.out.evidence.approximate = false;
    e.out.evidence.method = "exact comparison of values that all agree";
    conclude_exact(e, satisfies(e, value, bound) ? verdict::holds : verdict::violated, {});
}

/// "0, 1, 0", or "from 0 to 1 in 1000 runs".
inline std::string counts_text(const evaluation& e, const counted_runs& runs) {
    constexpr std::size_t most_listed = 8;
    const std::vector<double> values = runs.per_iteration();
    if (values.size() > most_listed) {
        const auto [low, high] = std::ranges::minmax(values);
        return "from " + format_value(low, e.query().unit) + " to " + format_value(high, e.query().unit) + " in " +
               std::to_string(values.size()) + " runs";
    }
    std::string text;
    for (const double v : values) text += (text.empty() ? "" : ", ") + format_value(v, e.query().unit);
    return text;
}

/// What varies does not equal anything, and is not always 0: no statistics are needed.
inline bool is_excluded(const evaluation& e, double bound) {
    return e.tree().compared == comparison::equal || (bound == 0.0 && sign_of(e.tree().compared) < 0.0);
}

inline void judge_varying(evaluation& e, const counted_runs& own, double bound) {
    if (is_excluded(e, bound)) {
        const std::vector<double> values = own.per_iteration();
        describe_exact(e, *std::ranges::max_element(values), bound);
        return conclude_exact(e, verdict::violated, "the runs differ: " + counts_text(e, own));
    }
    e.out.evidence.rounds = 0;
    e.tree().bound == bound_kind::query ? judge_pairs(e) : judge_blocks(e);
}

void judge_counts(evaluation& e) {
    const bool against_query = e.tree().bound == bound_kind::query;
    if (against_query) static_cast<void>(ratio_of(e));  // throws for two that cannot be compared
    std::optional<counted_runs> other;
    counted_runs own;
    {
        const measuring_scope measuring(e);
        const std::int64_t started = e.context.around().wall.now();
        own = count_runs(e, e.query().subjects[0]);
        e.out.subjects = {summary_of_runs(e, e.names[0], own)};
        if (against_query) {
            other = count_runs(e, e.tree().other.subjects[0]);
            e.out.subjects.push_back(summary_of_runs(e, e.names[1], *other));
        }
        e.out.evidence.seconds = static_cast<double>(e.context.around().wall.now() - started) * 1e-9;
    }
    e.out.evidence.method = "exact comparison of what runs counted";
    e.out.evidence.rounds = other ? std::min(own.counts.size(), other->counts.size()) : own.counts.size();
    const std::optional<double> right = other ? other->settled() : std::optional<double>(e.tree().value);
    const double bound = against_query ? e.tree().factor * right.value_or(1.0) : e.tree().value;
    e.out.bound = bound;
    if (!(bound >= 0.0) || !std::isfinite(bound))
        return set_verdict(e, verdict::invalid,
                           "a count is compared with a number from 0 up, not with " + format_value(bound, e.query().unit));
    const std::optional<double> left = own.settled();
    if (!left || !right) return judge_varying(e, own, bound);
    describe_exact(e, *left, bound);
    if (other) e.out.bound_text = counted_bound_text(e, *right);
    conclude_exact(e, satisfies(e, *left, bound) ? verdict::holds : verdict::violated, {});
}

}  // namespace detail
}  // namespace perfspec
