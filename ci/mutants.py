# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The bugs that ci/mutate injects, one at a time.

Each is one that a person could make and that changes what perfspec says: an order that is not random, an input that is timed, a margin on the
wrong side. `old` occurs exactly once in its file and becomes `new`, which compiles. The unit tests of the file's own stage should notice it.
"""
from dataclasses import dataclass

PROGRAMS = {"language": ("perfspec_run_test",), "stats": ("perfspec_stats_test",), "measure": ("perfspec_measure_test",), "run": ("perfspec_run_test",),
            "baseline": ("perfspec_baseline_test",), "report": ("perfspec_report_test",),
            "process": ("perfspec_process_test",)}


@dataclass(frozen=True)
class Mutant:
    name: str
    short_file: str  # below include/perfspec
    breaks: str
    old: str
    new: str

    @property
    def file(self):
        return "include/perfspec/" + self.short_file

    @property
    def programs(self):
        """What is built and run, until the first failure."""
        return PROGRAMS[self.short_file.split("/")[0]]


MUTANTS = [
    # stats: the evidence
    Mutant("ranks_without_ties", "stats/signed_rank_evidence.ipp", "equal differences do not share their mid-rank",
           "(below + 0.5 * equal + 0.5)", "(below + 0.0 * equal + 0.5)"),
    Mutant("zero_not_ranked", "stats/signed_rank_evidence.ipp", "a difference of zero is missing from the ranks of later ones",
           "    const double rank = insert_and_rank(std::abs(difference));\n    if (difference == 0) return;",
           "    if (difference == 0) return;\n    const double rank = insert_and_rank(std::abs(difference));"),
    Mutant("sign_of_evidence_flipped", "stats/signed_rank_evidence.ipp", "differences inside the bound speak against the claim",
           "auto& winners = difference > 0 ? log_wealth_for_ : log_wealth_against_;\n"
           "    auto& losers = difference > 0 ? log_wealth_against_ : log_wealth_for_;",
           "auto& winners = difference > 0 ? log_wealth_against_ : log_wealth_for_;\n"
           "    auto& losers = difference > 0 ? log_wealth_for_ : log_wealth_against_;"),
    Mutant("losers_lose_nothing", "stats/signed_rank_evidence.ipp", "the game is not fair: only winnings are counted",
           "losers[gambler] += std::log1p(-stake);", "losers[gambler] -= 0 * stake;"),
    Mutant("claims_share_pairs", "stats/repeated_claims.ipp", "claims of the doctor judge the same pairs again",
           "        log_ratios = log_ratios.subspan(1);\n", "        log_ratios = log_ratios.subspan(test.size() % 2);\n"),
    # stats: the sequential test
    Mutant("threshold_of_two_stages_not_halved", "stats/sequential.ipp", "each of two stages carries the whole rate, not its square root",
           "stages::two ? 2 : 1", "stages::two ? 1 : 1"),
    Mutant("threshold_of_one_stage_halved", "stats/sequential.ipp", "a single stage is judged at the square root of its rate",
           "stages::two ? 2 : 1", "stages::two ? 2 : 2"),
    Mutant("margin_on_the_wrong_side", "stats/sequential.ipp", "the margin is asked for beyond the bound instead of granted",
           "distance_inside_the_bound + log_margin_", "distance_inside_the_bound - log_margin_"),
    Mutant("margin_is_no_logarithm", "stats/sequential.ipp", "the margin is added to logarithms as it is",
           "log_margin_(std::log1p(settings.margin))", "log_margin_(settings.margin)"),
    Mutant("first_look_ignored", "stats/sequential.ipp", "decides before the first look",
           "size() < settings_.first_look", "size() < 1"),
    Mutant("first_look_one_late", "stats/sequential.ipp", "looks one difference later",
           "size() < settings_.first_look", "size() <= settings_.first_look"),
    Mutant("holds_looked_at_first", "stats/sequential.ipp", "holds wins where both thresholds are crossed",
           "    if (log_e_violated() >= log_threshold_violated_) return decision::violated;\n"
           "    if (at_moved_bound_.log_e_for() >= log_threshold_holds_) return decision::holds;",
           "    if (at_moved_bound_.log_e_for() >= log_threshold_holds_) return decision::holds;\n"
           "    if (log_e_violated() >= log_threshold_violated_) return decision::violated;"),
    Mutant("streak_survives", "stats/sequential.ipp", "a launch inside the bound does not end the streak",
           "    if (distance_inside_the_bound > 0) streak_ended_ = true;", ""),
    Mutant("most_ignored", "stats/sequential.ipp", "a test goes on after its most differences",
           "return decided_ == decision::none && size() >= settings_.most;", "return size() == std::size_t(-1);"),
    Mutant("most_one_late", "stats/sequential.ipp", "a test takes one difference too many",
           "size() >= settings_.most; }", "size() > settings_.most; }"),
    # stats: estimates
    Mutant("interval_ends_swapped", "stats/evidence_interval.ipp", "each end of the interval asks the evidence of the other",
           "interval_end::low ? e.log_e_for() : e.log_e_against()", "interval_end::low ? e.log_e_against() : e.log_e_for()"),
    Mutant("interval_level_of_one_end", "stats/evidence_interval.ipp", "the level of the interval forgets one of its two ends",
           "differences, log_threshold), 1 - 2 / threshold", "differences, log_threshold), 1 - 1 / threshold"),
    Mutant("centre_without_self_pairs", "stats/hodges_lehmann.ipp", "the averages of a value with itself are not counted",
           "halves.size() * (halves.size() + 1) / 2", "halves.size() * (halves.size() - 1) / 2"),
    Mutant("centre_one_rank_low", "stats/hodges_lehmann.ipp", "the centre is the average below the middle one",
           "detail::select_sum(averages / 2 + 1, halves)", "detail::select_sum(averages / 2, halves)"),
    Mutant("quantile_not_interpolated", "stats/summary.ipp", "quantiles are the order statistic below",
           "return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));", "return sorted[below];"),
    Mutant("spread_not_scaled", "stats/detectable_effect.ipp", "the median deviation is taken for a standard deviation",
           "mad_to_standard_deviation * shape.mad", "1 * shape.mad"),
    Mutant("outlook_counts_preparation", "stats/outlook.ipp", "pairs that only prepared the test count in the rate of growth",
           "static_cast<double>(test.size - test.without_evidence)", "static_cast<double>(test.size)"),
    Mutant("repeats_on_the_same_stretch", "stats/smallest_effect.ipp", "the second stage sees what the first one saw",
           "start + log_ratios.size() / 2", "start"),
    # stats: percentiles
    Mutant("percentile_one_rank_high", "stats/percentile.ipp", "the order statistic above the percentile",
           "static_cast<std::ptrdiff_t>(order) - 1;", "static_cast<std::ptrdiff_t>(order);"),
    Mutant("limit_includes_the_future", "stats/percentile_evidence.ipp", "the limit that a pair is bet against knows that pair",
           """    if (size() >= settling_pairs) bet(old_time, scaled_time);
    pool_.push_back(old_time);
    pool_.push_back(scaled_time);
    if (size() < next_limit_at_) return;
    limit_ = percentile_of(pool_, level_);
    next_limit_at_ *= 2;
