// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/option_table.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace perfspec::inline v0_2 {
namespace detail {

void assign_text(plan& p, const option_description& row, std::string_view text) {
    row.assign(p, parse_option(row, text, fmt::format("plan: {}", excerpt(fmt::format("{}={}", row.name, text))),
                               fmt::format("{}={}", row.name, row.legal)));
}

}  // namespace detail

std::vector<std::pair<std::string, std::string>> plan_options(const plan& p) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const option_description& row : option_table()) pairs.emplace_back(row.name, option_text(row, row.read(p)));
    return pairs;
}

plan_message message_of(const plan& p) {
    const auto defaults = plan_options({});
    plan_message message;
    for (const auto& pair : plan_options(p)) {
        const bool is_default = std::ranges::find(defaults, pair) != defaults.end();
        (is_default ? message.defaults : message.set).push_back(pair);
    }
    return message;
}

plan read_plan(const plan_message& message) {
    plan p;
    for (const auto& [name, text] : message.defaults)
        if (const auto* const row = find_option(name)) detail::assign_text(p, *row, text);
    for (const auto& [name, text] : message.set) {
        const auto* const row = find_option(name);
        if (row == nullptr)
            throw input_error(
                fmt::format("plan: {} is not an option of this build; build both programs with one version of perfspec",
                            detail::excerpt(name)));
        detail::assign_text(p, *row, text);
    }
    return p;
}

namespace detail {

/// Variables that are not options: for perfspec's processes, for paths of tools, for ci/test, for what the machine must
/// have, and of CMake's find_package.
constexpr std::string_view reserved_variables[] = {
    "PERFSPEC_CHILD",         "PERFSPEC_JUDGE",       "PERFSPEC_PARENT", "PERFSPEC_PRESET", "PERFSPEC_PYTHON",
    "PERFSPEC_PYTHON_MODULE", "PERFSPEC_REQUIRE_GPU", "PERFSPEC_ROOT",   "PERFSPEC_RUN_ID", "PERFSPEC_TORCH_ROOT"};

std::vector<std::string> outside_names(std::string (*spelling_of)(const option_description&)) {
    std::vector<std::string> names;
    for (const option_description& row : option_table()) {
        if (row.scope != option_scope::call) names.push_back(spelling_of(row));
    }
    return names;
}

/// What to write for an unknown name.
std::string suggestion_for(std::string_view unknown, std::string (*spelling_of)(const option_description&)) {
    const auto names = outside_names(spelling_of);
    if (const auto near = nearest_name(unknown, names)) {
        for (const option_description& row : option_table()) {
            if (spelling_of(row) == *near) return fmt::format("did you mean {}={}?", *near, row.legal);
        }
    }
    return fmt::format("the options are {}.", fmt::join(names, ", "));
}

}  // namespace detail

std::vector<std::string> notes_on_variables(const environment& env) {
    const auto legal_names = detail::outside_names(environment_name);
    std::vector<std::string> notes;
    for (const std::string& name : env.names()) {
        if (!name.starts_with("PERFSPEC_") || name.starts_with("PERFSPEC_TEST_")) continue;
        if (std::ranges::find(legal_names, name) != legal_names.end() ||
            std::ranges::find(detail::reserved_variables, name) != std::end(detail::reserved_variables))
            continue;
        const std::string value = env.get(name).value_or("");
        if (value.empty()) continue;
        const std::string remedy =
            fmt::format("not an option of perfspec; {} Your own variables begin with PERFSPEC_TEST_.",
                        detail::suggestion_for(name, environment_name));
        const bool begins_one = std::ranges::any_of(legal_names, [&](const auto& n) { return n.starts_with(name); });
        if (begins_one || nearest_name(name, legal_names))
            throw input_error(fmt::format("{}={}: {}", name, value, remedy));
        notes.push_back(fmt::format("{}: {}", name, remedy));
    }
    return notes;
}

namespace detail {

/// Variables that CI systems set. Azure Pipelines, TeamCity, Jenkins and AWS CodeBuild do not set CI.
constexpr const char* ci_variables[] = {"CI",       "GITHUB_ACTIONS",   "GITLAB_CI",   "BUILDKITE",
                                        "TF_BUILD", "TEAMCITY_VERSION", "JENKINS_URL", "CODEBUILD_BUILD_ID"};

/// The variable that identifies a CI system. Empty without one, or if CI is "false" or "0".
std::string ci_variable(const environment& env) {
    const auto denies = [](const std::string& value) { return value == "false" || value == "0"; };
    if (denies(env.get("CI").value_or(""))) return {};
    for (const char* name : ci_variables) {
        const std::string value = env.get(name).value_or("");
        if (!value.empty() && !denies(value)) return name;
    }
    return {};
}

option_value parse_argument(const option_description& row, const std::string& value) {
    const std::string name = command_line_name(row);
    return parse_option(row, value, fmt::format("{}={}", name, value), fmt::format("{}={}", name, row.legal));
}

const option_description& command_line_row(std::string_view name, const std::string& argument) {
    for (const option_description& row : option_table()) {
        if (row.scope != option_scope::call && command_line_name(row) == name) return row;
    }
    throw input_error(
        fmt::format("{}: not an option of perfspec; {}", argument, suggestion_for(name, command_line_name)));
}

/// An option of the command line, and whether its value is the next argument.
struct option_argument {
    option_id id{option_id::none};
    std::string value;
    bool takes_next{};
};

/// next  the argument after it; null if it is the last one
option_argument read_option(const std::string& argument, const std::string* next) {
    const auto sign = argument.find_first_of("=:");
    const bool has_value = sign != std::string::npos;
    const option_description& row = command_line_row(std::string_view(argument).substr(0, sign), argument);
    const bool takes_next = !has_value && row.bare.empty();
    if (takes_next && next == nullptr)
        throw input_error(
            fmt::format("{}: the value is missing; write for example {}={}", argument, argument, row.legal));
    std::string value = has_value ? argument.substr(sign + 1) : takes_next ? *next : std::string(row.bare);
    static_cast<void>(parse_argument(row, value));
    return {row.id, std::move(value), takes_next};
}

void refuse_contradictions(const plan& p) {
    if (!p.baseline_build.empty() && p.update != baseline_update::none)
        throw input_error(
            "baseline_build and update_baselines are both set, but the first only compares with another build, and the "
            "second only stores: leave out PERFSPEC_BASELINE_BUILD or PERFSPEC_UPDATE_BASELINES");
    if (p.allow_regression && p.update != baseline_update::none)
        throw input_error(
            "allow_regression and update_baselines are both set, but an update decides by each claim's own bound which "
            "values to store: leave out PERFSPEC_ALLOW_REGRESSION or PERFSPEC_UPDATE_BASELINES");
    if (p.allow_regression && p.ci == ci_rules::on)
        throw input_error(
            "allow_regression is set in CI, where false claims would pass unseen: leave out PERFSPEC_ALLOW_REGRESSION, "
            "or, if a person reads the verdicts, add PERFSPEC_CI=off");
}

}  // namespace detail

