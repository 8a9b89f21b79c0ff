// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Judges claims on stored baselines: compares fresh processes with them by ranks (stats/README.md, "Stored processes").

#include <perfspec/against_baseline/judge_baseline.hpp>
#include <perfspec/against_baseline/record_baseline-inl.hpp>
#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The result with the processes that decide it.
inline claim_result with_processes(claim_result result, const process_source& fresh) {
    result = joined(fresh.totals(), std::move(result));
    for (const process_result& l : fresh.processes()) {
        result.baseline.value().taken.push_back(l.process);
        result.baseline->now.push_back(l.process.value);
    }
    return result;
}

/// The violated result. With the rules of CI, takes as many further processes as a baseline needs, so `perfspec accept`
/// can store them. They are no evidence: a failure ends the taking and becomes advice.
inline claim_result violated_by(const claim_context& context, claim_result result, const process_source& fresh) {
    result.verdict = verdict::violated;
    if (context.plan.ci != ci_rules::on) return result;
    process_source more = fresh;
    std::vector<stored_process>& processes = result.baseline.value().taken;
    const process_range range = requested_processes(context);
    std::string fault;
    try {
        while (processes.size() < range.maximum && (processes.size() < range.minimum || is_patient(more)))
            processes.push_back(more.next().process);
    } catch (const input_error& failure) { fault = failure.what(); } catch (const measurement_failure& failure) {
        fault = failure.what();
    }
    result.evidence.seconds = more.seconds();
    result.evidence.starting_seconds = more.totals().evidence.starting_seconds;
    if (processes.size() < range.minimum)
        result.advice.push_back("only " + std::to_string(processes.size()) +
                                " processes were measured, which is too few for perfspec accept: " + fault);
    return result;
}

/// Whether a value may differ between processes even if two of them agree: a module's counts, and the user's own
/// metrics.
inline bool may_agree_by_chance(metric_kind m) { return traits_of(m).from == reading::module || reports_own_value(m); }

/// The verdict on the processes, by how many are beyond the bound.
inline judgement verdict_of_counts(const claim_context& context, std::size_t beyond) {
    if (beyond == 0) return {verdict::holds};
    if (beyond == 2) return {verdict::violated};
    const bool differ = may_agree_by_chance(context.query.metric);
    return {verdict::undecided,
            differ ? "fresh processes differ from each other, so no value equals all of them: write <= or >="
                   : "one of two fresh processes equals the stored ones, and the other does not"};
}

/// Compares counts that repeat, or values of a metric that all agree, stored and fresh: one process shows that the
/// claim holds, two that it is violated. Empty if they vary; then ranks decide, starting with these processes.
inline std::optional<claim_result> compare_counts(const claim_context& context, const claim_result& result,
                                                  process_source& fresh, const std::vector<double>& bounds) {
    const bool is_equality = context.compared() == comparison::equal;
    const auto [low, high] = std::ranges::minmax(bounds);
    if (low != high && !is_equality) return {};
    if (low != high)
        return judged(result,
                      {verdict::error, "the stored processes differ, so no value equals all of them: write <= or >="});
    const std::size_t enough =
        may_agree_by_chance(context.query.metric) ? processes_that_agree(context.plan.false_pass) : std::size_t{0};
    const auto next = [&, bound = low](std::size_t count) {
        const process_result process = fresh.next();
        if (enough > 0) show_progress(context, {.done = count + 1, .most = enough, .seconds = fresh.seconds()});
        return std::optional(process_value{process.process.value, bound, enough > 0 || process.answer.evidence.exact});
    };
    const auto beyond = with_partial_result([&] { return with_processes(result, fresh); },
                                            [&, bound = low] {
                                                require_bound_of_counts(context, bound);
                                                return processes_beyond(context, enough, next);
                                            });
    if (!is_equality && (!beyond || beyond == 1)) return {};
    claim_result exact = with_processes(result, fresh);
    exact = with_exact_value(context, exact, exact.baseline->now.back(), low);
    exact.evidence.method = "exact comparison of fresh processes with stored ones";
    if (beyond == 2) return violated_by(context, std::move(exact), fresh);
    return judged(std::move(exact), verdict_of_counts(context, beyond.value_or(1)));
}