""",
           """    pool_.push_back(old_time);
    pool_.push_back(scaled_time);
    if (size() >= next_limit_at_) {
        limit_ = percentile_of(pool_, level_);
        next_limit_at_ *= 2;
    }
    if (size() > settling_pairs) bet(old_time, scaled_time);
"""),
    Mutant("limit_never_renewed", "stats/percentile_evidence.ipp", "the limit of the first pairs is kept for ever",
           "next_limit_at_ *= 2;", "next_limit_at_ = std::size_t(-1);"),
    Mutant("percentile_ratio_upside_down", "stats/percentile_evidence.ipp", "fresh times are multiplied by the ratio of the claim",
           "fresh_time / ratio_", "fresh_time * ratio_"),
    Mutant("percentile_margin_on_the_wrong_side", "stats/percentile_sequential.ipp", "the margin makes a claim on percentiles stricter",
           "ratio * (1 + settings.margin)", "ratio / (1 + settings.margin)"),
    # stats: stored launches
    Mutant("rank_test_direction", "stats/stored_rank_test.ipp", "claims of less are judged as claims of more",
           "if (claimed_ == direction::less) {", "if (claimed_ != direction::less) {"),
    Mutant("rank_test_without_ties", "stats/stored_rank_test.ipp", "a launch equal to a stored one counts as below it",
           "static_cast<double>(first_greater - sorted.begin())) / 2;", "static_cast<double>(first_equal - sorted.begin())) / 2;"),
    Mutant("rank_test_margin_on_the_wrong_side", "stats/stored_rank_test.ipp", "the margin makes a claim on a baseline stricter",
           "launch / (1 + margin_)", "launch * (1 + margin_)"),
    Mutant("rank_test_limit_exclusive", "stats/stored_rank_test.ipp", "the last sum of ranks that is violated is not",
           "(launches_ == 5 && u_ <= limits_->violated_at_5)", "(launches_ == 5 && u_ < limits_->violated_at_5)"),
    # measure: the order
    Mutant("coin_is_always_heads", "measure/coin.ipp", "the order of pairs never changes",
           "return (generator_->engine() >> 63U) != 0;", "return (generator_->engine() >> 63U) != 2;"),
    Mutant("coin_ignores_its_seed", "measure/coin.ipp", "every seed gives one order", "std::mt19937_64{seed}", "std::mt19937_64{0 * seed}"),
    Mutant("order_of_pairs_not_random", "measure/pair_source.ipp", "the first subject goes first in every other pair",
           "pair.order = coin_.toss() ?",
           "static bool turn = false;\n    pair.order = (turn = !turn) ?"),
    Mutant("sides_of_a_pair_swapped", "measure/pair_source.ipp", "the times of a pair are recorded under each other's name",
           "        pair.b = take(b_, calibration_.b.iterations);\n        pair.a = take(a_, calibration_.a.iterations);\n    } else",
           "        pair.a = take(b_, calibration_.b.iterations);\n        pair.b = take(a_, calibration_.a.iterations);\n    } else"),
    Mutant("ratio_upside_down", "measure/pair_source.ipp", "a pair's ratio is that of b to a",
           "log_reading(a) - detail::log_reading(b)", "log_reading(b) - detail::log_reading(a)"),
    # measure: what is timed
    Mutant("warm_call_timed", "measure/sample.ipp", "the call that warms the caches is part of the time",
           """    if (warm == warm_call::yes) run_untimed(x, 1);
    const detail::prepared_run prepared(x, iterations);
    const std::int64_t start = c.now();
