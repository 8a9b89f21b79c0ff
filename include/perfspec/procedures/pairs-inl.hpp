// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Relative claims: pairs of samples in random order go into the sequential test (stats/README.md, "Pairs").

namespace perfspec::inline v0_2::detail {

/// A pair's distance to the bound, as logarithms.
struct pair_scale {
    double log_factor;
    double log_bound;
    double sign;

    [[nodiscard]] double distance(const reading_pair& p) const { return sign * (p.log_ratio + log_factor - log_bound); }
};

/// The pairs of a series in order: stored ones first, then fresh ones until the time is over, but at least a minimum.
/// The order within each pair is random; fresh ones use a new seed.
class pair_feed {
public:
    pair_feed(const claim_context& context, const time_ratio& r, pair_series& series, std::size_t at_least)
        : ratio_(r), series_(series), at_least_(at_least), wall_(context.run.system().wall),
          samples_(settings_of(context, r.metric).samples), seed_(series.seed + series.pairs.size()), order_(seed_),
          timed_(r.numerator, r.denominator, series.calibration, seed_, clocks_for(context, r.metric)),
          started_ns_(static_cast<double>(wall_.now()) - series.spent_ns) {}

    /// Null after the budget, or after `limit_ns` since the start of the claim.
    [[nodiscard]] const reading_pair* at(std::size_t index) {
        return at(index, static_cast<double>(series_.calibration.time.budget_ns));
    }
    [[nodiscard]] const reading_pair* at(std::size_t index, double limit_ns) {
        while (index >= series_.pairs.size()) {
            if ((index >= at_least_ || series_.excluded > 0) && spent_ns() > limit_ns) return nullptr;
            if (const auto pair = samples_ == sample_kind::values ? reported() : timed())
                series_.pairs.push_back(*pair);
            else ++series_.excluded;
            series_.spent_ns = spent_ns();
        }
        return &series_.pairs[index];
    }

private:
    [[nodiscard]] double spent_ns() const { return static_cast<double>(wall_.now()) - started_ns_; }

    /// None if the pair does not count.
    [[nodiscard]] std::optional<reading_pair> timed() {
        const timed_pair p = timed_.next();
        for (const sample& s : {p.a, p.b})
            series_.disturbed = with_sample(std::move(series_.disturbed), s.per_iteration(), s.working(), s.iterations);
        if (!p.counts()) return {};
        return reading_pair{p.a.working().ns, p.b.working().ns, p.log_ratio()};
    }

    [[nodiscard]] std::optional<reading_pair> reported() {
        reading_pair pair;
        const bool b_first = order_.next();
        if (b_first) pair.b = take_value(ratio_.denominator, ratio_.denominator_values);
        pair.a = take_value(ratio_.numerator, ratio_.numerator_values);
        if (!b_first) pair.b = take_value(ratio_.denominator, ratio_.denominator_values);
        pair.log_ratio = log_of(pair.a) - log_of(pair.b);
        return pair;
    }

