// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/stats/sequential.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

void require_rounds(const claim_context& context, std::size_t minimum, const char* unit) {
    if (!context.plan.rounds || *context.plan.rounds >= minimum) return;
    const auto rounds = [&](std::size_t n) { return context.framework.words().option("rounds", std::to_string(n)); };
    throw input_error(fmt::format(
        "{} cannot show that this claim is violated, because a false-failure rate of {} needs at least {} {}: write {} "
        "or more, or leave it out",
        rounds(*context.plan.rounds), context.plan.false_failure, minimum, unit, rounds(minimum)));
}

/// Whether a violation can be repeated in a fresh process: confirmation is on, and this program can be started again.
inline bool can_be_repeated(const claim_context& context) {
    return context.plan.confirm == confirmation::on && (context.is_child() || can_start_again(context));
}

round_limits limits_of_rounds(const claim_context& context, std::size_t usual, const char* unit) {
    round_limits limits{with_rates({}, context.plan, context.margin()), 0};
    limits.settings.confirm = can_be_repeated(context) ? stages::two : stages::one;
    if (context.plan.rounds)
        limits.settings.first_look = std::min<std::size_t>(limits.settings.first_look, *context.plan.rounds);
    limits.min_size = min_size_to_violate(limits.settings);
    require_rounds(context, limits.min_size, unit);
    limits.settings.max_size = context.plan.rounds.value_or(std::max(usual, limits.min_size));
    return limits;
}

round_limits limits_of_processes(const claim_context& context) {
    round_limits limits{with_rates(sequential_settings::for_process_centers(), context.plan, context.margin()), 0};
    sequential_settings& s = limits.settings;
    limits.min_size = min_size_to_violate(s);
    s.max_size = std::max(s.max_size, limits.min_size);
    const auto wanted = context.is_against_baseline() ? context.plan.processes_of_baseline() : context.plan.processes;
    s.first_look = std::clamp<std::size_t>(wanted.value_or(0), s.first_look, s.max_size);
    limits.min_size = std::max(limits.min_size, s.first_look);
    return limits;
}

void require_processes_fit(const char* unit, std::size_t minimum, double seconds_of_one, double longest) {
    const double needed = seconds_of_one * static_cast<double>(minimum);
    if (needed <= longest) return;
    constexpr double reserve = 1.2;
    const std::string enough = fmt::format("{:.0f}s", std::ceil(reserve * needed));
    throw measurement_failure(
        failure_kind::too_slow,
        fmt::format(
            "too slow for the cap of {0}: to be found violated, this claim needs at least {1} {2}, which take about "
            "{3}; allow a longer cap, such as --perf-cap={4}, or do less work in a process",
            format_seconds(longest * 1e9), minimum, unit, format_seconds(needed * 1e9), enough));
}

double longest_seconds(const plan& p) { return std::chrono::duration<double>(p.cap).count(); }

bool fits_another(const plan& p, const evidence_counts& spent, std::size_t count) {
    return spent.seconds + spent.seconds / static_cast<double>(count) <= longest_seconds(p);
}

bool allows_another_process(const claim_context& context, const evidence_counts& spent, std::size_t count,
                            std::size_t minimum) {
    constexpr std::size_t processes_to_estimate = 2;  // the first one reads files from disk, later ones from memory
    if (count == 0) return true;
    const double longest = longest_seconds(context.plan);
    const double seconds_of_one = spent.seconds / static_cast<double>(count);
    if (count == processes_to_estimate || (count == 1 && seconds_of_one > longest))
        require_processes_fit("processes", minimum, seconds_of_one, longest);
    return count < minimum || fits_another(context.plan, spent, count);
}

/// "rounds(150), budget(3s)": the options that stopped the test, with values that allow this number of units.
inline std::string options_for(const claim_context& context, const claim_result& result, const test_progress& test,
                               const unit_of_evidence& unit, double units) {
    std::string options;
    const auto add = [&](const char* name, double value, const char* of_unit) {
        options += (options.empty() ? "" : ", ") +
                   context.framework.words().option(name, std::to_string(std::llround(value)) + of_unit);
    };
    const double seconds = result.evidence.seconds + (units - static_cast<double>(test.size)) * unit.seconds;
    if (units > static_cast<double>(unit.rounds)) add("rounds", units, "");
    const bool is_beyond_cap = seconds > longest_seconds(context.plan);
    if (seconds > result.evidence.budget_seconds) add(is_beyond_cap ? "cap" : "budget", std::ceil(seconds), "s");
    return options;
}

/// Advice on the evidence that would decide the claim at the rate so far; none if no sensible number of units would.
inline std::optional<std::string> advice_on_evidence(const claim_context& context, const claim_result& result,
                                                     const test_progress& test, const unit_of_evidence& unit) {
    constexpr double longest_wait = 3600.0;
    constexpr double reserve = 1.5;  // the rate is an estimate
    const outlook ahead = extrapolate(test, unit.sensible);
    const double seconds = static_cast<double>(ahead.further) * unit.seconds;
    if (ahead.toward == decision::none || seconds > longest_wait) return {};
    const double units = std::min(std::ceil(reserve * static_cast<double>(test.size + ahead.further)),
                                  static_cast<double>(unit.sensible));
    return "about " + std::to_string(ahead.further) + " more " + unit.name + " (" + format_seconds(seconds * 1e9) +
           ") would decide it at the rate so far: " + options_for(context, result, test, unit, units);
}

