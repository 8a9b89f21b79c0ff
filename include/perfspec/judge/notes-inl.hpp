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
    // Launches of one claim find the same, with other figures.
    for (std::size_t i = 0; i < answer.notes.size(); ++i) add_note(asked, found, asked.key + " " + std::to_string(i), answer.notes[i]);
}

void note_better_side(const question& asked, finding& found) {
    if (!asked.is_bounded() || asked.is_against_query() || asked.has_tolerance() || asked.compared() == comparison::equal) return;
    const bool claims_less = asked.claims_less();
    const bool less_is_better = asked.query.direction == better::less;
    if (claims_less == less_is_better) return;
    add_note(asked, found, "side of " + asked.text,
             "this claims that " + asked.text + (claims_less ? " is at most so much, and more" : " is at least so much, and less") +
                 " is better: it holds as well when it gets worse; write " + (claims_less ? ">" : "<") + " to bound what is worse");
}

void note_not_first(const question& asked, finding& found) {
    if (!asked.position.asserted_before) return;
    add_note(asked, found, "first in process",
             "assertions ran in the same process before this claim: what they called is not called for the first time any more; give " +
                 asked.text + " a test case of its own");
}

}  // namespace perfspec::detail
