// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/keyed_file.hpp>
#include <perfspec/baseline/stored_launch.hpp>

#include <string>
#include <string_view>

namespace perfspec {

/// One file of baselines; `baselines/README.md` describes the format, `baselines/schema.json` is its JSON Schema.
using baseline_file = keyed_file<baseline_entry>;

/// Reads the text of a baseline file.
///
/// path    names the file in errors
/// Throws  input_error for text that is not JSON (a merge conflict is named as such), a member that is unknown or
/// occurs twice, a number
///         that is not finite or cannot be a measurement, too much nesting or too many values, and an unknown or newer
///         schema version. The message names file and line, what was found, a legal value and the remedy.
[[nodiscard]] baseline_file parse_baseline_file(std::string_view text, std::string_view path);

/// The text of a baseline file: entries sorted by key, one recording session a line.
///
/// The same values give the same bytes, and render(parse(text)) is text for every text that render wrote.
/// Throws input_error for an entry that fault_of refuses.
[[nodiscard]] std::string render_baseline_file(const baseline_file& file);

}  // namespace perfspec