/// The rank test of this claim, with its error rates. The two sides of a tolerance have their own rates.
inline drifting_rank_test test_of_processes(const claim_context& context, const std::vector<double>& bounds,
                                            double allowance) {
    const stored_rank_rates rates{.violated = context.plan.false_failure, .holds = context.plan.false_pass};
    return {bounds, context.claims_less() ? direction::less : direction::more, allowance, context.margin(), rates};
}

inline std::string append_later(const claim_context& context, const baseline_origin& origin) {
    return update_variables(context, origin.file, "append") + " " + run_again(context);
}

/// How far the fresh processes are beyond the bound: the logarithm of the ratio of their medians; negative inside it.
inline double distance_beyond_bound(const claim_context& context, const claim_result& result) {
    return -context.sign() * std::log(positive_of_process(context, median(result.baseline->now)) /
                                      positive_of_process(context, result.bound.value()));
}

/// What compares without a record.
inline const char* comparison_now(const claim_context& context) {
    return context.query.is_ratio()
               ? "compare with another build, PERFSPEC_BASELINE_BUILD=BUILD_FOLDER"
               : "compare in one run, with speedup(a, b), or with another build, PERFSPEC_BASELINE_BUILD=BUILD_FOLDER";
}

/// The verdict on a value beyond the bound by no more than the machine may drift.
inline judgement explain_drift(const claim_context& context, const claim_result& result,
                               const comparable_processes& stored) {
    const bool is_farther = distance_beyond_bound(context, result) > std::log1p(stored.drift);
    const bool shows_drift = stored.sessions >= 3 || context.plan.drift;
    return {verdict::undecided,
            (is_farther ? "it is beyond the bound, but its processes vary too much to exclude the "
                        : "it is beyond the bound, but within the ") +
                format_percentage(stored.drift) + " that the machine may drift; the baseline has " +
                counted(stored.sessions, "recording session"),
            {shows_drift ? comparison_now(context) + std::string(", which does not drift")
                         : "record the code of the baseline again, at least half an hour later: " +
                               append_later(context, *result.baseline)}};
}

/// The spread of the fresh processes; 0 if one has no logarithm.
inline double spread_of_fresh(const claim_context& context, const claim_result& result) {
    std::vector<double> now = result.baseline->now;
    for (double& v : now) v = positive_of_process(context, v);
    return std::ranges::all_of(now, [](double v) { return v > 0.0; }) ? relative_spread(now) : 0.0;
}

/// A cause other than the code that may explain a violation.
struct excuse {
    bool happened;     ///< during these processes
    double explains;   ///< at most this distance beyond the bound, a logarithm
    std::string what;  ///< "sharing processors with other work may explain that: …"
    std::string advice;
};

/// What the processor time says beside a time that waiting may explain: it rises, too, for more work, and for threads
/// that spin until another one has its processor back. Empty if it is unknown.
inline std::string work_compared(const claim_context& context, const claim_result& result,
                                 const comparable_processes& stored) {
    const double now =
        usual_of_processes(context, result, [](const process_result& l) { return l.process.processor_ns; });
    if (!(now > 0.0) || !(stored.processor_ns > 0.0)) return {};
    return fmt::format("; its threads worked {:.2g} times as long as in the baseline", now / stored.processor_ns);
}

/// The factor, two at most, by which the system may have lengthened the processes by placing threads that wait for each
/// other: four threads on two processors take 2 or 3 times as long as one. At best they share all their work.
inline double usual_misplacement(const claim_context& context, const claim_result& result, const disturbances& usual) {
    if (!takes_wall_time(context) || is_rate(context.query.metric) || was_shared(usual)) return 1.0;
    return usual_of_processes(context, result, [](const process_result& l) {
        const bool waited = l.answer.disturbed.waited_seconds > 0.02 * l.answer.evidence.seconds;
        const double threads = l.process.processor_ns / l.process.value;  // that worked at a time
        return waited && threads > 1.2 ? std::min(l.answer.disturbed.cores / threads, 2.0) : 1.0;
    });
}

