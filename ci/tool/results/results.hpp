// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../tool.hpp"

#include <perfspec/report/json_lines.hpp>
#include <perfspec/report/record.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace perfspec::tool {

/// A line of results, and its place in a file.
struct result_line {
    json_line_kind kind = json_line_kind::result;
    record about{};          ///< for a `started` line, only the fields that identify the measurement
    std::string_view raw{};  ///< the line in the file, without its end
    std::string path{};
    std::size_t number = 0;

    /// "results.jsonl:12".
    [[nodiscard]] std::string place() const;
};

/// Identifies a measurement: the same in its `started` line and in its result.
using measurement_identity = std::tuple<std::string, std::string, std::string, std::string, std::string, std::vector<std::string>,
                                        std::string, std::string, std::string, int>;
[[nodiscard]] measurement_identity identity_of(const record& r);

/// The address of the record's launches in a baseline file. The record must outlive it.
[[nodiscard]] inline entry_address address_of(const record& r) noexcept { return {r.hardware_key, r.build_variant, r.suite, r.key}; }

/// The lines of files of results, in their order.
struct results {
    std::vector<result_line> lines{};
    std::vector<std::string> notes{};  ///< on faults that were tolerated
    std::size_t cut_short{};           ///< the number of lines that end in the middle, each with a note: their results are lost

    /// The lines with a result.
    [[nodiscard]] std::vector<const result_line*> finished() const;
    /// The `started` lines without a result: a crash, or a time-out.
    [[nodiscard]] std::vector<const result_line*> unfinished() const;
};

/// A longer line is not a result.
inline constexpr std::size_t max_bytes_of_a_line = std::size_t{16} << 20;
/// A longer file is not a file of results.
inline constexpr std::size_t max_bytes_of_results = std::size_t{1} << 30;

/// How to treat an empty file.
enum class empty_file : std::uint8_t { refused, empty_shard };

/// Reads the output of `--perf-output`. The texts must outlive the results.
///
/// A killed process leaves a line that ends in the middle. Such a line is left out with a note, but text that another process appended to
/// it is read: no result is lost with another's. Empty lines are skipped.
///
/// Throws input_error for any other line that is not one of results, another schema, and a line that is too
/// long. The text names file and line.
/// Throws input_error also for a file without a line, unless it is empty and `empty` allows that.
[[nodiscard]] results read_results(std::span<const input_text> files, empty_file empty = empty_file::refused);

}  // namespace perfspec::tool