bool is_ci(const environment& env) { return !detail::ci_variable(env).empty(); }

split_command_line split_options(std::span<const std::string> arguments) {
    split_command_line split;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--") {
            split.others.insert(split.others.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                                arguments.end());
            break;
        }
        if (argument == doctor_argument) {
            split.doctor = true;
        } else if (!argument.starts_with("--perf-")) {
            split.others.push_back(argument);
        } else {
            auto option = detail::read_option(argument, i + 1 < arguments.size() ? &arguments[i + 1] : nullptr);
            split.options.emplace_back(option.id, std::move(option.value));
            if (option.takes_next) ++i;
        }
    }
    return split;
}

plan resolve(std::span<const option> at_call, const option_values& command_line, const environment& env,
             std::span<const project_option> project) {
    static_cast<void>(notes_on_variables(env));
    plan p;
    for (const project_option& set : project) {
        const option_description& row = describe(set.id);
        row.assign(p, parse_option(row, set.text, fmt::format("{}: {}", set.place, row.name), row.legal));
    }
    for (const option_description& row : option_table()) {
        if (row.scope == option_scope::call) continue;
        const std::string name = environment_name(row);
        const std::string value = env.get(name).value_or("");
        if (!value.empty())
            row.assign(
                p, parse_option(row, value, fmt::format("{}={}", name, value), fmt::format("{}={}", name, row.legal)));
    }
    for (const auto& [id, value] : command_line) {
        const option_description& row = describe(id);
        row.assign(p, detail::parse_argument(row, value));
    }
    for (const option& set : at_call) describe(set.id).assign(p, call_value(set));
    if (p.ci == ci_rules::automatic) p.ci = is_ci(env) ? ci_rules::on : ci_rules::off;
    detail::refuse_contradictions(p);
    return p;
}

std::vector<std::pair<std::string, std::string>> option_origins(std::span<const option> at_call,
                                                                const option_values& command_line,
                                                                const environment& env,
                                                                std::span<const project_option> project) {
    std::vector<std::pair<std::string, std::string>> origins;
    for (const option_description& row : option_table()) {
        const auto in_file = std::ranges::find(project, row.id, &project_option::id);
        std::string origin;
        if (std::ranges::find(at_call, row.id, &option::id) != at_call.end()) origin = "call";
        else if (std::ranges::any_of(command_line, [&](const auto& set) { return set.first == row.id; }))
            origin = "command line";
        else if (row.scope != option_scope::call && !env.get(environment_name(row)).value_or("").empty())
            origin = "environment";
        else if (in_file != project.end()) origin = in_file->place;
        else if (row.id == option_id::ci) origin = detail::ci_variable(env);
        if (!origin.empty()) origins.emplace_back(row.name, std::move(origin));
    }
    return origins;
}

waiver_ceiling ceiling_of(const waiver& w) {
    const std::string_view text = w.ceiling;
    constexpr double maximum = 10.0;
    if (text.ends_with('%') || text.ends_with("pct")) {
        const auto fraction = parse_fraction(text);
        const bool is_legal = fraction && *fraction > 0.0 && *fraction <= maximum;
        return {.fraction = is_legal ? fraction : std::nullopt};
    }
    if (const auto number = parse_number(text)) return {.value = *number >= 0.0 ? number : std::nullopt};
    return {.value = parse_duration(text), .is_duration = true};
}

void check_waiver(const waiver& w, std::string_view spelled) {
    const waiver_ceiling ceiling = ceiling_of(w);
    if (!ceiling.fraction && !ceiling.value)
        throw input_error(fmt::format(
            "{}: the ceiling {} is neither a percentage above 0% and at most 1000%, nor a value; write for example \"20%\", "
            "\"150us\" or \"3\"",
            spelled, detail::excerpt(w.ceiling)));
    if (!is_day(w.until))
        throw input_error(fmt::format("{}: the last day {} is not a day; write for example \"2027-01-31\"", spelled,
                                      detail::excerpt(w.until)));
}

bool covers(const waiver& w, std::string_view key) noexcept { return detail::matches_pattern(key, w.key); }

bool is_day(std::string_view text) { return detail::seconds_of_utc(std::string(text) + "T00:00:00Z").has_value(); }

}  // namespace perfspec::inline v0_2
