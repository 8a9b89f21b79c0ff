// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/evaluation.hpp>

#include <string>

namespace perfspec::detail {

/// Adds a note to the record, unless this test case has one `about` the same already.
void add_note(evaluation& e, const std::string& about, std::string text);

/// Adds the notes of a fresh process that measured for this claim.
void add_notes(evaluation& e, const record& answer);

/// Notes a bound on the better side: the claim holds as well for a regression.
void note_better_side(evaluation& e);

/// Notes that what runs first in this process is not first any more, where assertions ran before it.
void note_not_first(evaluation& e);

}  // namespace perfspec::detail
