// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The texts of the whole table.

namespace perfspec {

/// The plan as names and values, in table order; each pair can be given again on the command line or in the environment. For records.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_options(const plan& p);

/// The plan as one line for one environment variable: "budget=10s;?cap=120s;…". `plan_from_text` gives the same plan back, exactly. A question mark
/// stands before what is the default of the build that writes: a build that reads and lacks that option passes over it, so that one of another
/// release measures too. A word that it lacks, of an option that it has, stops it.
[[nodiscard]] std::string to_text(const plan& p);
/// throws input_error when the text names an option that this build does not have, or a value that does not parse. An option that the text does
/// not name keeps its default.
[[nodiscard]] plan plan_from_text(std::string_view text);

/// The lines of `--help` about options, one an option, with default and the other spellings.
[[nodiscard]] std::string option_help();

}  // namespace perfspec
