// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Relative claims: pairs of samples in random order, into the sequential test (stats/README.md, "Pairs").

#include <perfspec/quantity/format.hpp>
#include <perfspec/run/conclude.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/least_evidence.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/observe.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/evidence_interval.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace perfspec::detail {

/// A pair's value and its distance to the bound, as logarithms.
struct pair_scale {
    double log_factor;
    double log_bound;
    double sign;

    [[nodiscard]] double value(const timed_pair& p) const { return p.log_ratio() + log_factor; }
    [[nodiscard]] double distance(const timed_pair& p) const { return sign * (value(p) - log_bound); }
};

/// Feeds pairs to a test as long as it is `open`: first those that the series has already, then fresh ones until the time is over, but so many
/// `at_least`.
template <class Add, class Open>
void feed_pairs(evaluation& e, const time_ratio& r, pair_series& series, std::size_t at_least, const Add& add, const Open& open) {
    for (const timed_pair& p : series.pairs) add(p);
    if (!open()) return;
    const clocks time = clocks_for(e, r.measured);
    const std::int64_t started = time.wall.now() - static_cast<std::int64_t>(series.spent_ns);
    // What was taken before belongs to the seed's order; later pairs get an order of their own.
    pair_source source(r.numerator, r.denominator, series.calibration, series.seed + series.pairs.size(), time);
    const auto spent = [&] { return time.wall.now() - started; };
    while (open() && (series.pairs.size() < at_least || spent() <= series.calibration.time.budget_ns)) {
        series.pairs.push_back(source.next());
        add(series.pairs.back());
    }
    series.spent_ns = static_cast<double>(spent());
}

inline std::vector<double> times_of(const std::vector<timed_pair>& pairs, std::size_t count, sample timed_pair::*side) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) times.push_back((pairs[i].*side).per_iteration());
    return times;
}

/// Whether fresh pairs are like those of a series. What they take is a cost of the series; they are no part of it.
inline bool are_pairs_unchanged(evaluation& e, const time_ratio& r, pair_series& series) {
    const clocks time = clocks_for(e, r.measured);
    const std::int64_t started = time.wall.now();
    const std::vector<double> numerator = times_of(series.pairs, series.pairs.size(), &timed_pair::a);
    const std::vector<double> denominator = times_of(series.pairs, series.pairs.size(), &timed_pair::b);
    pair_source source(r.numerator, r.denominator, series.calibration, e.context.around().draw_seed(), time);
    std::vector<timed_pair> fresh;
    while (fresh.size() < fresh_samples_to_share) fresh.push_back(source.next());
    series.spent_ns += static_cast<double>(time.wall.now() - started);
    return are_alike(times_of(fresh, fresh.size(), &timed_pair::a), numerator) &&
           are_alike(times_of(fresh, fresh.size(), &timed_pair::b), denominator);
}

/// The pairs that this claim is judged by: those of an earlier claim, where nothing has changed since, or none yet. `fewest` must fit into the time.
inline pair_series& series_for(evaluation& e, const time_ratio& r, std::size_t fewest) {
    pair_series& series = e.context.samples().pairs[sharing_key(e, {&r.numerator, &r.denominator}, r.measured)];
    if (may_share(e, series.users, [&] { return are_pairs_unchanged(e, r, series); })) {
        use_series(e, series.users);
        return series;
    }
    series = {};
    const clocks time = clocks_for(e, r.measured);
    measuring_settings settings = settings_of(e, r.measured);
    settings.fewest_rounds = static_cast<std::uint32_t>(fewest);
    series.calibration = calibrate_pair(r.numerator, r.denominator, settings, time);
    note_calls(e, r, series.calibration);
    series.seed = e.is_child() ? e.context.child()->seed : e.plan.seed.value_or(e.context.around().draw_seed());
    series.spent_ns = static_cast<double>(series.calibration.time.calibrated_ns);
    use_series(e, series.users);
    announce_cost(e, static_cast<double>(series.calibration.time.budget_ns) * 1e-9);
    return series;
}

/// The samples of the first `count` pairs, and what they cost.
inline void describe_samples(evaluation& e, const time_ratio& r, pair_series& series, std::size_t count) {
    e.out.subjects = {summary_of(r.numerator_name, times_of(series.pairs, count, &timed_pair::a), series.calibration.a.iterations),
                      summary_of(r.denominator_name, times_of(series.pairs, count, &timed_pair::b), series.calibration.b.iterations)};
    for (sample_summary& s : e.out.subjects) s.unit = unit_of_samples(e);
    e.out.evidence.rounds = count;
    describe_cost(e, series);
    e.out.evidence.seed = series.seed;
}

/// The evidence of `count` pairs as the record shows it.
inline void describe_pairs(evaluation& e, const time_ratio& r, double log_factor, pair_series& series, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(series.pairs[i].log_ratio() + log_factor);
    const centre_interval interval = evidence_interval(values);
    e.out.measured =
        estimate{std::exp(interval.centre), std::exp(median(values)), std::exp(interval.low), std::exp(interval.high), interval.level};
    describe_samples(e, r, series, count);
}

void judge_pairs(evaluation& e) {
    const time_ratio r = ratio_of(e);
    const double bound = e.tree().bound == bound_kind::query ? e.tree().factor : e.tree().value;
    e.out.bound = bound;
    if (!is_usable_ratio_bound(e, bound)) return;
    const pair_scale scale{r.log_factor, std::log(bound), sign_of(e.tree().compared)};
    const auto [settings, fewest] = limits_of_rounds(e, sequential_settings::for_pairs().most, "pairs");
    sequential test(settings);
    e.out.evidence.method = "pairs in random order, " + std::string(sequential::method);
    double pair_seconds = 0.0;
    {
        const measuring_scope measuring(e);
        pair_series& series = series_for(e, r, fewest);
        feed_pairs(
            e, r, series, fewest, [&](const timed_pair& p) { test.add(scale.distance(p)); },
            [&] { return test.decided() == decision::none && !test.exhausted(); });
        describe_pairs(e, r, r.log_factor, series, test.size());
        note_pairs(e, r, series);
        pair_seconds = series.calibration.pair_ns * 1e-9;
    }
    conclude(e, test.progress(), {"pairs", pair_seconds, settings.most, sensible_pairs});
}

}  // namespace perfspec::detail