/// Advice on the nearest bound that these measurements would decide; on a strict claim that may be at its bound, on
/// what can be claimed.
inline std::vector<std::string> advice_on_distance(const claim_context& context, const claim_result& result) {
    if (!result.estimate || !result.bound || !(result.estimate->low > 0.0)) return {};
    if (context.query.unit == dimension::power) return {};  // for a logarithm, no factor describes the distance
    const double low = result.estimate->low, center = result.estimate->value, high = result.estimate->high;
    const double bound = *result.bound, apart = std::max({high / center, center / low, 1.0 + context.plan.margin});
    constexpr double too_wide = 2.0;  // too coarse a factor to place a bound
    if (low == high || apart >= too_wide) return {};
    if (!context.is_strict() || low > bound || high < bound)
        return {"these measurements could decide a bound that is " + format_percentage(apart - 1.0) + " away from " +
                format_value(center, context.unit)};
    const auto sign = context.claims_less() ? '<' : '>';
    return {fmt::format("the two sides look equal within {}: write {}= {} to claim no loss; a gain would be {} {}",
                        format_percentage(apart - 1.0), sign, format_value(bound, context.unit), sign,
                        format_value(context.claims_less() ? bound / apart : bound * apart, context.unit))};
}

bool looks_violated(const claim_context& context, const claim_result& result, double margin) {
    if (!result.estimate || !result.bound) return false;
    const double farthest = *result.bound * (context.claims_less() ? 1.0 + margin : 1.0 / (1.0 + margin));
    return context.claims_less() ? result.estimate->low > farthest : result.estimate->high < farthest;
}

inline std::string advice_without_evidence(const claim_context& context, const claim_result& result) {
    if (looks_violated(context, result) && has_waited(result))
        return "the interval is beyond the bound, but its process waited for a processor, which may explain it: repeat "
               "it when the machine has less to do";
    if (looks_violated(context, result))
        return "the interval is beyond the bound, but the evidence is not enough for the false-failure rate of " +
               fmt::format("{:g}", context.plan.false_failure) +
               " yet: treat it as a regression until a longer measurement shows otherwise";
    if (!result.estimate) return "no sample could be used: repeat it when the machine has less to do";
    return "more time will not decide this claim: the measured value is too close to the bound for the noise of this machine";
}

inline judgement judgement_of_open_test(const claim_context& context, const claim_result& result,
                                        const test_progress& test, const unit_of_evidence& unit) {
    const std::string spent = std::to_string(test.size) + " " + unit.name + " in " +
                              format_seconds(result.evidence.measuring_seconds() * 1e9);
    const auto more = advice_on_evidence(context, result, test, unit);
    return {verdict::undecided, spent + " do not show whether the claim holds or is violated",
            joined({more ? *more : advice_without_evidence(context, result)}, advice_on_distance(context, result))};
}

bool was_shared(const disturbances& disturbed) noexcept { return disturbed.others_cores >= disturbing_cores; }

std::string reason_of_sharing(double beyond, const disturbances& disturbed) {
    if (!was_shared(disturbed) || beyond > std::log(largest_effect_of_sharing)) return {};
    return fmt::format(
        "it is beyond the bound by less than {}, which sharing caches and memory with other processes may "
        "explain: they used {:.1f} of {} cores; repeat it when the machine has less to do",
        format_percentage(largest_effect_of_sharing - 1.0), disturbed.others_cores, disturbed.cores);
}

claim_result with_reason_of_interruptions(claim_result result, const char* unit, std::size_t counted,
                                          std::size_t excluded) {
    const bool is_refuted = result.evidence.confirming_rounds > 0;
    if (result.verdict != verdict::undecided || is_refuted || excluded <= counted) return result;
    result.reason = fmt::format("{} of {} {} do not count, because other work interrupted them: {} wanted to run on {}",
                                excluded, counted + excluded, unit,
                                perfspec::counted(static_cast<std::size_t>(result.disturbed.runnable), "thread"),
                                perfspec::counted(static_cast<std::size_t>(result.disturbed.cores), "core"));
    return result;
}

claim_result undecided_because(claim_result result, const test_progress& test, std::string reason) {
    result.evidence.log_e_holds = test.log_e_holds;
    result.evidence.log_e_violated = test.log_e_violated;
    return judged(std::move(result), {verdict::undecided, std::move(reason)});
}

