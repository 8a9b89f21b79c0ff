// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::detail {

void add_note(const claim_context& context, claim_result& result, const std::string& about, std::string text) {
    if (context.run.is_first_note(context.position.test, about)) result.notes.push_back(std::move(text));
}

void add_notes(const claim_context& context, claim_result& result, const record& answer) {
    // The launches of one claim find the same, with different figures.
    for (std::size_t i = 0; i < answer.notes.size(); ++i)
        add_note(context, result, context.key + " " + std::to_string(i), answer.notes[i]);
    if (result.workers.empty()) result.workers = answer.workers;
}

/// The value of a fact; empty where the process does not tell it.
inline std::string fact_of(const remote_subject& x, std::string_view name) {
    const auto known = std::ranges::find(x.facts, name, &std::pair<std::string, std::string>::first);
    return known == x.facts.end() ? std::string() : known->second;
}

/// "torch is 2.9.1 for "eager" and 2.13.0 for "inductor"", for each fact that differs.
inline std::string differences_of(const remote_subject& a, const remote_subject& b) {
    std::vector<std::string> names;
    for (const remote_subject* const x : {&a, &b})
        for (const auto& fact : x->facts)
            if (std::ranges::find(names, fact.first) == names.end()) names.push_back(fact.first);
    std::string text;
    for (const std::string& name : names) {
        const std::string one = fact_of(a, name), other = fact_of(b, name);
        if (one == other || name == "code") continue;  // two files are expected to differ
        const auto shown = [](const std::string& value) { return value.empty() ? std::string("not told") : value; };
        text += (text.empty() ? "" : "; ") + name + " is " + shown(one) + " for \"" + a.subject + "\" and " +
                shown(other) + " for \"" + b.subject + "\"";
    }
    return text;
}

void describe_workers(const claim_context& context, claim_result& result) {
    if (result.workers.empty()) {  // else a fresh process told them
        for (const subject& x : context.subjects) {
            const subject_state& state = x.state();
            if (state.tell_remote_facts == nullptr) continue;
            auto facts = state.tell_remote_facts(x.storage(), remote_asking::as_known);
            if (!facts.empty()) result.workers.push_back({state.name, state.remote, std::move(facts)});
        }
    }
    for (std::size_t i = 1; i < result.workers.size(); ++i) {
        const std::string text = differences_of(result.workers.front(), result.workers[i]);
        if (!text.empty() && result.verdict != verdict::invalid)
            add_note(context, result, "workers of " + context.text,
                     "what is compared differs in more than its code, because two processes ran it: " + text);
    }
}

void note_better_side(const claim_context& context, claim_result& result) {
    if (!context.is_bounded() || context.is_against_query() || context.has_tolerance() ||
        context.compared() == comparison::equal)
        return;
    const bool claims_less = context.claims_less();
    const bool less_is_better = context.query.direction == better::less;
    if (claims_less == less_is_better) return;
    add_note(context, result, "side of " + context.text,
             "this claims that " + context.text +
                 (claims_less ? " is at most so much, but more" : " is at least so much, but less") +
                 " is better: it still holds when the value gets worse; write " + (claims_less ? ">" : "<") +
                 " to catch a regression");
}

/// "2 launches of gelu", "3 to 4 launches of gelu, softmax".
inline std::string launches_text(const seen_kernels& seen) {
    constexpr std::size_t most_names = 4;
    std::string text = seen.fewest == seen.most ? "" : std::to_string(seen.fewest) + " to ";
    text += std::to_string(seen.most) + (seen.most == 1 ? " launch" : " launches");
    std::size_t told = 0;
    for (const std::string& name : seen.names) {
        if (told == most_names) break;
        text += (told++ == 0 ? " of " : ", ") + name;
    }
    return seen.names.size() > told ? text + " and " + std::to_string(seen.names.size() - told) + " more" : text;
}

void note_kernels(const claim_context& context, claim_result& result) {
    if (context.query.metric != metric_kind::kernel_time || !result.estimate) return;
    const std::vector<std::string> kernels = work_names_of(context);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const auto& all = context.subjects[i].state().kernels_seen;
        const auto seen = all.find(kernels[i]);
        if (seen == all.end()) continue;  // fresh processes took the samples, and note it
        const std::string which = kernels[i].empty() ? "all kernels" : "\"" + kernels[i] + "\"";
        add_note(context, result, "kernels " + kernels[i] + " of " + std::to_string(context.subjects[i].state().id),
                 which + " of \"" + context.names[i] + "\": " + launches_text(seen->second) + " in an iteration");
    }
}

void note_not_first(const claim_context& context, claim_result& result) {
    if (!context.position.asserted_before) return;
    add_note(context, result, "first in process",
             "assertions ran in the same process before this claim, so its first call may not be the first; give " +
                 context.text + " its own test case");
}

}  // namespace perfspec::detail
