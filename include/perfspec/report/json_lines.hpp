// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// The version that these functions write; `record.schema.json` describes it. An older one is read, a newer one refused.
inline constexpr int json_lines_schema = 1;

/// What a line is: a measurement has started; an assertion has its result. A `started` line without a result is a crash or a time-out.
enum class json_line_kind : std::uint8_t { started, result };

/// One record as one line of JSON, without a line break at its end; every field, in the order of `record.schema.json`.
///
/// Numbers are written so that they read back exactly. JSON has no infinities and no NaN: they are the strings "inf", "-inf" and "nan".
/// Bytes that are no UTF-8 are replaced by U+FFFD. Beside the fields of the record stand those of PyTorch/XLA's results.jsonl (`model`,
/// `experiment`, `repeat`, `iterations_per_run`, `metrics` in seconds, `timestamp`, `verification_code`) and `accuracy` of its benchmarks/dynamo, null where perfspec has no such thing.
[[nodiscard]] std::string to_json_line(const record& r);

/// The line that precedes a measurement: what identifies it, and no result.
[[nodiscard]] std::string to_started_line(const record& about);

/// The record of a line of either kind; what a line does not have keeps its default, what it has besides is ignored.
/// throws input_error for what is no such line, for a result without time, key, verdict and failed, or one that failed though its verdict fails no test, saying what is wrong and where; the caller knows the file and adds its name.
[[nodiscard]] record from_json_line(std::string_view line);

/// Whether a line is a start or a result. throws as `from_json_line` does.
[[nodiscard]] json_line_kind kind_of_json_line(std::string_view line);

/// What stands on one line of a file.
struct json_line_part {
    std::string_view text;
    bool is_cut{};  ///< it ends in the middle, as a killed process or a full disk leaves it
};

/// A line of a file taken apart where a line of perfspec begins in it: what was cut short has no line end, so that another line follows on the
/// same one. In a whole line that is the line itself; so is a text that is no line of perfspec from its beginning.
[[nodiscard]] std::vector<json_line_part> parts_of_json_line(std::string_view line);

}  // namespace perfspec
