// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// The claim in the text of a macro's arguments: the text before the last `options` top-level commas, trimmed. It understands brackets,
/// quotes, character literals and digit separators.
///
///     claim_in("latency(f) < 3ms, budget(2s)", 1) == "latency(f) < 3ms"
[[nodiscard]] std::string_view claim_in(std::string_view arguments, std::size_t options);

/// The texts of the subjects in a claim, from left to right: the arguments of its query functions.
///
///     subjects_in("latency(b) < 0.8 * latency([&] { f(1, 2); })") == {"b", "[&] { f(1, 2); }"}
[[nodiscard]] std::vector<std::string> subjects_in(std::string_view claim);

/// A subject's text as part of a key, with spaces folded. A text of more than 60 characters becomes its beginning and a hash of the whole.
[[nodiscard]] std::string name_from_text(std::string_view text);

}  // namespace perfspec
