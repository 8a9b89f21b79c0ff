// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/options.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/plan/plan.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// Whether the environment is that of a CI system.
[[nodiscard]] bool is_ci(const environment& env);

/// What the command line gave, not yet read: a host hands over pairs, `resolve` reads them. A later pair of the same option wins.
struct option_values {
    std::vector<std::pair<option_id, std::string>> given;
};

/// One option of the project file (`baseline/project_file.hpp`), whose text is legal.
struct project_option {
    option_id id{option_id::none};
    std::string text;
    std::string place;  ///< "baselines/perfspec.json:3"

    friend bool operator==(const project_option&, const project_option&) = default;
};

/// A command line taken apart: the `--perf-…` arguments, and the others in their order.
struct split_command_line {
    option_values options;
    std::vector<std::string> others;
    bool doctor{};  ///< `--perf-doctor`: what this machine can judge is asked for, not the tests
};

/// The argument that asks for the doctor. It is no option of an evaluation, so that no table, variable or call has it.
inline constexpr std::string_view doctor_argument = "--perf-doctor";
inline constexpr std::string_view doctor_help = "examine this machine and say how small a slowdown it can judge, instead of running tests";

/// Takes `--perf-budget 10s`, `--perf-budget=10s` and `--perf-force` out of the arguments; what follows `--` is left alone.
/// throws input_error for an unknown `--perf-` name, with the nearest known one, a missing value, or one that does not parse.
[[nodiscard]] split_command_line split_options(std::span<const std::string> arguments);

/// Every option of one evaluation, from the call, else the command line, else the environment, else the project file, else the default.
///
/// The policy's default is `ci` where the variable CI is set, not empty, and neither "false" nor "0", or one that a CI system sets which has no
/// such variable: GITHUB_ACTIONS, GITLAB_CI, BUILDKITE, TF_BUILD, TEAMCITY_VERSION, JENKINS_URL, CODEBUILD_BUILD_ID. CI=false overrules these. A PERFSPEC_ variable that is set and empty
/// counts as not set, because CI systems cannot unset one.
///
/// throws input_error for a value that does not parse or is out of range, for against together with an update of baselines, and for a PERFSPEC_ variable that perfspec does not know, with the name
///        as it was spelled, the nearest known name, and a legal value. PERFSPEC_TEST_… belongs to users.
[[nodiscard]] plan resolve(std::span<const option> at_call, const option_values& command_line, const environment& env,
                           std::span<const project_option> project = {});

/// Where the values of that plan came from, for those options that something gives, in the order of the table: {"budget", "call"},
/// {"margin", "command line"}, {"policy", "CI"}, {"rounds", "environment"}, {"undecided", "baselines/perfspec.json:3"}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> option_origins(std::span<const option> at_call,
                                                                              const option_values& command_line, const environment& env,
                                                                              std::span<const project_option> project = {});

}  // namespace perfspec
