// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>

#include <string>

namespace perfspec::detail {

/// Adds a note to the finding, unless this test case has one `about` the same already.
void add_note(const question& asked, finding& found, const std::string& about, std::string text);

/// Adds the notes of a fresh process that measured for this claim.
void add_notes(const question& asked, finding& found, const record& answer);

/// Notes a bound on the better side: the claim holds as well for a regression.
void note_better_side(const question& asked, finding& found);

/// Notes that what runs first in this process is not first any more, where assertions ran before it.
void note_not_first(const question& asked, finding& found);

}  // namespace perfspec::detail
