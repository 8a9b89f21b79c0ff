// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <string>
#include <string_view>

namespace perfspec {
namespace detail {

/// The text, with each of these characters as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text, std::string_view characters);

/// The path relative to this folder if it is inside; otherwise unchanged.
[[nodiscard]] std::string_view below(std::string_view folder, std::string_view path);

}  // namespace detail

/// Writes the record as a workflow command of GitHub Actions, which shows it at the claim's line.
///
/// A record that fails its test gives `::error file=sort_test.cpp,line=12,title=…::…`. One that is undecided or not
/// judged, or that only warns, gives `::warning …`. The text has no line break at its end. It is empty for a claim that
/// holds, for a query that was recorded, and for a claim that was not judged on request.
///
/// workspace  the checkout ($GITHUB_WORKSPACE): paths of files inside are relative to it, because GitHub finds them so
[[nodiscard]] std::string render_annotation(const record& r, std::string_view workspace);

}  // namespace perfspec