/// All excuses, each with what it can explain. More than that is the code's.
inline std::vector<excuse> excuses_for(const claim_context& context, const claim_result& result,
                                       const comparable_processes& stored) {
    const double spread = spread_of_fresh(context, result);
    const std::string again = run_again(context);
    const auto advice_to_repeat = [&](const char* when) {
        return std::string("run it again ") + when + ": " + again + " ; or " + comparison_now(context);
    };
    const auto slowdown = [](const process_result& l) { return slowdown_of(l.answer.disturbed.devices); };
    const double waited = usual_waiting(context, result);
    const disturbances usual = usual_disturbances(context, result);
    const double misplaced = usual_misplacement(context, result, usual);
    const bool is_of_time = is_clocked(context.query.metric) || takes_wall_time(context);
    const bool suffers = context.query.is_ratio() || context.claims_less_time();
    return {
        {stored.is_noisy(), explained_by_spread,
         "the stored processes spread by " + format_percentage(stored.spread) + ", which may explain that",
         "record the code of the baseline again, on a machine that does nothing else: " +
             update_variables(context, result.baseline->file, "all") + " " + again},
        {spread > max_spread_to_record, explained_by_spread,
         "the fresh processes spread by " + format_percentage(spread) +
             ", which may explain that: other work used the machine, or the code runs at several speeds",
         advice_to_repeat("on a machine that does nothing else")},
        {is_of_time && suffers && was_shared(usual), std::log(largest_effect_of_sharing),
         fmt::format("sharing caches and memory with other processes, which used {:.1f} of {} cores, may explain that",
                     usual.others_cores, usual.cores),
         advice_to_repeat("when the machine has less to do")},
        {suffers && waited > 1.0, std::log(waited), waiting_text(waited) + work_compared(context, result, stored),
         advice_to_repeat("when the machine has less to do")},
        {suffers && misplaced > 1.0, std::log(misplaced),
         fmt::format("its threads waited for each other, which may explain that: at best it is {:.2g} times shorter",
                     misplaced),
         "start no more threads than cores, or " + std::string(comparison_now(context))},
        {suffers && are_devices_slowed(result), std::log(usual_of_processes(context, result, slowdown)),
         "a device that ran slower may explain that: " + slowed_device_text(result),
         advice_to_repeat("when the device is cool and no other process uses it")},
    };
}

/// The first excuse that explains the violation, if one does.
inline std::optional<judgement> excuse_for(const claim_context& context, const claim_result& result,
                                           const comparable_processes& stored) {
    const double beyond = distance_beyond_bound(context, result);
    for (excuse& e : excuses_for(context, result, stored))
        if (e.happened && beyond <= e.explains)
            return judgement{verdict::undecided, "it is beyond the bound, but " + e.what, {std::move(e.advice)}};
    return {};
}

/// Whether more processes may show a violation: these are beyond the bound by more than the machine may drift, and no
/// excuse explains it.
inline bool deserves_more_processes(const claim_context& context, const claim_result& so_far,
                                    const comparable_processes& stored) {
    return distance_beyond_bound(context, so_far) > std::log1p(stored.drift) && !excuse_for(context, so_far, stored);
}

/// Whether one more process fits into the time, which ends at the cap while the processes are suspect. Those that the
/// verdict violated needs always fit.
inline bool allows_another_process(const claim_context& context, const claim_result& so_far,
                                   const comparable_processes& stored, const drifting_rank_test& test) {
    if (test.size() < test.processes_to_violate()) return true;
    const evidence_counts& spent = so_far.evidence;
    const std::size_t count = std::max<std::size_t>(spent.processes, 1);
    if (context.plan.has_hard_budget()) return fits_another(context.plan, spent, count);
    const std::chrono::duration<double> limit =
        deserves_more_processes(context, so_far, stored) ? context.plan.cap : patience_for_processes;
    return spent.seconds + spent.seconds / static_cast<double>(count) <= limit.count();
}

