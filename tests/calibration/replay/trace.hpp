// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::testing {

/// Recorded times as a table: a heading of column names, then one row a line, cells separated by commas.
///
///     wall_ns            launch,round,workload,wall_ns        b_first,a_ns,b_ns
///     1005889            001,0,sort,1727057                   1,916796,899214
///
/// Everything that cannot be used throws input_error: file, line, column, what was found, a legal value.
class trace {
public:
    /// Throws for a file that cannot be read, and as parse does.
    [[nodiscard]] static trace read(const std::filesystem::path& file);

    /// Throws for no heading, a column name that is a number, empty or there twice, no rows, and a row that has more or
    /// fewer cells than the heading. `name` stands for the file in messages.
    [[nodiscard]] static trace parse(std::istream& in, std::string name);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
    [[nodiscard]] std::size_t rows() const noexcept { return cells_.size() / columns_.size(); }
    [[nodiscard]] bool has(std::string_view column) const noexcept;

    /// A column of nanoseconds. Throws for a column that is not there, and for a cell that is no number, not finite, or
    /// not above 0.
    [[nodiscard]] std::vector<double> times(std::string_view column) const;

    /// A column as it stands, such as `workload` or `launch`. Throws for a column that is not there, and for an empty
    /// cell.
    [[nodiscard]] std::vector<std::string> words(std::string_view column) const;

private:
    explicit trace(std::string name) : name_(std::move(name)) {}

    [[nodiscard]] std::size_t index_of(std::string_view column) const;
    void set_heading(const std::string& line);
    void add_row(const std::string& line);

    std::string name_;
    std::vector<std::string> columns_;
    std::vector<std::string> cells_;  // row by row
};

/// The rows of one workload: of a column of the same trace, those where the column `workload` says so. Throws for a
/// workload that is not there, naming those that are.
[[nodiscard]] std::vector<double> times_of_workload(const trace& from, std::string_view column,
                                                    std::string_view workload);

/// Without the first 5 %, while which caches, clocks and the scheduler settle.
[[nodiscard]] std::vector<double> settled(std::vector<double> times);

}  // namespace perfspec::testing