    const time_ratio& ratio_;
    pair_series& series_;
    std::size_t at_least_;
    clock& wall_;
    sample_kind samples_;
    std::uint64_t seed_;  ///< of fresh pairs
    random_order order_;  ///< of values that bodies report
    pair_source timed_;
    double started_ns_;
};

/// The pairs of this claim; empty unless one side of its tolerance was judged. `minimum` pairs must fit into the time.
inline pair_series& series_for(const claim_context& context, const time_ratio& r, std::size_t minimum) {
    std::optional<pair_series>& series = context.samples->pairs;
    if (series) return *series;
    measuring_settings settings = settings_of(context, r.metric);
    settings.min_rounds = static_cast<std::uint32_t>(minimum);
    const pair_calibration calibration =
        calibrate_pair(r.numerator, r.denominator, settings, clocks_for(context, r.metric));
    announce_cost(context, static_cast<double>(calibration.time.budget_ns) * 1e-9);
    return series.emplace(pair_series{calibration,
                                      seed_of(context),
                                      {},
                                      resources_now(context),
                                      static_cast<double>(calibration.time.calibrated_ns)});
}

/// The logarithms of the first `count` pairs' values.
inline std::vector<double> logs_of(const pair_series& series, std::size_t count, double log_factor) {
    std::vector<double> logs;
    for (const reading_pair& p : std::span(series.pairs).first(count)) logs.push_back(p.log_ratio + log_factor);
    return logs;
}

/// The result with the center and the samples of the first `count` pairs, and with the cost of all.
inline claim_result with_pairs(const claim_context& context, claim_result result, const time_ratio& r,
                               const pair_series& series, std::size_t count) {
    std::vector<double> a, b;
    for (const reading_pair& p : std::span(series.pairs).first(count)) {
        a.push_back(p.a);
        b.push_back(p.b);
    }
    const dimension unit = unit_of_samples(context);
    if (count > 0) {
        result.subjects = {summary_of(r.numerator_name, std::move(a), series.calibration.a.iterations, unit),
                           summary_of(r.denominator_name, std::move(b), series.calibration.b.iterations, unit)};
        result.estimate = estimate_of_logs(logs_of(series, count, r.log_factor));
        if (parts_of_ratio != nullptr) result.parts = parts_of_ratio(context, r, result);
    }
    result.disturbed = joined(std::move(result.disturbed), series.disturbed);
    result.evidence.rounds = count;
    result.evidence.seed = series.seed;
    result.evidence.starting_seconds = static_cast<double>(series.calibration.time.starting_ns) * 1e-9;
    result.evidence.seconds = result.evidence.starting_seconds + series.spent_ns * 1e-9;
    result.evidence.budget_seconds = static_cast<double>(series.calibration.time.budget_ns) * 1e-9;
    return result;
}

/// The number of pairs for the printed figure: those of the verdict, and more until its interval is narrow, at most a
/// quarter more, or those of 5 ms; of 50 ms while it contains the bound. They do not change the verdict.
inline std::size_t take_pairs_of_figure(const claim_context& context, const time_ratio& r, pair_series& series,
                                        std::size_t judged, const pair_scale& scale) {
    if (context.is_child()) return judged;  // which prints no figure
    pair_feed feed(context, r, series, judged);
    const auto budget_ns = static_cast<double>(series.calibration.time.budget_ns);
    const double started_ns = series.spent_ns;
    for (std::size_t size = judged;;) {
        const center_interval shown = signed_rank_interval(logs_of(series, size, r.log_factor));
        if (is_narrow(shown, scale.log_bound)) return size;
        const double soon_ns = std::min(budget_ns, started_ns + (contains(shown, scale.log_bound) ? 50e6 : 5e6));
        const std::size_t next = size + std::max<std::size_t>(1, size / 4);
        while (size < next && feed.at(size, size < judged + judged / 4 ? budget_ns : soon_ns) != nullptr) ++size;
        if (size < next) return size;
    }
}

/// Whether the loop around two short bodies may cause the violation.
///
/// a, b   nanoseconds of an iteration
/// bound  of a / b; with a positive `sign` the claim is a / b > bound
inline bool may_be_the_loop(double a, double b, double bound, double sign) {
    constexpr double loop_ns = loop_around_body_ns;
    if (std::min(a, b) >= short_body_ns) return false;
    if (sign < 0.0) return std::max(a - loop_ns, 0.0) / (b + loop_ns) <= bound;
    return b <= loop_ns || (a + loop_ns) / (b - loop_ns) >= bound;
}

/// Why a violation by bodies this short does not count; empty if it does.
inline std::string reason_of_short_bodies(const claim_result& result, const time_ratio& r, const pair_scale& scale) {
    const double a = result.subjects.at(0).median, b = result.subjects.at(1).median;
    if (traits_of(r.metric).from != reading::wall_clock ||
        !may_be_the_loop(a, b, std::exp(scale.log_bound - scale.log_factor), scale.sign))
        return {};
    return fmt::format(
        "an iteration takes {} and {}, of which the loop around the body takes up to 3 ns, so this bound is too close "
        "for bodies this short: do the work several times in an iteration",
        format_seconds(a), format_seconds(b));
}

/// Whether a claim goes on after its budget, towards the cap: its estimate is beyond the bound and the margin.
inline bool deserves_more_pairs(const claim_context& context, const time_ratio& r, const pair_series& series,
                                const pair_scale& scale, const test_progress& test) {
    if (context.plan.has_hard_budget() || test.size == 0) return false;
    const double center = signed_rank_interval(logs_of(series, test.size, r.log_factor)).center;
    return scale.sign * (center - scale.log_bound) < -std::log1p(context.plan.margin);
}

/// Whether bodies reported the same values in all of these pairs.
inline bool agree(const claim_context& context, std::span<const reading_pair> pairs) {
    const auto is_first = [&](const reading_pair& p) { return p.a == pairs.front().a && p.b == pairs.front().b; };
    return traits_of(context.query.metric).from == reading::body && std::ranges::all_of(pairs, is_first);
}

/// Feeds the test with the distances of pairs, within the budget. Goes on while the claim is suspect, which it checks
/// each time the pairs have grown by an eighth. Stops at the first look if all values agree.
inline void feed_pairs(const claim_context& context, const time_ratio& r, pair_series& series, std::size_t at_least,
                       const pair_scale& scale, sequential& test) {
    pair_feed feed(context, r, series, at_least);
    bool suspect = false;
    std::size_t next_look = 0;
    drive(test, [&](std::size_t size) -> std::optional<double> {
        if (size >= test.progress().settings.first_look && agree(context, std::span(series.pairs).first(size)))
            return {};
        const reading_pair* pair = feed.at(size);
        if (pair == nullptr && size >= next_look) {
            suspect = deserves_more_pairs(context, r, series, scale, test.progress());
            next_look = size + std::max<std::size_t>(size / 8, 1);
            if (suspect) announce_cost(context, static_cast<double>(context.plan.cap.count()) * 1e-9);
        }
        if (pair == nullptr && suspect) pair = feed.at(size, static_cast<double>(context.plan.cap.count()));
        return pair != nullptr ? std::optional(scale.distance(*pair)) : std::nullopt;
    });
}

struct pair_evidence {
    const pair_series& series;
    std::size_t printed_pairs{};  ///< number of pairs for the printed figure
    bool agree{};                 ///< all pairs have the same values
    std::vector<std::string> notes{};
};

/// Throws measurement_failure if a body reported 0 in some pairs: 0 has no ratio and no logarithm.
inline void require_ratios(const claim_context& context, const std::vector<reading_pair>& pairs) {
    const auto found = std::ranges::find_if(pairs, [](const reading_pair& p) { return p.a == 0.0 || p.b == 0.0; });
    if (!reports_own_value(context.query.metric) || found == pairs.end()) return;
    throw measurement_failure(failure_kind::no_value,
                              "\"" + context.names[found->a == 0.0 ? 0 : 1] +
                                  "\" returned 0 in some calls, so there is no ratio: bound each metric by a number");
}

/// Takes pairs until the test decides, and then those that the printed figure needs.
inline pair_evidence take_pairs(const claim_context& context, const time_ratio& r, const pair_scale& scale,
                                std::size_t minimum, sequential& test) {
    pair_series& series = series_for(context, r, minimum);
    feed_pairs(context, r, series, minimum, scale, test);
    const std::size_t printed_pairs =
        test.decided() == decision::none ? test.size() : take_pairs_of_figure(context, r, series, test.size(), scale);
    const bool all_agree = agree(context, series.pairs);
    if (!all_agree) require_ratios(context, series.pairs);
    return {series, printed_pairs, all_agree, notes_of_pairs(context, r, series)};
}

/// Compares values without noise: one with the other times the claim's factor, or their ratio with the bound.
inline claim_result compare_agreed_pair(const claim_context& context, claim_result result, const reading_pair& values) {
    if (context.query.is_ratio())
        return compare_agreed(context, std::move(result), values.a / values.b, context.ratio_bound());
    result.bound_text = counted_bound_text(context, values.b);
    return compare_agreed(context, std::move(result), values.a, context.ratio_bound() * values.b);
}

/// Why a violation does not count; empty if it does. What shares the machine slows down alike bodies alike.
inline std::string reason_of_pairs(const claim_context& context, const claim_result& result, const time_ratio& r,
                                   const pair_scale& scale, const pair_calibration& c) {
    if (result.subjects.empty()) return {};
    if (std::string reason = reason_of_short_bodies(result, r, scale); !reason.empty()) return reason;
    if (!is_clocked(r.metric) || are_within(4.0, c.a, c.b)) return {};
    return reason_of_sharing(-log_inside(context, result.estimate->value, *result.bound), result.disturbed);
}

/// The result with its verdict, by the evidence of this process.
inline claim_result conclude_pairs(const claim_context& context, claim_result result, const time_ratio& r,
                                   const pair_scale& scale, const pair_series& series, const test_progress& test) {
    if (test.decided == decision::holds && looks_violated(context, result, context.margin()))
        return undecided_because(
            std::move(result), test,
            "its first pairs show that it holds, but the interval of all pairs is beyond the bound, "
            "because the machine changed meanwhile: repeat it");
    std::string excuse = reason_of_pairs(context, result, r, scale, series.calibration);
    result = conclude(context, std::move(result), test,
                      {"pairs", series.calibration.pair_ns * 1e-9, test.settings.max_size, sensible_pairs},
                      std::move(excuse));
    return with_reason_of_interruptions(std::move(result), "pairs", test.size, series.excluded);
}

claim_result judge_pairs(const claim_context& context) {
    claim_result result = empty_result(context);
    const time_ratio r = ratio_of(context);
    result.bound = context.ratio_bound();
    const pair_scale scale{r.log_factor, std::log(*result.bound), context.sign()};
    const auto [settings, minimum] = limits_of_rounds(context, sequential_settings::for_pairs().max_size, "pairs");
    sequential test(settings);
    result.evidence.method = "pairs in random order, " + std::string(sequential::method);
    auto [evidence, observation] =
        measure(context, result, [&, at_least = minimum] { return take_pairs(context, r, scale, at_least, test); });
    result = with_pairs(context, std::move(result), r, evidence.series, evidence.printed_pairs);
    result.evidence.rounds = test.size();
    result.notes = std::move(evidence.notes);
    result = observed(std::move(result), std::move(observation));
    if (evidence.agree) return compare_agreed_pair(context, std::move(result), evidence.series.pairs.front());
    result = conclude_pairs(context, std::move(result), r, scale, evidence.series, test.progress());
    const bool is_refuted = result.verdict == verdict::undecided && result.evidence.confirming_rounds > 0;
    if (is_clocked(r.metric) && result.estimate && !is_refuted)
        result.estimate = estimate_across_processes(logs_of(evidence.series, evidence.printed_pairs, r.log_factor),
                                                    allowed_by(context, *result.bound));
    return result;
}

/// The value of one process: the center of thirty pairs, or of as many as the budget holds.
claim_result measure_ratio(const claim_context& context) {
    const time_ratio r = ratio_of(context);
    pair_series& series = series_for(context, r, 0);
    pair_feed feed(context, r, series, min_pairs);
    while (series.pairs.size() < target_pairs && feed.at(series.pairs.size()) != nullptr) {}
    if (series.pairs.size() < min_pairs && series.excluded > series.pairs.size())
        throw measurement_failure(
            failure_kind::unavailable,
            "other work interrupted a sample in most pairs: run it when the machine has less to do");
    claim_result result = with_pairs(context, empty_result(context), r, series, series.pairs.size());
    result.evidence.method = "Hodges-Lehmann center of pairs in random order";
    result.notes = notes_of_calls(context, r, series.calibration);
    std::vector<double> ratios = logs_of(series, series.pairs.size(), r.log_factor);
    for (double& ratio : ratios) ratio = std::exp(ratio);
    result.subjects.push_back(
        summary_of(context.text, std::move(ratios), series.calibration.a.iterations, dimension::ratio));
    return result;
}

}  // namespace perfspec::inline v0_2::detail
