// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/notes.hpp>

#include <utility>

namespace perfspec::detail {

void add_note(const question& asked, finding& found, const std::string& about, std::string text) {
    if (asked.context.is_first_note(asked.position.test, about)) found.notes.push_back(std::move(text));
}

void add_notes(const question& asked, finding& found, const record& answer) {
    // The launches of one claim find the same, with different figures.
    for (std::size_t i = 0; i < answer.notes.size(); ++i) add_note(asked, found, asked.key + " " + std::to_string(i), answer.notes[i]);
}

void note_better_side(const question& asked, finding& found) {
    if (!asked.is_bounded() || asked.is_against_query() || asked.has_tolerance() || asked.compared() == comparison::equal) return;
    const bool claims_less = asked.claims_less();
    const bool less_is_better = asked.query.direction == better::less;
    if (claims_less == less_is_better) return;
    add_note(asked, found, "side of " + asked.text,
             "this claims that " + asked.text + (claims_less ? " is at most so much, but more" : " is at least so much, but less") +
                 " is better: it still holds when the value gets worse; write " + (claims_less ? ">" : "<") + " to catch a regression");
}

void note_not_first(const question& asked, finding& found) {
    if (!asked.position.asserted_before) return;
    add_note(asked, found, "first in process",
             "assertions ran in the same process before this claim, so its first call may not be the first; give " + asked.text +
                 " its own test case");
}

}  // namespace perfspec::detail
