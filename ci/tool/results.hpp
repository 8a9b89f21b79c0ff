// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tool.hpp"

#include <perfspec/report/json_lines.hpp>
#include <perfspec/report/record.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// A line of results, and where it stood.
struct result_line {
    json_line_kind kind = json_line_kind::result;
    record about{};          ///< of a `started` line, what identifies the measurement
    std::string_view raw{};  ///< the line as it stands in the file, without its end
    std::string path{};
    std::size_t number = 0;

    /// "results.jsonl:12".
    [[nodiscard]] std::string place() const;
};

/// Where the record's launches are stored. The record must outlive it.
[[nodiscard]] inline entry_address address_of(const record& r) noexcept { return {r.hardware_key, r.build_variant, r.suite, r.key}; }

/// The lines of files of results, in their order.
struct results {
    std::vector<result_line> lines{};
    std::vector<std::string> notes{};  ///< what was tolerated
    std::size_t cut_short{};           ///< lines that end in the middle, each with a note: some result is lost

    /// The lines with a result.
    [[nodiscard]] std::vector<const result_line*> finished() const;
    /// The `started` lines that no result followed: a crash, or a time-out.
    [[nodiscard]] std::vector<const result_line*> unfinished() const;
};

/// A longer line is no result.
inline constexpr std::size_t max_bytes_of_a_line = std::size_t{16} << 20;
/// A longer file is no file of results.
inline constexpr std::size_t max_bytes_of_results = std::size_t{1} << 30;

/// What a file without a line is.
enum class empty_file : std::uint8_t { refused, empty_shard };

/// Reads what `--perf-output` wrote; the texts must outlive the results.
///
/// A line that ends in the middle, as a killed process leaves it, is left out with a note, and what another process appended to it is read; so
/// nobody's result is lost with another's. Empty lines are skipped.
/// Throws input_error that names file and line: for anything else that is no line of results, another schema, a line that is too long, and
/// a file without a line, unless it is empty and may be.
[[nodiscard]] results read_results(std::span<const input_text> files, empty_file empty = empty_file::refused);

}  // namespace perfspec::tool