/// Takes fresh processes until the claim is decided or the time is over.
inline void take_until_decided(const claim_context& context, const claim_result& result, process_source& fresh,
                               const comparable_processes& stored, drifting_rank_test& test) {
    for (const process_result& l : fresh.processes())
        if (test.is_open()) test.add(positive_of_process(context, l.process.value));
    while (test.is_open() && allows_another_process(context, with_processes(result, fresh), stored, test)) {
        test.add(positive_of_process(context, fresh.next().process.value));
        show_progress(context,
                      {.done = test.size(), .most = stored_rank_test::max_processes, .seconds = fresh.seconds()});
    }
}

inline judgement undecided_by_ranks(const claim_context& context, const claim_result& result,
                                    const comparable_processes& stored, const drifting_rank_test& test) {
    if (test.is_beyond_bound()) return explain_drift(context, result, stored);
    return {
        verdict::undecided,
        std::to_string(test.size()) + " fresh processes do not show whether the claim holds or is violated",
        {"this baseline detects " + detectable_text(context, result.baseline->detectable) +
         ": move the bound farther away, " + comparison_now(context) +
         ", or add processes, after you check out the baseline's code: " + append_later(context, *result.baseline)}};
}

/// Why this claim cannot be compared with an entry of another unit; empty if both have the same.
inline std::string reason_of_unit(const claim_context& context, const baseline_store& store,
                                  const baseline_entry& entry) {
    if (entry.unit == context.unit_name() && entry.direction == context.query.direction) return {};
    return "the baseline of this key is in " + entry.unit + ", the query in " + context.unit_name() +
           ": give the query another key(\"…\"), or record it again with " +
           update_variables(context, store.path(), "all") + " (" + store.path() + ")";
}

/// Throws input_error for a rate so small that no number of processes could show a violation.
inline void require_processes_can_violate(const drifting_rank_test& test, std::size_t stored) {
    if (test.processes_to_violate() <= stored_rank_test::max_processes) return;
    throw input_error(
        "false_failure is so small that even " + std::to_string(stored_rank_test::max_processes) +
        " processes against " + std::to_string(stored) +
        " stored ones cannot show a violation: write a larger one, such as 0.001, or record more processes");
}

/// The verdict by ranks on a result that has its bound.
inline claim_result compare_by_ranks(const claim_context& context, claim_result result, process_source& fresh,
                                     const comparable_processes& stored, const std::vector<double>& bounds) {
    const auto partial = [&] { return with_processes(result, fresh); };
    drifting_rank_test test =
        with_partial_result(partial, [&] { return test_of_processes(context, bounds, stored.drift); });
    with_partial_result(partial, [&] {
        require_processes_can_violate(test, bounds.size());
        result.evidence.method = std::string(stored_rank_test::method);
        take_until_decided(context, result, fresh, stored, test);
    });
    result = partial();
    const std::vector<double>& now = result.baseline->now;
    const auto [low, high] = std::ranges::minmax(now);
    result.estimate = estimate{median(now), low, high, 0.0};
    if (test.decided() == decision::holds) return judged(std::move(result), {verdict::holds});
    std::optional<judgement> open = test.decided() == decision::violated
                                        ? excuse_for(context, result, stored)
                                        : undecided_by_ranks(context, result, stored, test);
    return open ? judged(std::move(result), *std::move(open)) : violated_by(context, std::move(result), fresh);
}

/// Why an entry is of another claim, although the key is the same; empty if it may be this one's.
inline std::string reason_of_source(const claim_context& context, const baseline_store& store,
                                    const baseline_entry& entry) {
    const std::string source = source_of_claim(context);
    if (!are_of_two_programs(entry.source, source)) return {};
    return "two programs use this key: " + entry.source + " recorded it, and " + source +
           " claims it; give one of them another SUITE, or, if you moved the test, record it again with " +
           update_variables(context, store.path(), "all") + " (" + store.path() + ")";
}

