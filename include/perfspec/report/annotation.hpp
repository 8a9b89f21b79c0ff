// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <string>
#include <string_view>

namespace perfspec::inline v0_2 {
namespace detail {

/// The text, with each of these characters as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text, std::string_view characters);

/// The path relative to this folder if it is inside; otherwise unchanged.
[[nodiscard]] std::string_view below(std::string_view folder, std::string_view path);

}  // namespace detail

/// Writes the record as a workflow command of GitHub Actions, which shows it at the claim's line: `::error file=…` if
/// it fails its test, `::warning file=…` if it is undecided, skipped, or only warns. Empty for all others.
///
/// workspace  the checkout ($GITHUB_WORKSPACE): paths of files in it become relative, as GitHub expects
[[nodiscard]] std::string render_annotation(const record& r, std::string_view workspace);

}  // namespace perfspec::inline v0_2
