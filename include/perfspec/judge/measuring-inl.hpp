// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/trend.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Whether to look at a subject's times. Not at an adapter's: its library warms up, spins and waits, and readers of its
/// times know that.
inline bool is_looked_at(const claim_context& context, const subject& x) {
    return is_clocked(context.query.metric) && x.state().functions->same_output == nullptr;
}

inline std::string about(const char* what, const subject& x) {
    return std::string(what) + " " + std::to_string(x.state().id);
}

inline constexpr const char* fresh_input = "give each call fresh input: subject(name, setup(make), body)";

inline void note_first_call(const claim_context& context, claim_result& result, const subject& x,
                            const std::string& name, const first_call_times& first) {
    if (first.first_ns == 0.0) return;
    add_note(context, result, about("first call", x),
             "the first call of \"" + name + "\" took " + format_seconds(first.first_ns) + ", later ones " +
                 format_seconds(first.later_ns) +
                 "; the later ones are judged; if each call should do the work of the first, " + fresh_input);
}

/// Whether other threads of this process have worked since the claim began to measure.
inline bool have_others_worked(const claim_context& context) {
    constexpr std::int64_t reading_ns = 50'000;
    usage_meter* const meter = context.run.system().usage;
    return meter != nullptr && meter->now().others_cpu_ns() - context.run.others_cpu_before_claim_ns() >= reading_ns;
}

void note_calls(const claim_context& context, claim_result& result, const subject& x, const std::string& name,
                const subject_calibration& c) {
    if (is_looked_at(context, x)) note_first_call(context, result, x, name, c.first);
}

void note_calls(const claim_context& context, claim_result& result, const time_ratio& r, const pair_calibration& c) {
    note_calls(context, result, r.numerator, r.numerator_name, c.a);
    note_calls(context, result, r.denominator, r.denominator_name, c.b);
}

inline void note_trend(const claim_context& context, claim_result& result, const subject& x, const std::string& name,
                       std::span<const double> times) {
    // Threads that wait for each other suffer several times more from a busy machine than a single one.
    const auto seen = find_trend(times, have_others_worked(context) ? 4.0 : 2.0);
    if (!seen) return;
    add_note(context, result, about("trend", x),
             "the time of \"" + name + "\" " + (seen->last > seen->first ? "rises" : "falls") +
                 " over its calls, from " + format_seconds(seen->first) + " to " + format_seconds(seen->last) +
                 ": what a call leaves behind changes later ones; " + fresh_input);
}

/// Notes times of one side that change over its calls.
inline void note_side(const claim_context& context, claim_result& result, const subject& x, const std::string& name,
                      sample timed_pair::*side, std::span<const timed_pair> pairs) {
    std::vector<double> times;
    for (const timed_pair& p : pairs) times.push_back((p.*side).per_iteration());
    note_trend(context, result, x, name, times);
}

void note_pairs(const claim_context& context, claim_result& result, const time_ratio& r,
                std::span<const timed_pair> pairs) {
    if (!is_looked_at(context, r.numerator) || !is_looked_at(context, r.denominator)) return;
    note_side(context, result, r.numerator, r.numerator_name, &timed_pair::a, pairs);
    note_side(context, result, r.denominator, r.denominator_name, &timed_pair::b, pairs);
}

void note_blocks(const claim_context& context, claim_result& result, std::span<const timed_block> blocks) {
    const subject& x = context.query.subjects.front();
    if (!is_looked_at(context, x)) return;
    std::vector<double> times;
    for (const timed_block& b : blocks)
        for (std::size_t i = 0; i < b.readings_ns.size(); ++i)
            if (b.working.empty() || b.working[i].ns == b.readings_ns[i])
                times.push_back(b.readings_ns[i]);  // others' load is no trend of x
    note_trend(context, result, x, context.names.front(), times);
}

inline machine_lock_settings lock_settings(const claim_context& context) {
    const std::string folder = context.run.system().variables.get("TMPDIR").value_or("");
    return {.file = machine_lock_file(folder.c_str()),
            .program = context.run.suite(),
            .memory = &context.run.locks(),
            .console = context.plan.verbosity == console_verbosity::quiet ? nullptr : context.run.system().console};
}

bodies_run_scope::bodies_run_scope(const claim_context& context) : framework_(context.framework) {
    framework_.measuring_starts(context.where, context.claim);
}

bodies_run_scope::~bodies_run_scope() { framework_.measuring_ends(); }

machine_hold::machine_hold(const claim_context& context, claim_result& result) {
    if (context.is_child()) return;  // the parent holds the lock for it
    lock_.emplace(lock_settings(context), context.run.system().wall, context.run.system().rest);
    if (!lock_->note().empty()) add_disturbances(result, {.notes = {lock_->note()}});
}

measuring_scope::measuring_scope(const claim_context& context, claim_result& result)
    : context_(context), result_(result), machine_(context, result), devices_(watch_devices(context)),
      before_(read_machine_counters()) {
    context.run.note_measuring();
    if (usage_meter* const meter = context.run.system().usage)
        context.run.note_others_cpu_before_claim(meter->now().others_cpu_ns());
}

measuring_scope::~measuring_scope() {
    const machine_counters seen = difference(before_, read_machine_counters());
    disturbances part;
    part.load = seen.load;
    part.cores = seen.cores;
    part.steal_seconds = seen.steal_seconds;
    part.involuntary_switches = seen.involuntary_switches;
    part.page_faults = seen.page_faults;
    part.migrations = seen.migrations;
    part.runnable = seen.runnable;
    part.frequency_mhz = seen.frequency_mhz;
    if (before_.frequency_mhz > 0.0 && seen.frequency_mhz > 0.0)
        part.frequency_change = seen.frequency_mhz / before_.frequency_mhz - 1.0;
    if (seen.throttled_seconds > 0.0)
        part.notes.push_back("the quota of its control group held it up for " +
                             format_seconds(seen.throttled_seconds * 1e9));
    add_disturbances(result_, part);
    describe_devices(context_, result_, devices_);
}

}  // namespace perfspec::detail
