// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

std::vector<std::string> note_once(const claim_context& context, const std::string& about, std::string text) {
    if (!context.run.is_first_note(context.position.test, about)) return {};
    return {std::move(text)};
}

std::vector<std::string> notes_of_process(const claim_context& context, const record& answer) {
    std::vector<std::string> notes;
    // The processes of one claim have the same notes, with different figures.
    for (std::size_t i = 0; i < answer.notes.size(); ++i)
        append(notes, note_once(context, context.key + " " + std::to_string(i), answer.notes[i]));
    return notes;
}

/// The value of a fact; empty if the process does not report it.
inline std::string fact_of(const remote_subject& x, std::string_view name) {
    const auto found = std::ranges::find(x.facts, name, &std::pair<std::string, std::string>::first);
    return found == x.facts.end() ? std::string() : found->second;
}

/// "numpy is 2.0 for "slow" and 2.1 for "fast"", for each fact that differs.
inline std::string differences_of(const remote_subject& a, const remote_subject& b) {
    std::vector<std::string> names;
    for (const remote_subject* const x : {&a, &b})
        for (const auto& fact : x->facts)
            if (std::ranges::find(names, fact.first) == names.end()) names.push_back(fact.first);
    std::string text;
    for (const std::string& name : names) {
        const std::string value_a = fact_of(a, name), value_b = fact_of(b, name);
        if (value_a == value_b) continue;
        const auto text_of_value = [](const std::string& value) {
            return value.empty() ? std::string("unknown") : value;
        };
        text += (text.empty() ? "" : "; ") + name + " is " + text_of_value(value_a) + " for \"" + a.subject +
                "\" and " + text_of_value(value_b) + " for \"" + b.subject + "\"";
    }
    return text;
}

std::vector<remote_subject> workers_of(const claim_context& context) {
    std::vector<remote_subject> workers;
    for (const subject& x : context.subjects) {
        const subject_state& state = x.state();
        if (state.remote_facts == nullptr) continue;
        auto facts = state.remote_facts(x.storage(), remote_lookup::last_known);
        if (!facts.empty()) workers.push_back({state.name, state.remote, std::move(facts)});
    }
    return workers;
}

std::vector<std::string> notes_of_workers(const claim_context& context, const std::vector<remote_subject>& workers) {
    std::vector<std::string> notes;
    for (std::size_t i = 1; i < workers.size(); ++i)
        if (const std::string text = differences_of(workers.front(), workers[i]); !text.empty())
            append(notes,
                   note_once(context, "workers of " + context.text,
                             "the subjects differ in more than their code, because two worker processes ran them: " +
                                 text));
    return notes;
}

std::vector<std::string> note_of_better_side(const claim_context& context) {
    if (!context.is_bounded() || context.is_against_query() || context.has_tolerance() ||
        context.compared() == comparison::equal)
        return {};
    const bool claims_less = context.claims_less();
    const bool less_is_better = context.query.direction == better::less;
    if (claims_less == less_is_better) return {};
    return note_once(context, "side of " + context.text,
                     "this claims " + std::string(claims_less ? "an upper" : "a lower") + " limit for " + context.text +
                         ", but " + (claims_less ? "more" : "less") +
                         " is better, so the claim still holds when the value gets worse: write " +
                         (claims_less ? ">" : "<") + " to catch a regression");
}

std::vector<std::string> note_of_first_run(const claim_context& context) {
    if (!context.position.asserted_before) return {};
    return note_once(context, "first in process",
                     "assertions ran in the same process before this claim, so its first call may not be the first; "
                     "give " +
                         context.text + " its own test case");
}

/// Whether to note trends of a subject's times. Not for adapters: their libraries warm up, spin and wait.
inline bool is_checked_for_trends(const claim_context& context, const subject& x) {
    return is_clocked(context.query.metric) && x.state().functions->same_output == nullptr;
}

inline std::string about(const char* what, const subject& x) {
    return std::string(what) + " " + std::to_string(x.state().id);
}

inline std::string fresh_input(const claim_context& context) {
    return "give each call fresh input: " + context.framework.words().fresh_input;
}

/// Whether other threads of this process have worked since the claim began to measure.
inline bool have_other_threads_worked(const claim_context& context) {
    constexpr std::int64_t reading_ns = 50'000;
    usage_meter* const meter = context.run.system().usage;
    return meter != nullptr && meter->now().others_cpu_ns() - context.run.others_cpu_before_claim_ns() >= reading_ns;
}

std::vector<std::string> notes_of_calls(const claim_context& context, const subject& x, const std::string& name,
                                        const subject_calibration& c) {
    if (!is_checked_for_trends(context, x) || c.first.first_ns == 0.0) return {};
    return note_once(context, about("first call", x),
                     "the first call of \"" + name + "\" took " + format_seconds(c.first.first_ns) + ", later ones " +
                         format_seconds(c.first.later_ns) +
                         ", and the later ones are judged; if each call should do the work of the first, " +
                         fresh_input(context));
}