""",
           """    const detail::prepared_run prepared(x, iterations);
    const std::int64_t start = c.now();
    if (warm == warm_call::yes) run_untimed(x, 1);
"""),
    Mutant("setup_timed", "measure/sample.ipp", "making the input is part of the time",
           "    const detail::prepared_run prepared(x, iterations);\n    const std::int64_t start = c.now();",
           "    const std::int64_t start = c.now();\n    const detail::prepared_run prepared(x, iterations);"),
    Mutant("discard_timed", "measure/sample.ipp", "throwing the input away is part of the time",
           """    const detail::prepared_run prepared(x, iterations);
    const std::int64_t start = c.now();
    prepared.run();
    const std::int64_t elapsed""",
           """    std::int64_t start = 0;
    {
        const detail::prepared_run prepared(x, iterations);
        start = c.now();
        prepared.run();
    }
    const std::int64_t elapsed"""),
    Mutant("device_not_waited_for", "measure/sample.ipp", "the clock is read before asynchronous work has ended",
           "if (functions_.wait != nullptr) functions_.wait(self_);", ""),
    Mutant("batch_not_divided", "measure/sample.ipp", "a batch counts as one iteration",
           "return {elapsed, iterations};", "return {elapsed, 1};"),
    Mutant("upper_of_the_middle_two", "measure/median.ipp", "the median of an even number of readings is the upper of the middle two",
           "return (*std::max_element(readings.begin(), middle) + *middle) / 2.0;", "return *middle;"),
    Mutant("minimum_for_median", "measure/median.ipp", "a block says its fastest reading",
           "readings.begin() + std::ssize(readings) / 2;", "readings.begin();"),
    # measure: the plan
    Mutant("budget_not_adapted", "measure/calibration.ipp", "a default budget does not stretch for slow bodies",
           "std::min(settings.cap.count(), std::max(settings.budget.count(), wanted))", "settings.budget.count() + 0 * wanted"),
    Mutant("cap_ignored", "measure/calibration.ipp", "a default budget stretches beyond its cap",
           "std::min(settings.cap.count(), std::max(settings.budget.count(), wanted))", "std::max(settings.budget.count(), wanted)"),
    Mutant("given_budget_stretched", "measure/calibration.ipp", "a budget that the user gave is no limit",
           "if (settings.limit == budget_kind::hard) return {started_ns, elapsed, settings.budget.count()};", ""),
    Mutant("cost_of_inputs_forgotten", "measure/calibration.ipp", "making inputs is missing from what a sample costs",
           "(c.call_ns + c.untimed_ns) * static_cast<double>(c.iterations)", "c.call_ns * static_cast<double>(c.iterations)"),
    Mutant("unlike_sides_not_equalised", "measure/calibration.ipp", "two alike subjects get samples of different numbers of iterations",
           "a.iterations = b.iterations = std::min(std::max(a.iterations, b.iterations), most);", "static_cast<void>(most);"),
    Mutant("preemption_costs_a_reading", "measure/clock.ipp", "one preemption among the readings of a clock is what a reading costs",
           "static_cast<double>(std::min(step, longest))", "static_cast<double>(step + 0 * longest)"),
    Mutant("disturbed_clock_believed", "measure/clock.ipp", "a clock is looked at once, however disturbed the look was",
           "constexpr int most_looks = 5;", "constexpr int most_looks = 1;"),
    Mutant("one_look_makes_invalid", "measure/calibration.ipp", "one look at the clock makes a percentile invalid",
           "    settings.metric_clock = inspect_again(metric, settings.metric_clock);\n", "    static_cast<void>(metric);\n"),
    Mutant("empty_loop_not_confirmed", "measure/optimised_away.ipp", "five disturbed empty loops make a body invalid",
           "constexpr int looks = 2;  // a neighbour", "constexpr int looks = 1;  // a neighbour"),
    Mutant("blocks_not_spaced", "measure/block_source.ipp", "blocks follow each other at once",
           "if (now < turn) rest_->sleep(turn - now);", "static_cast<void>(turn - now);"),
    # process: another build
    Mutant("any_suite_will_do", "process/worker.ipp", "another program passes for another build of this one",
           "if (own.name.empty() || theirs == own.name) return;", "if (own.name.empty() || theirs == theirs) return;"),
    # run
    Mutant("program_against_itself", "run/judge_reference.ipp", "a program may be its own reference build",
           "if (is == likeness::same_file)", "if (is == likeness::same_file && other.empty())"),
    Mutant("flags_of_nobody", "run/take_launches.ipp", "a build that does not tell its flags has none",
           "    if (machine.flags.empty()) machine.flags = e.asked.where.flags;\n", ""),
    Mutant("device_is_no_library", "run/take_launches.ipp", "baselines of subjects on a device do not know which",
           "on_device ? library_use::on_device : library_use::always", "on_device ? library_use::always : library_use::always"),
    Mutant("claim_judged_upside_down", "run/judge_pairs.ipp", "what is faster than the bound is outside it",
           "sign * (value(p) - log_bound)", "sign * (log_bound - value(p))"),
    Mutant("option_margin_ignored", "run/evaluation.hpp", "margin(...) changes nothing", "    s.margin = p.margin;\n", ""),
    Mutant("option_seed_ignored", "run/judge_pairs.ipp", "seed(...) changes nothing",
           "e.plan.seed.value_or(e.context.around().draw_seed())", "e.context.around().draw_seed()"),
    Mutant("later_pairs_repeat_the_order", "run/judge_pairs.ipp", "pairs for a second claim follow the order of the first ones",
           "series.seed + series.pairs.size()", "series.seed"),
    Mutant("order_ignores_the_seed", "run/judge_pairs.ipp", "the recorded seed is not the one of the order",
           "series.calibration, series.seed + series.pairs.size(), time", "series.calibration, 1 + series.pairs.size(), time"),
    Mutant("budget_not_spent", "run/judge_pairs.ipp", "pairs are taken after the budget is over",
           "(series.pairs.size() < at_least || spent() <= series.calibration.time.budget_ns)", "(at_least > 0 || spent() > 0)"),
    Mutant("option_rounds_ignored", "run/least_evidence.ipp", "rounds(n) changes nothing",
           "e.plan.rounds.value_or(std::max(usual, limits.fewest))", "std::max(usual, limits.fewest)"),
    Mutant("too_few_rounds_judged", "run/least_evidence.ipp", "a claim that cannot fail is judged",
           "    if (!e.plan.rounds || *e.plan.rounds >= fewest) return;", "    return;"),
    Mutant("one_place_shares", "run/sharing.hpp", "a claim that is reached again is answered with its first samples",
           "users.places.contains(place_of(e)) || ", ""),
    Mutant("shared_without_a_look", "run/sharing.hpp", "samples are shared though fresh ones differ",
           " || !is_unchanged()) return false;", ") return false;"),
    Mutant("generator_overlooked", "run/key_census.ipp", "values of a generator are compared under one key",
           "use.generated && !is_new_in_run", "false"),
    Mutant("violation_not_confirmed", "run/conclude.ipp", "one process fails a claim whose rate is spread over two",
           "if (!e.is_child() && test.settings.confirm == stages::two) confirm_violation(e);", ""),
    Mutant("confirmed_by_the_same_process", "run/confirm.ipp", "a violation is confirmed by the samples that showed it",
           "const child_evidence again = ask_child(e, child_task::confirm);", "const child_evidence again{e.out, {}, 0.0};"),
    Mutant("undecided_child_confirms", "run/confirm.ipp", "whatever a fresh process finds but holds confirms a violation",
           "if (again.answer->verdict == verdict::violated) return;", "if (again.answer->verdict != verdict::holds) return;"),
    Mutant("block_percentile_is_its_median", "run/judge_blocks.ipp", "an absolute percentile is judged by medians",
           "needs_single_iterations(e.query()) ? percentile_of(b.readings_ns, percentile_level(e)) : b.median_ns",
           "needs_single_iterations(e.query()) ? b.median_ns : b.median_ns"),
    Mutant("further_blocks_bunched", "run/judge_blocks.ipp", "blocks for a second claim are not spread over time",
           "if (!series.blocks.empty()) series.calibration.time.started_ns = now - series.calibration.time.calibrated_ns;", ""),
    Mutant("percentile_sides_swapped", "run/judge_percentiles.ipp", "the percentiles of a claim are each other's",
           "less ? time_pair{b, a} : time_pair{a, b}", "less ? time_pair{a, b} : time_pair{b, a}"),
    Mutant("launch_judged_upside_down", "run/judge_launches.ipp", "launches inside the bound speak against the claim",
           "(values.back() - std::log(bound))", "(std::log(bound) - values.back())"),
    Mutant("builds_on_cores_of_their_own", "run/launch_pair.ipp", "each build of a launch pair is sampled on the core that it happens to be on",
           "s.calibration.x.iterations, warm_, core_)", "s.calibration.x.iterations, warm_)"),
    Mutant("reference_order_fixed", "run/launch_pair.ipp", "the head is always the first of a pair, and started first",
           "return order_.toss() ? std::array", "return order_.toss() && false ? std::array"),
    Mutant("reference_iterations_differ", "run/launch_pair.ipp", "the builds of a launch pair run different numbers of iterations",
           "if (!e_.plan.iterations) equalise(a.x, b.x, std::min(a.most_iterations, b.most_iterations));", ""),
    Mutant("reference_judged_upside_down", "run/judge_reference.ipp", "a slower head is a better one",
           "sign_of(e.tree().compared) * (p.log_ratio", "-sign_of(e.tree().compared) * (p.log_ratio"),
    Mutant("reference_offset_of_the_head", "run/judge_reference.ipp", "an offset counts relative to the head",
           "positive_of_launch(e, p.reference))", "positive_of_launch(e, p.head))"),
    Mutant("untimed_samples_judged", "run/launch_pair.ipp", "the untimed samples of a launch pair are judged with the others",
           "for (side& s : sides_) s.times_ns.clear();", ""),
    Mutant("unit_of_the_reference_ignored", "run/launch_pair.ipp", "a key that means another quantity in the other build is compared",
           "greeting->unit != unit)", "greeting->unit != unit && false)"),
    Mutant("foreign_key_accepted", "process/worker.ipp", "a worker's numbers count for a claim that it does not stand at",
           "if (greeting.key != key)", "if (greeting.key.empty())"),
    Mutant("failed_reference_is_new", "process/worker.ipp", "a build that failed before the claim counts as one without it",
           "if (!ended_well) fail(", "if (!ended_well && false) fail("),
    Mutant("worker_outlives_its_owner", "process/posix_launcher.ipp", "a running child is left alone when its object goes",
           "if (!end_) finish(true);\n    }\n\n    void send", "child_.release();\n    }\n\n    void send"),
    Mutant("baseline_direction", "run/judge_stored.ipp", "a slower launch than the baseline is a better one",
           "claims_less(e) ? direction::less : direction::more", "claims_less(e) ? direction::more : direction::less"),
    Mutant("offset_of_a_bound_subtracted", "run/take_launches.ipp", "baseline() + 1 ms is baseline() - 1 ms",
           "e.tree().factor * stored + e.tree().offset", "e.tree().factor * stored - e.tree().offset"),
    Mutant("median_for_minimum", "run/launch_value.ipp", "the minimum of a launch is its median",
           "return {s.minimum, s.minimum, s.lower_quartile,", "return {s.median, s.minimum, s.lower_quartile,"),
    # measure: counters, memory, cold starts
    Mutant("one_thread_counted", "measure/hardware_counters.ipp", "what the other threads count is lost", "sum += seen->count;", "sum = seen->count;"),
    Mutant("shared_counters_counted", "measure/hardware_counters.ipp", "a count of a part of the time is taken for one of all of it",
           "if (seen->running_ns < seen->enabled_ns)", "if (seen->enabled_ns < seen->running_ns)"),
    Mutant("peak_of_the_whole_process", "measure/peak_memory.ipp", "what the process had before counts as the body's peak",
           "was_reset_ = memory_->reset_peak();", "was_reset_ = true;"),
    Mutant("load_in_the_first_call", "measure/cold_start.ipp", "loading is part of the first call",
           "    ensure_loaded(x);\n    return detail::time_call(x, wall);", "    return detail::time_loading(x, wall) + detail::time_call(x, wall);"),
    Mutant("steady_at_once", "measure/cold_start.ipp", "a cold start ends with its first call", "++calls;\n    return calls;", "return calls;\n    return calls;"),
    Mutant("any_value_is_one", "measure/sample.ipp", "a body's negative number is a value", "std::isfinite(value) && value >= 0.0", "std::isfinite(value)"),
    # stats: the spread of launches
    Mutant("spread_counts_the_median", "stats/stability.ipp", "the launch that is the median speaks for a narrow spread",
           "distances.size() - (odd ? 1 : 0);", "distances.size() - (odd ? 0 : 0);"),
    # run: counts, memory, values, growth and the spread of launches
    Mutant("count_at_its_bound", "run/judge_counts.ipp", "a count that is as large as its bound is less",
           "case comparison::less: return value < bound;", "case comparison::less: return value <= bound;"),
    Mutant("count_of_the_first_call", "run/judge_counts.ipp", "what the first call makes once is counted",
           "    run_untimed(x, 1);\n    const std::int64_t started", "    const std::int64_t started"),
    Mutant("varying_count_equals", "run/judge_counts.ipp", "a count that varies is judged by its median where equality is claimed",
           "return e.tree().compared == comparison::equal ||", "return"),
    Mutant("one_launch_violates_a_count", "run/judge_stored.ipp", "one fresh launch beyond a stored count is not looked at again",
           "for (std::size_t beyond = 0; beyond < 2; ++beyond)", "for (std::size_t beyond = 0; beyond < 1; ++beyond)"),
    Mutant("counts_kept_by_hardware", "language/expression_node.hpp", "baselines of allocations are kept for each kind of machine",
           "return m == metric_kind::allocations || m == metric_kind::allocated_bytes || m == metric_kind::op_count;\n}", "return m == metric_kind::latency;\n}"),
    Mutant("fresh_sides_swapped", "run/judge_fresh.ipp", "of two subjects the other one's memory is taken for the own one's",
           "e.side = side;", "e.side = 1 - side;"),
    Mutant("fresh_order_fixed", "run/judge_fresh.ipp", "one of two subjects is always measured first",
           "const std::size_t first = order.toss() ? 1 : 0;", "const std::size_t first = order.toss() ? 0 : 0;"),
    Mutant("value_order_fixed", "run/judge_value_pairs.ipp", "the own subject of a pair of values is always called first",
           "const bool other_first = order.toss();", "const bool other_first = order.toss() && false;"),
    Mutant("sides_at_the_whole_rate", "run/judge_within.ipp", "both sides of a tolerance together have twice the rate of the claim",
           "e.plan.false_failure / 2.0", "e.plan.false_failure / 1.0"),
    Mutant("gain_not_judged", "run/judge_within.ipp", "what gets better than its tolerance holds",
           "judge_side(e, tolerance_end::gain, ", "judge_side(e, tolerance_end::loss, "),
    Mutant("other_side_repeated", "run/judge_within.ipp", "a fresh process always judges the side of losses",
           "e.context.child()->end.value_or(tolerance_end::loss)", "tolerance_end::loss"),
    Mutant("side_of_a_tolerance_untold", "run/confirm.ipp", "a fresh process is not told which side of a tolerance was violated",
           "if (e.judged_side && task == child_task::confirm)", "if (e.judged_side && task == child_task::launch)"),
    Mutant("side_of_a_launch_untold", "run/confirm.ipp", "both launches of a pair measure the first subject",
           "if (e.side != 0) request.side", "if (e.side > 1) request.side"),
    Mutant("departures_untold", "run/confirm.ipp", "a fresh process does not know where its parent left the test case",
           "request.departures = e.context.departures_from(e.position.test);", ""),
    Mutant("fresh_process_without_lock", "run/confirm.ipp", "nobody holds the machine's lock while a fresh process measures",
           "const machine_hold hold(e);", ""),
    Mutant("seed_of_fresh_launches_forgotten", "run/judge_fresh.ipp", "the seed that drew which process starts first is in no record",
           "if (has_two_sides(e)) e.out.evidence.seed = seed;", ""),
    Mutant("no_launches_to_measure", "run/stored_claim.hpp", "launches=0 lets a query without a bound measure nothing",
           "return p.launches.value_or(0) == 0 ? usual", "return !p.launches ? usual"),
    Mutant("swallowed_assertion_counts", "run/turn.ipp", "a body that keeps to itself that it asserted is judged",
           "shared.now.asserted_within = place;  // also", "// also"),
    Mutant("tolerance_upside_down", "language/one_side.ipp", "the side of losses lies where a query is better",
           "(end == tolerance_end::loss) ? 1.0 : -1.0", "(end == tolerance_end::loss) ? -1.0 : 1.0"),
    Mutant("two_sides_of_a_rank_test_at_the_whole_rate", "stats/stored_rank_test.ipp", "each side of a tolerance fails as often as a claim of one side",
           "sides == claim_sides::one ? stored_rank_table", "sides != claim_sides::one ? stored_rank_table"),
    Mutant("growth_without_tolerance", "run/judge_growth.ipp", "a factor of the logarithm violates a power",
           "e.tree().value - sign * growth_tolerance", "e.tree().value"),
    Mutant("several_series_swapped", "run/measure_several.ipp", "claims after a comparison see its ratios upside down",
           "{r.samples[0], r.samples[other],", "{r.samples[other], r.samples[0],"),
    # baseline
    Mutant("launches_rounded_too_far", "baseline/rounding.ipp", "stored launches lose digits that tell them apart",
           "detail::exponent_of(spread) - 1;", "detail::exponent_of(spread) + 1;"),
    Mutant("only_slower_moves", "baseline/update_rule.ipp", "a baseline that became faster is not recorded anew",
           "if (std::abs(moved) > third)", "if (moved > third)"),
    Mutant("newest_launches_forgotten", "baseline/update_rule.ipp", "where launches are too many the newest are dropped",
           "launches.erase(launches.begin(), launches.begin() + static_cast<std::ptrdiff_t>(too_many));",
           "launches.erase(launches.end() - static_cast<std::ptrdiff_t>(too_many), launches.end());"),
    Mutant("noisy_launches_stored", "baseline/update_rule.ipp", "launches that see nothing become a baseline",
           "if (spread <= largest_spread_to_record) return decision;", "return decision;"),
    Mutant("foreign_hardware_accepted", "baseline/baseline_store.ipp", "a file that was copied from other hardware is a baseline",
           "if (file.hardware != where.hardware) return", "if (file.suite != where.suite) return"),
    Mutant("appended_launches_rounded_alone", "baseline/baseline_store.ipp", "appended launches are rounded as if nothing was stored",
           "const bool keeps_stored = action == update_action::append;", "const bool keeps_stored = action == update_action::refuse;"),
    Mutant("cut_line_glued", "baseline/file_system.ipp", "a result is appended to what a killed process left of another",
           "? '\\n' + line : line", "? line : line"),
    Mutant("cut_line_kept", "baseline/file_system.ipp", "what a full disk took of a result stays in the file",
           "(void)!::ftruncate(fd.get(), facts.st_size);", ""),
    Mutant("folder_lock_left_to_forks", "baseline/file_system.ipp", "a process that was forked keeps a folder locked",
           "    ::flock(handle, LOCK_UN);\n", ""),
    # processes and the lock of the machine
    Mutant("request_handed_on", "process/child.ipp", "programs that code under test starts believe that they are children",
           '{"PERFSPEC_CHILD", "PERFSPEC_PARENT"}', '{"PERFSPEC_PARENT"}'),
    Mutant("answers_into_any_file", "process/child.ipp", "an answer is written to whatever has the result pipe's number",
           "const bool is_pipe = detail::is_still(request.result_descriptor, request.result_file);", "const bool is_pipe = true;"),
    Mutant("side_unread", "process/child_request.ipp", "every launch measures the first subject",
           'into_.side = known(value_of_word<compared_side>(side_words, value), "no side first or second")',
           'static_cast<void>(known(value_of_word<compared_side>(side_words, value), "no side first or second"))'),
    Mutant("machine_lock_left_to_forks", "measure/machine_lock.ipp", "a process that was forked keeps the machine locked",
           "::flock(descriptor_, LOCK_UN);", ""),
    Mutant("waits_for_a_holder_again", "measure/machine_lock.ipp", "every claim waits for a holder that never lets go",
           " && !detail::waited_in_vain(settings)", ""),
    Mutant("nobody_else_comes_first", "measure/machine_lock.ipp", "a program that takes lock after lock lets no other have it",
           "memory_->others_wait = detail::somebody_waits(descriptor_);", "memory_->others_wait = false;"),
    # layers: the mixture, the difference of prefixes, their rounds
    Mutant("switching_is_free", "stats/layer_oracle.ipp", "the oracle pays nothing for changing sides",
           "other.total + switching + time", "other.total + 0 * switching + time"),
    Mutant("equal_mixtures_switch", "stats/layer_oracle.ipp", "of equal sums the one with more switches is chosen",
           "total < other.total : switches < other.switches", "total < other.total : switches > other.switches"),
    Mutant("subtracts_the_first_prefix", "stats/layer_subtraction.ipp", "a layer is all that comes after the first one",
           "prefixes[n - 1][round]", "prefixes[0][round]"),
    Mutant("unresolved_layer_resolved", "stats/layer_subtraction.ipp", "a layer below the noise counts as measured",
           "time.low > 0.0 && std::isfinite(time.high)", "time.centre > 0.0 && std::isfinite(time.high)"),
    Mutant("turns_in_one_order", "run/layer_rounds.ipp", "the whole, its prefixes and its layers are always measured in one order",
           "std::ranges::shuffle(drawn, order);", "static_cast<void>(order);"),
    Mutant("layers_not_divided", "run/layer_rounds.ipp", "a layer's time is that of all iterations",
           "for (double& time : times) time /= static_cast<double>(iterations);", ""),
    # operators and their traces
    Mutant("operator_counted_within_itself", "measure/operator_events.ipp", "what an operator calls of its own kind is in its total twice",
           "if (!within_itself) row.total_ns", "if (within_itself || !within_itself) row.total_ns"),
    Mutant("threads_call_each_other", "measure/operator_events.ipp", "an operator of another thread is a callee",
           "open_.back().event->thread != next.thread || ", ""),
    Mutant("trace_not_sorted", "report/chrome_trace.ipp", "a trace begins with the call that ended first",
           "std::ranges::stable_sort(order, {}, &operator_event::start_ns);", ""),
    Mutant("trace_loses_nanoseconds", "report/chrome_trace.ipp", "5 ns is 0.5 us", '"{}.{:03}"', '"{}.{}"'),
    Mutant("trace_of_a_cold_run", "run/write_traces.ipp", "what is recorded is the first run",
           "    run_untimed(x, 1);  // what is run for the first time is slow\n", ""),
    Mutant("trace_overwritten", "run/write_traces.ipp", "every repetition writes the same folder",
           "while (e.context.around().files.is_folder(of_claim + std::to_string(repetition))) ++repetition;", ""),
    # cold starts
    Mutant("steady_includes_the_start", "measure/cold_start.ipp", "slow first calls are part of the steady time",
           "static_cast<std::ptrdiff_t>(cold.calls_ns.size() / 2);", "static_cast<std::ptrdiff_t>(cold.calls_ns.size() / 1024);"),
    Mutant("inspection_timed", "measure/cold_start.ipp", "reading what is to be loaded is part of the load",
           "    static_cast<void>(refusal_of(x));  // inspecting is no part of loading\n", ""),
    Mutant("inspected_before_every_sample", "measure/sample.ipp", "a package of 100 MB is read for every sample",
           "std::exchange(state.inspect, nullptr)", "state.inspect"),
    # outputs kept bit by bit
    Mutant("only_the_first_output_kept", "baseline/golden_file.ipp", "bits of later outputs are not compared",
           "for (std::size_t i = 0; i < kept.outputs.size(); ++i)", "for (std::size_t i = 0; i < 1; ++i)"),
    Mutant("golden_update_replaces_all", "run/golden.ipp", "where only missing outputs are kept, known ones are replaced",
           "e.plan.update == baseline_update::missing", "e.plan.update == baseline_update::none"),
    Mutant("golden_missing_passes_in_ci", "run/golden.ipp", "a key without golden outputs passes where the hardware is known",
           "set_verdict(e, known ? verdict::invalid : verdict::not_judged,", "set_verdict(e, known ? verdict::not_judged : verdict::not_judged,"),
    Mutant("bits_of_wrong_outputs_recorded", "run/verify.ipp", "perfspec accept stores bits of outputs that do not PASS",
           "if (v.code != verification_code::pass) v.fingerprints.clear();", ""),
    # an oracle that goes by several measurements
    Mutant("oracle_keeps_the_larger_time", "run/measure_layers.ipp", "of several measurements the slower counts",
           "centre_of(others) < centre_of(mine)", "centre_of(others) > centre_of(mine)"),
]
