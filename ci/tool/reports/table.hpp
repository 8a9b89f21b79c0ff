// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <span>
#include <string>

namespace perfspec::tool {

/// A table with a row for each test case and a column for each query, in the order of their first records. Further columns show the
/// verdicts of the row's claims, and the measuring time. A ratio is shown with its interval, compared outputs with their code. A claim that
/// is violated, undecided or invalid has its verdict beside the value.
///
/// Where a test case has several records of one query, the first with a value counts. `compare(a, b, c)` gives a column for each subject's
/// median and for each speedup over the first subject, like separate queries.
[[nodiscard]] std::string table_console(std::span<const record> records);

/// The same table in GitHub's Markdown.
[[nodiscard]] std::string table_markdown(std::span<const record> records);

}  // namespace perfspec::tool
