// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/record_fields.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2::detail {

/// The value of an axis, if the record has it.
[[nodiscard]] std::optional<std::string> axis_of(const record& r, std::string_view name);

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {

/// The version that these functions write; `record.schema.json` describes it. They read older versions and refuse newer
/// ones.
inline constexpr int json_lines_schema = 1;

/// The kind of a line: a measurement has started, or an assertion has its result. A `started` line without a result is
/// a crash or time-out.
enum class json_line_kind : std::uint8_t { started, result };

/// Writes one record as one line of JSON, without a line break at its end. It has every field, in the order of
/// `record.schema.json`.
///
/// Numbers read back exactly. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string to_json_line(const record& r);

/// Writes the line that precedes a measurement. It identifies the measurement, and has no result.
[[nodiscard]] std::string to_started_line(const record& about);

/// Reads the record of a line of either kind. A missing field keeps its default; an unknown one is ignored. Throws
/// input_error for any other text; for a result without time, key, verdict or failed; and for one that failed though
/// its verdict fails no test. The message says what is wrong and where; the caller adds the file's name.
[[nodiscard]] record from_json_line(std::string_view line);

struct json_line {
    json_line_kind kind{json_line_kind::result};
    record about;  ///< of a `started` line, only the fields that identify the measurement
};

/// Reads a line and its kind. Throws as `from_json_line` does.
[[nodiscard]] json_line read_json_line(std::string_view line);

/// Appends a line to a file of results. Parallel processes may share the file, because each line is one write.
/// Throws input_error, which names the file, if it cannot be written.
void append_result(file_system& files, const std::string& path, const std::string& line);

}  // namespace perfspec::inline v0_2
