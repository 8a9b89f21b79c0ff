# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in statistics."""
from .mutant import Mutant

MUTANTS = [
    # the evidence
    Mutant("ranks_without_ties", "stats/sequential-inl.hpp", "equal differences do not share their mid-rank",
           "(below + 0.5 * equal + 0.5)", "(below + 0.0 * equal + 0.5)"),
    Mutant("zero_not_ranked", "stats/sequential-inl.hpp", "a difference of zero is missing from the ranks of later ones",
           "    const double rank = insert_and_rank(std::abs(difference));\n    if (difference == 0) return;",
           "    if (difference == 0) return;\n    const double rank = insert_and_rank(std::abs(difference));"),
    Mutant("sign_of_evidence_flipped", "stats/sequential-inl.hpp", "differences inside the bound speak against the claim",
           "auto& winners = difference > 0 ? log_wealth_for_ : log_wealth_against_;\n"
           "    auto& losers = difference > 0 ? log_wealth_against_ : log_wealth_for_;",
           "auto& winners = difference > 0 ? log_wealth_against_ : log_wealth_for_;\n"
           "    auto& losers = difference > 0 ? log_wealth_for_ : log_wealth_against_;"),
    Mutant("losers_lose_nothing", "stats/sequential-inl.hpp", "the game is not fair: only winnings are counted",
           "losers[gambler] += std::log1p(-stake);", "losers[gambler] -= 0 * stake;"),
    # the sequential test
    Mutant("threshold_of_two_stages_not_halved", "stats/sequential-inl.hpp", "each of two stages carries the whole rate, not its square root",
           "stages::two ? 2 : 1", "stages::two ? 1 : 1"),
    Mutant("margin_on_the_wrong_side", "stats/sequential-inl.hpp", "the margin is required beyond the bound instead of granted",
           "distance_inside_the_bound + log_margin_", "distance_inside_the_bound - log_margin_"),
    Mutant("margin_is_no_logarithm", "stats/sequential-inl.hpp", "the margin is added to logarithms as it is",
           "log_margin_(std::log1p(settings.margin))", "log_margin_(settings.margin)"),
    Mutant("first_look_ignored", "stats/sequential-inl.hpp", "decides before the first look",
           "test.size < test.settings.first_look", "test.size < 1"),
    Mutant("holds_looked_at_first", "stats/sequential-inl.hpp", "holds wins where both thresholds are crossed",
           "    if (test.log_e_violated >= test.log_threshold_violated) return decision::violated;\n"
           "    if (test.log_e_holds >= test.log_threshold_holds) return decision::holds;",
           "    if (test.log_e_holds >= test.log_threshold_holds) return decision::holds;\n"
           "    if (test.log_e_violated >= test.log_threshold_violated) return decision::violated;"),
    Mutant("streak_survives", "stats/sequential-inl.hpp", "a process inside the bound does not end the streak",
           "    if (distance_inside_the_bound > 0) streak_ended_ = true;", ""),
    Mutant("max_ignored", "stats/sequential-inl.hpp", "a test goes on after its most differences",
           "return decided == decision::none && size < settings.max_size;", "return decided == decision::none;"),
    # estimates
    Mutant("interval_one_average_short", "stats/summary-inl.hpp", "the interval leaves one average too many out at its low end",
           "select_sum(k, halves)", "select_sum(k + 1, halves)"),
    Mutant("interval_level_of_one_end", "stats/summary-inl.hpp", "each end of the interval misses as often as both may",
           "0.025 * std::exp2(size)", "0.05 * std::exp2(size)"),
    Mutant("interval_narrow_beyond_fifty", "stats/summary-inl.hpp", "intervals of more than fifty values are too narrow",
           "mean - normal_quantile * deviation", "mean - 1.5 * deviation"),
    Mutant("center_without_self_pairs", "stats/summary-inl.hpp", "the averages of a value with itself are not counted",
           'require_sample("hodges_lehmann", values);\n    const std::vector<double> halves = detail::sorted_halves(values);\n'
           "    const std::size_t averages = halves.size() * (halves.size() + 1) / 2",
           'require_sample("hodges_lehmann", values);\n    const std::vector<double> halves = detail::sorted_halves(values);\n'
           "    const std::size_t averages = halves.size() * (halves.size() - 1) / 2"),
    Mutant("center_one_rank_low", "stats/summary-inl.hpp", "the center is the average below the middle one",
           "detail::select_sum(averages / 2 + 1, halves)", "detail::select_sum(averages / 2, halves)"),
    Mutant("quantile_not_interpolated", "stats/summary-inl.hpp", "quantiles are the order statistic below",
           "return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));", "return sorted[below];"),
    Mutant("spread_not_scaled", "stats/summary-inl.hpp", "the median deviation is taken for a standard deviation",
           "d = mad_to_standard_deviation * std::abs(d - center)", "d = std::abs(d - center)"),
    Mutant("repeats_on_the_same_stretch", "stats/sequential-inl.hpp", "the second stage sees what the first one saw",
           "start + log_ratios.size() / 2", "start"),
    # percentiles
    Mutant("percentile_one_rank_high", "stats/percentile-inl.hpp", "the order statistic above the percentile",
           "static_cast<std::ptrdiff_t>(order) - 1;", "static_cast<std::ptrdiff_t>(order);"),
    Mutant("limit_includes_the_future", "stats/percentile-inl.hpp", "the limit that a pair is bet against knows that pair",
           """    if (size() >= settling_pairs) bet(pair.old_time, scaled_time);
    pool_.push_back(pair.old_time);
    pool_.push_back(scaled_time);
    if (size() < next_limit_at_) return;
    limit_ = percentile_of(pool_, level_);
    next_limit_at_ *= 2;
""",
           """    pool_.push_back(pair.old_time);
    pool_.push_back(scaled_time);
    if (size() >= next_limit_at_) {
        limit_ = percentile_of(pool_, level_);
        next_limit_at_ *= 2;
    }
    if (size() > settling_pairs) bet(pair.old_time, scaled_time);
"""),
    Mutant("limit_never_renewed", "stats/percentile-inl.hpp", "the limit of the first pairs is kept for ever",
           "next_limit_at_ *= 2;", "next_limit_at_ = std::size_t(-1);"),
    Mutant("percentile_ratio_upside_down", "stats/percentile-inl.hpp", "fresh times are multiplied by the ratio of the claim",
           "fresh_time / ratio_", "fresh_time * ratio_"),
    Mutant("percentile_margin_on_the_wrong_side", "stats/percentile-inl.hpp", "the margin makes a claim on percentiles stricter",
           "ratio * (1 + settings.margin)", "ratio / (1 + settings.margin)"),
    # stored processes
    Mutant("rank_test_direction", "stats/rank_test-inl.hpp", "claims of less are judged as claims of more",
           "if (claimed_ == direction::less) {", "if (claimed_ != direction::less) {"),
    Mutant("rank_test_without_ties", "stats/rank_test-inl.hpp", "a process equal to a stored one counts as below it",
           "static_cast<double>(first_greater - sorted.begin())) /\n           2;", "static_cast<double>(first_equal - sorted.begin())) / 2;"),
    Mutant("rank_test_margin_on_the_wrong_side", "stats/rank_test-inl.hpp", "the margin makes a claim on a baseline stricter",
           "process / (1 + margin_)", "process * (1 + margin_)"),
    Mutant("rank_test_limit_exclusive", "stats/rank_test-inl.hpp", "the last sum of ranks that is violated is not",
           "return sum <= static_cast<double>(limit);", "return sum < static_cast<double>(limit);"),
    Mutant("rank_test_spends_twice", "stats/rank_test-inl.hpp", "each look of the rank test may spend what earlier ones spent",
           "at.violated * rates.violated - spent.violated", "at.violated * rates.violated"),
    Mutant("drift_allows_nothing", "stats/rank_test-inl.hpp", "what a drift could explain is violated",
           "b * (1 + allowance)", "b"),
    Mutant("sessions_do_not_count", "stats/rank_test-inl.hpp", "three sessions that differ allow as little as three that agree",
           "+\n                           detail::squares_around_mean(log_centers)", ""),
    # the spread of processes
    Mutant("spread_counts_the_median", "stats/summary-inl.hpp", "the process that is the median speaks for a narrow spread",
           "distances.size() - (odd ? 1 : 0);", "distances.size() - (odd ? 0 : 0);"),
    # run: counts, memory, values, complexity and the spread of processes
    Mutant("switching_is_free", "explain/queries-inl.hpp", "the mixture pays nothing for changing sides",
           "other.total + switching + time", "other.total + 0 * switching + time"),
    Mutant("subtracts_the_first_prefix", "explain/layer_subtraction.hpp", "a layer is all that comes after the first one",
           "prefixes[n - 1][round]", "prefixes[0][round]"),
    Mutant("unresolved_layer_resolved", "explain/layer_subtraction.hpp", "a layer below the noise counts as measured",
           "time.low > 0.0 && std::isfinite(time.high)", "time.center > 0.0 && std::isfinite(time.high)"),
]
