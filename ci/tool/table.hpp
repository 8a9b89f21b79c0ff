// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <span>
#include <string>

namespace perfspec::tool {

/// A row for each test case, a column for each query, in the order of their first records; then what was found of the row's claims, and how long
/// measuring took. A ratio has its interval, compared outputs have their code. What does not hold has its verdict beside the value.
///
/// Of several records of one query in one test case the first that has a value gives it. `compare(a, b, c)` makes a column of each subject's
/// median, and of each speedup over the first, as if they had been asked for one by one.
[[nodiscard]] std::string table_console(std::span<const record> records);

/// The same in GitHub's Markdown.
[[nodiscard]] std::string table_markdown(std::span<const record> records);

}  // namespace perfspec::tool