std::vector<std::string> notes_of_calls(const claim_context& context, const time_ratio& r, const pair_calibration& c) {
    auto notes = notes_of_calls(context, r.numerator, r.numerator_name, c.a);
    return joined(std::move(notes), notes_of_calls(context, r.denominator, r.denominator_name, c.b));
}

inline std::vector<std::string> note_of_trend(const claim_context& context, const subject& x, const std::string& name,
                                              std::span<const double> times) {
    // Threads that wait for each other suffer several times more from a busy machine than a single one.
    const auto trend = find_trend(times, have_other_threads_worked(context) ? 4.0 : 2.0);
    if (!trend) return {};
    return note_once(context, about("trend", x),
                     "the time of \"" + name + "\" " + (trend->last > trend->first ? "rises" : "falls") +
                         " over its calls, from " + format_seconds(trend->first) + " to " +
                         format_seconds(trend->last) + ", because what a call leaves behind changes later ones; " +
                         fresh_input(context));
}

process_resources resources_now(const claim_context& context) {
    usage_meter* const meter = context.run.system().usage;
    return meter != nullptr ? meter->kept() : process_resources{};
}

/// Notes what calls left behind since `before`.
///
/// readings  the number of readings of these calls; perfspec stores them on the heap
inline std::vector<std::string> note_of_leftovers(const claim_context& context, const process_resources& before,
                                                  std::uint64_t calls, std::size_t readings) {
    constexpr int many = 8;
    constexpr std::int64_t malloc_bytes = 256 << 10, bytes_of_reading = 256;
    const process_resources now = resources_now(context);
    std::vector<std::string> leftovers;
    if (const int n = now.threads - before.threads; n >= many) leftovers.push_back(fmt::format("{} threads", n));
    if (const int n = now.descriptors - before.descriptors; n >= many)
        leftovers.push_back(fmt::format("{} descriptors", n));
    if (const std::int64_t n = now.heap_bytes - before.heap_bytes;
        n >= malloc_bytes + bytes_of_reading * static_cast<std::int64_t>(readings))
        leftovers.push_back(format_value(static_cast<double>(n), dimension::bytes) + " of memory");
    if (leftovers.empty()) return {};
    return note_once(
        context, "leavings of " + context.text,
        fmt::format("{} calls left behind {}, which may change later calls or run out: release them in each call",
                    calls, fmt::join(leftovers, ", ")));
}

inline std::vector<std::string> note_of_side(const claim_context& context, const subject& x, const std::string& name,
                                             double reading_pair::*side, std::span<const reading_pair> pairs) {
    std::vector<double> times;
    for (const reading_pair& p : pairs) times.push_back(p.*side);
    return note_of_trend(context, x, name, times);
}

std::vector<std::string> notes_of_pairs(const claim_context& context, const time_ratio& r, const pair_series& series) {
    auto notes = notes_of_calls(context, r, series.calibration);
    if (!is_checked_for_trends(context, r.numerator) || !is_checked_for_trends(context, r.denominator)) return notes;
    const pair_calibration& c = series.calibration;
    const std::uint64_t calls = c.a.iterations + c.b.iterations + (c.warm == warm_call::yes ? 2 : 0);
    append(notes,
           note_of_leftovers(context, series.resources_before, series.pairs.size() * calls, series.pairs.size()));
    append(notes, note_of_side(context, r.numerator, r.numerator_name, &reading_pair::a, series.pairs));
    return joined(std::move(notes),
                  note_of_side(context, r.denominator, r.denominator_name, &reading_pair::b, series.pairs));
}

std::vector<std::string> notes_of_blocks(const claim_context& context, const block_series& series) {
    const subject& x = context.query.subjects.front();
    auto notes = notes_of_calls(context, x, context.names.front(), series.calibration.x);
    if (!is_checked_for_trends(context, x)) return notes;
    std::vector<double> times;
    std::size_t readings = 0;
    for (const timed_block& b : series.blocks) {
        readings += b.readings_ns.size();
        for (std::size_t i = 0; i < b.readings_ns.size(); ++i)
            if (b.working.empty() || b.working[i].ns == b.readings_ns[i])
                times.push_back(b.readings_ns[i]);  // a wait for a processor is no trend of x
    }
    append(notes,
           note_of_leftovers(context, series.resources_before, readings * series.calibration.x.iterations, readings));
    return joined(std::move(notes), note_of_trend(context, x, context.names.front(), times));
}

}  // namespace perfspec::inline v0_2::detail
