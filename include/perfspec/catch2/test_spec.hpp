// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// A Catch2 test specification that matches the test case of this name, whatever it holds: `\`, `,`, `[`, `]` and leading `~`, `-`, `"`
/// are escaped; a leading "exclude:", which has no escape, becomes a wildcard.
[[nodiscard]] std::string test_spec_for(std::string_view test_case);

/// Catch2's arguments with which a run reports to nobody, and is content with a selection that no test matches: another build may not have it.
[[nodiscard]] std::vector<std::string> quiet_arguments(unsigned rng_seed);

/// Catch2's arguments that run one test case down one section path with one seed and report nothing to anybody.
[[nodiscard]] std::vector<std::string> quiet_arguments(std::string_view test_case, const std::vector<std::string>& sections,
                                                       unsigned rng_seed);

}  // namespace perfspec
