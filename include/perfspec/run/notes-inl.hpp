// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/notes.hpp>

#include <utility>

namespace perfspec::detail {

void add_note(evaluation& e, const std::string& about, std::string text) {
    if (e.context.is_first_note(e.position.test, about)) e.out.notes.push_back(std::move(text));
}

void add_notes(evaluation& e, const record& answer) {
    // Launches of one claim find the same, with other figures.
    for (std::size_t i = 0; i < answer.notes.size(); ++i) add_note(e, e.out.key + " " + std::to_string(i), answer.notes[i]);
}

void note_better_side(evaluation& e) {
    const expression_node& claimed = e.asked.tree;
    const bool on_one_side = claimed.bound == bound_kind::value || claimed.bound == bound_kind::baseline;
    if (!on_one_side || claimed.tolerance || claimed.compared == comparison::equal) return;
    const bool claims_less = sign_of(claimed.compared) < 0.0;
    const bool less_is_better = e.query().direction == better::less;
    if (claims_less == less_is_better) return;
    add_note(e, "side of " + e.out.query,
             "this claims that " + e.out.query + (claims_less ? " is at most so much, and more" : " is at least so much, and less") +
                 " is better: it holds as well when it gets worse; write " + (claims_less ? ">" : "<") + " to bound what is worse");
}

void note_not_first(evaluation& e) {
    if (!e.position.asserted_before) return;
    add_note(e, "first in process",
             "assertions ran in the same process before this claim: what they called is not called for the first time any more; give " +
                 e.out.query + " a test case of its own");
}

}  // namespace perfspec::detail
