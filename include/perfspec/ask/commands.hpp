// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// A word for a POSIX shell: `it's` is `'it'\''s'`.
[[nodiscard]] std::string shell_quoted(std::string_view text);

/// A regular expression of ctest for the test case of this name, and for no other. Catch2 drops a blank at the end of a prefix, or does not.
[[nodiscard]] std::string ctest_pattern(std::string_view prefix, std::string_view name);

namespace detail {

/// What runs the assertion's test again, for a shell that stands anywhere.
[[nodiscard]] std::string run_again(const question& asked);

/// What stores the launches of this finding from its results, for who stands at the top of a checkout with the artefact beside: "perfspec accept
/// 'results.jsonl' --baseline-dir 'baselines'". Empty where no results are written, or they are too few launches, or stored already.
[[nodiscard]] std::string accept_from_results(const question& asked, const finding& found);

/// A path as it was given, from the root on: whoever reads or pastes it stands somewhere else. Relative ones begin at the working directory
/// that this program was started in.
[[nodiscard]] std::string absolute_path(const session& context, const std::string& given);

/// A folder from the top of its repository on, for who stands there; as it is where it lies in none.
[[nodiscard]] std::string from_repository(const file_system& files, const std::string& folder);

using text_pairs = std::vector<std::pair<std::string, std::string>>;

/// The commands that run the assertion again and that accept its value as baseline, by name, where they can be known. None where the claim holds.
[[nodiscard]] text_pairs commands_for(const question& asked, const finding& found);

}  // namespace detail
}  // namespace perfspec
