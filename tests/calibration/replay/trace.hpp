// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace perfspec::testing {

/// Recorded times as a table: a heading of column names, then one row a line, cells separated by commas.
///
///     wall_ns            launch,round,workload,wall_ns         b_first,a_ns,b_ns
///     1005889            001,0,sort,1727057                   1,916796,899214
///
/// Throws input_error for unusable input, with file and line.
class trace {
public:
    explicit trace(std::string file);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] bool has(const std::string& column) const { return columns_.contains(column); }

    /// A column of nanoseconds. Throws for a missing column, and for a cell that is no time.
    [[nodiscard]] std::vector<double> times(const std::string& column) const;

    /// A column of words, such as `workload` or `launch`. Throws for a missing column.
    [[nodiscard]] const std::vector<std::string>& words(const std::string& column) const;

private:
    std::string name_;
    std::map<std::string, std::vector<std::string>> columns_;
};

/// The rows of a column whose column `workload` names this workload. Throws for an unknown workload.
[[nodiscard]] std::vector<double> times_of_workload(const trace& from, const std::string& column,
                                                    const std::string& workload);

/// Without the first 5 %, in which caches, clocks and the scheduler settle.
[[nodiscard]] std::vector<double> settled(std::vector<double> times);

}  // namespace perfspec::testing
