// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <string>

namespace perfspec::testing {

/// Whether a note on the claim contains this text.
[[nodiscard]] inline bool has_note(const record& r, const std::string& text) {
    return std::ranges::any_of(r.notes, [&](const std::string& note) { return note.find(text) != note.npos; });
}

}  // namespace perfspec::testing