inline claim_result compare_with(const claim_context& context, const baseline_store& store,
                                 const baseline_entry& entry) {
    claim_result result = empty_result(context);
    for (std::string reason : {reason_of_unit(context, store, entry), reason_of_source(context, store, entry)})
        if (!reason.empty()) return judged(std::move(result), {verdict::error, std::move(reason)});
    result =
        with_baseline(context, std::move(result), origin_of(context, store.path(), entry, baseline_action::compared));
    if (entry.processes.size() < stored_rank_test::min_stored)
        return judged(std::move(result),
                      {verdict::error, "the baseline has " + counted(entry.processes.size(), "process") +
                                           ", and at least " + std::to_string(stored_rank_test::min_stored) +
                                           " are needed: record more with " +
                                           update_variables(context, store.path(), "append")});
    result.baseline->differences = describe_difference(entry.recorded_on, machine_of(context));
    if (const std::string source = source_of_claim(context); !may_be_one_source(entry.source, source))
        result.baseline->differences.push_back("source: was " + entry.source + ", is " + source);
    const comparable_processes stored = processes_to_compare(context, entry);
    const std::vector<double> bounds = bounds_of_processes(context, stored);
    const bool may_agree = may_repeat_exactly(context.query.metric);
    process_source fresh(context);
    if (may_agree)
        if (auto exact = compare_counts(context, result, fresh, bounds)) return *std::move(exact);
    if (std::ranges::any_of(bounds, [&](double b) { return !(b > 0.0) && !may_agree; }))
        return judged(
            std::move(result),
            {verdict::error,
             "the bound is not above 0, because the offset is too large: write a factor, such as 0.95 * baseline()"});
    return compare_by_ranks(context, std::move(result), fresh, stored, bounds);
}

claim_result judge_stored(const claim_context& context) {
    if (context.plan.update != baseline_update::none) return update_baseline(context);
    const auto stored = find_baseline(context);
    if (stored.is_broken()) return judged(empty_result(context), {verdict::error, stored.lookup.reason});
    if (!stored.is_found()) return without_baseline(context, stored.has_hardware);
    if (stored.is_own && context.run.has_recorded(stored.store->path(), context.key))
        return as_recorded(context, empty_result(context), *stored.store, *stored.lookup.entry,
                           baseline_action::recorded,
                           "the first run on this machine: an earlier claim of this run recorded this baseline");
    return compare_with(context, *stored.store, *stored.lookup.entry);
}

inline std::string stored_text(const claim_context& context, const baseline_entry& entry, const std::string& file) {
    return std::to_string(entry.processes.size()) + " processes, median " +
           format_value(median(values_of(entry.processes)), context.unit) + ", in " + file;
}

forecast forecast_stored(const claim_context& context, forecast f) {
    const auto stored = find_baseline(context);
    const bool updates = context.plan.update != baseline_update::none;
    const bool records = updates || context.plan.ci != ci_rules::on;
    if (stored.is_found()) {
        f.baseline = stored_text(context, *stored.lookup.entry, stored.store->path());
        if (!updates) return f;
        f.method = context.plan.update == baseline_update::missing ? "nothing, because it has a baseline" : "recording";
        f.cap_seconds = f.budget_seconds = 0.0;
        return f;
    }
    f.baseline = stored.is_broken() ? "cannot be used: " + stored.lookup.reason
                 : updates          ? "none"
                 : records          ? "none: this run would record one and judge nothing"
                                    : "none: a run with ci=on does not record one";
    f.cap_seconds = f.budget_seconds = 0.0;
    f.method = stored.is_broken() && !updates ? "nothing, because the claim is an error"
               : records                      ? "recording"
                                              : "fresh processes for perfspec accept";
    return f;
}

}  // namespace perfspec::inline v0_2::detail