/// The verdict after a fresh process repeated the claim.
inline judgement confirmed(const advice_words& words, verdict first, const child_evidence& repetition) {
    const std::string word = to_string(first);
    if (!repetition.answer || repetition.answer->verdict == verdict::error)
        return {verdict::error,
                word + " here, but cannot be repeated in a fresh process: " +
                    (repetition.answer ? repetition.answer->reason : repetition.fault),
                {"add " + words.choice("confirm", "off") +
                 " to judge in this process alone, or give the claim its own test case"},
                repetition.answer ? repetition.answer->failure : repetition.kind};
    if (repetition.answer->verdict == first) return {first};
    return {
        verdict::undecided,
        word + " here, but a fresh process did not confirm it and found: " + to_string(repetition.answer->verdict),
        {"the two processes differ: judge over several processes, or move the bound farther away. The fresh process "
         "ran this test case alone, so what other test cases left behind may be the cause: create it again " +
         words.in_setup}};
}

/// Repeats the claim in a fresh process. Returns the result with the cost added, and the child's evidence.
inline std::pair<claim_result, child_evidence> judge_in_child(const claim_context& context, claim_result result) {
    child_evidence repetition =
        with_partial_result(result, [&] { return run_child_process(context, child_task::confirm); });
    result.evidence.add_time(repetition.spent);
    result.disturbed = joined(std::move(result.disturbed), repetition.disturbed);
    return {std::move(result), std::move(repetition)};
}

/// The estimate of this process, with an interval that contains that of the fresh one.
inline std::optional<estimate> across_both(std::optional<estimate> here, const std::optional<estimate>& fresh) {
    if (!here || !fresh) return here;
    here->low = std::min(here->low, fresh->low);
    here->high = std::max(here->high, fresh->high);
    return here;
}

claim_result repeated(const claim_context& context, claim_result result) {
    if (result.verdict != verdict::violated || context.is_child() || !can_be_repeated(context)) return result;
    auto [with_cost, repetition] = judge_in_child(context, std::move(result));
    if (repetition.answer && repetition.answer->verdict != verdict::error) {
        with_cost.evidence.confirming_rounds = repetition.answer->evidence.rounds;
        if (repetition.answer->verdict != verdict::violated)
            with_cost.estimate = across_both(with_cost.estimate, repetition.answer->estimate);
    }
    return judged(std::move(with_cost), confirmed(context.framework.words(), verdict::violated, repetition));
}

/// How many processes have to agree on a verdict. If their values differ, agreement may be chance.
inline std::size_t processes_for(const claim_context& context, const claim_result& result, bool differ) {
    constexpr std::size_t far_inside = 3;
    const double value = result.estimate->value, bound = result.bound.value();
    const bool holds = result.verdict == verdict::holds;
    const bool is_far = bound > 0.0 && context.compared() != comparison::equal &&
                        (context.claims_less() ? 2.0 * value <= bound : value >= 2.0 * bound);
    if (holds && is_far) return far_inside;
    return processes_that_agree(!holds && differ ? context.plan.false_failure : context.plan.false_pass);
}

claim_result agreed_by_processes(const claim_context& context, claim_result result) {
    if (context.is_child() || !can_be_repeated(context)) return result;
    result.evidence.exact = false;
    const verdict first = result.verdict;
    bool differ = false;
    for (double seconds_of_one = 0.0; 1 + result.evidence.processes < processes_for(context, result, differ);) {
        result.evidence.approximate =
            seconds_of_one > 0.0 && result.evidence.seconds + seconds_of_one > longest_seconds(context.plan);
        if (result.evidence.approximate) return result;
        auto [with_cost, repetition] = judge_in_child(context, std::move(result));
        result = std::move(with_cost);
        seconds_of_one = repetition.spent.seconds;
        judgement outcome = confirmed(context.framework.words(), first, repetition);
        const bool is_answer =
            outcome.verdict != verdict::error && (!repetition.answer || repetition.answer->verdict != verdict::skipped);
        if (!is_answer && first == verdict::holds) {
            result.notes.push_back("only this process measured the value: " + outcome.reason);
            return result;
        }
        if (outcome.verdict != first) return judged(std::move(result), std::move(outcome));
        differ = differ || !repetition.answer->estimate || repetition.answer->estimate->value != result.estimate->value;
        ++result.evidence.processes;
    }
    result.evidence.exact = !differ;
    return result;
}

claim_result conclude(const claim_context& context, claim_result result, const test_progress& test,
                      const unit_of_evidence& unit, std::string excuse) {
    if (test.decided == decision::violated && !excuse.empty())
        return undecided_because(std::move(result), test, std::move(excuse));
    result.evidence.log_e_holds = test.log_e_holds;
    result.evidence.log_e_violated = test.log_e_violated;
    switch (test.decided) {
    case decision::holds: return judged(std::move(result), {verdict::holds});
    case decision::violated:
        result.verdict = verdict::violated;
        return test.settings.confirm == stages::two ? repeated(context, std::move(result)) : result;
    case decision::none: break;
    }
    judgement open = judgement_of_open_test(context, result, test, unit);
    return judged(std::move(result), std::move(open));
}

bool is_on_request(const claim_context& context) noexcept { return context.plan.ci != ci_rules::on; }

}  // namespace perfspec::inline v0_2::detail
