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

/// The options of the command line as text. A host collects the pairs; `resolve` reads them. A later pair of the same
/// option wins.
using option_values = std::vector<std::pair<option_id, std::string>>;

/// One option of the project file (`baseline/project_file.hpp`). Its text is legal.
struct project_option {
    option_id id{option_id::none};
    std::string text;
    std::string place;  ///< "baselines/perfspec.json:3"

    friend bool operator==(const project_option&, const project_option&) = default;
};

/// A command line, split into the `--perf-…` arguments and the others, in their order.
struct split_command_line {
    option_values options;
    std::vector<std::string> others;
    bool doctor{};  ///< `--perf-doctor`: the user asks what this machine can judge, and runs no tests
};

/// The argument that asks for the doctor. It is not an option of an evaluation: no table, variable or call has it.
inline constexpr std::string_view doctor_argument = "--perf-doctor";
inline constexpr std::string_view doctor_help =
    "instead of running tests, examine this machine and print the smallest slowdown that it can detect";

/// Takes `--perf-budget 10s`, `--perf-budget=10s` and `--perf-force` out of the arguments. Leaves everything from `--`
/// on alone. Throws input_error for an unknown `--perf-` name, for a missing value, and for a value that does not
/// parse. It suggests the nearest known name.
[[nodiscard]] split_command_line split_options(std::span<const std::string> arguments);

/// Resolves every option of one evaluation. The call wins, then the command line, the environment, the project file,
/// and last the default.
///
/// The policy's default is `ci` if one of these variables is set, and is not empty, "false" or "0": CI, GITHUB_ACTIONS,
/// GITLAB_CI, BUILDKITE, TF_BUILD, TEAMCITY_VERSION, JENKINS_URL, CODEBUILD_BUILD_ID. CI=false and CI=0 overrule the
/// others. An empty PERFSPEC_ variable counts as not set, because CI systems cannot unset one.
///
/// Throws input_error for a value that does not parse or is out of range, for `against` together with an update of
/// baselines, and for a PERFSPEC_ variable that perfspec does not know. The text names the option as it was spelled and
/// a legal value, and suggests the nearest known name. Users may use names that begin with PERFSPEC_TEST_.
[[nodiscard]] plan resolve(std::span<const option> at_call, const option_values& command_line, const environment& env,
                           std::span<const project_option> project = {});

/// Where the given options of that plan come from, in the order of the table: {"budget", "call"}, {"margin", "command
/// line"}, {"policy", "CI"}, {"rounds", "environment"}, {"undecided", "baselines/perfspec.json:3"}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> option_origins(
    std::span<const option> at_call, const option_values& command_line, const environment& env,
    std::span<const project_option> project = {});

}  // namespace perfspec
