// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/results.hpp"
#include "../results/two_runs.hpp"
#include "source_pages.hpp"

#include <string>

namespace perfspec::tool {

/// A report for a browser: one HTML file that loads nothing from elsewhere. It has a table of all claims, those that need work first, and
/// for each claim a view with its distributions, launches, bound, parts, machine, commands, and every field of its record.
///
/// The records stand in it as JSON, which the page's script turns into text nodes: no name in them can become markup.
///
/// before  an earlier run; the page lists the verdicts that changed, and shows its values beside those of now
[[nodiscard]] std::string report_page(const results& found, const source_pages& pages = {}, const earlier_run* before = nullptr);

}  // namespace perfspec::tool
