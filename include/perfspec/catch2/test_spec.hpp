// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// A Catch2 test specification that matches exactly the test case with this name. It escapes `\`, `,`, `[`, `]`, `"`
/// and a leading `~` or
/// `-`. A leading "exclude:" cannot be escaped, and becomes a wildcard.
[[nodiscard]] std::string test_spec_for(std::string_view test_case);

/// Catch2 arguments that run one test case down one section path with one seed, and report nothing. A program without
/// the test case, as another build may be, accepts them.
[[nodiscard]] std::vector<std::string> quiet_arguments(std::string_view test_case,
                                                       const std::vector<std::string>& sections, unsigned rng_seed);

}  // namespace perfspec
