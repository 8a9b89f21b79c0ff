// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// The plan as names and values in the order of the table, for records. Each pair may be given again, as an argument or
/// as a variable.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_options(const plan& p);

/// The plan as one line for one environment variable: "budget=10s;?cap=120s;…". `plan_from_text` gives exactly the same
/// plan back. A question mark marks a value that is the default of the build that writes. A build that reads ignores
/// such a pair if it lacks the option, so builds of different releases can measure together. If it has the option but
/// lacks the word, it refuses the text.
[[nodiscard]] std::string to_text(const plan& p);
/// Throws input_error if the text names an option that this build lacks without a question mark, or has a value that
/// does not parse. An option that the text does not name keeps its default.
[[nodiscard]] plan plan_from_text(std::string_view text);

}  // namespace perfspec
