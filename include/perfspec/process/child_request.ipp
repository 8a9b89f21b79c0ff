// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child_request.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/process/whole_number.hpp>
#include <perfspec/quantity/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace perfspec {

namespace detail {

/// In the order of child_task.
constexpr std::string_view task_words[] = {"confirm", "launch", "serve"};

/// Takes `<name><value>` and the blank after it from the front of `text`; nothing where it does not begin so.
[[nodiscard]] inline std::optional<std::string_view> take_field(std::string_view& text, std::string_view name) {
    if (text.substr(0, name.size()) != name) return std::nullopt;
    text.remove_prefix(name.size());
    const auto value = text.substr(0, text.find(' '));
    text.remove_prefix(value.size() + (value.size() < text.size() ? 1U : 0U));
    return value;
}

[[noreturn]] inline void refuse_child_variable(std::string_view found, std::string_view what) {
    throw input_error(
        fmt::format("PERFSPEC_CHILD: {}, found {}, expected such as \"version={} task=confirm seed=42 descriptor=3\"; perfspec "
                    "sets this variable for its children: unset it to run this program yourself",
                    what, excerpt(found), child_protocol_version));
}

inline void require_own_version(std::string_view found, std::optional<std::string_view> version) {
    const auto number = version ? whole_number<unsigned>(*version) : std::nullopt;
    if (!number) refuse_child_variable(found, "no version");
    if (*number == child_protocol_version) return;
    throw input_error(
        fmt::format("PERFSPEC_CHILD: the program that started this one speaks version {} and this one version {}; build both with "
                    "one version of perfspec",
                    *number, child_protocol_version));
}

/// The task, seed and descriptor of PERFSPEC_CHILD.
[[nodiscard]] inline child_request parse_child_variable(std::string_view found) {
    std::string_view rest = found;
    require_own_version(found, take_field(rest, "version="));
    child_request request;
    const auto task = take_field(rest, "task=").value_or("");
    const auto known = std::ranges::find(task_words, task);
    if (known == std::end(task_words)) refuse_child_variable(found, "no task confirm, launch or serve");
    request.task = static_cast<child_task>(known - std::begin(task_words));
    const auto seed = take_field(rest, "seed=");
    const auto seed_number = seed ? whole_number<std::uint64_t>(*seed) : std::nullopt;
    if (!seed_number) refuse_child_variable(found, "no seed");
    const auto descriptor = take_field(rest, "descriptor=");
    const auto descriptor_number = descriptor ? whole_number<int>(*descriptor) : std::nullopt;
    const auto requests = request.task == child_task::serve ? take_field(rest, "requests=") : std::nullopt;
    const auto requests_number = requests ? whole_number<int>(*requests) : std::nullopt;
    if (request.task == child_task::serve && !requests_number) refuse_child_variable(found, "no descriptor of requests");
    if (!descriptor_number || !rest.empty()) refuse_child_variable(found, "no descriptor at the end");
    request.seed = *seed_number;
    request.result_descriptor = *descriptor_number;
    request.request_descriptor = requests_number.value_or(child_request_descriptor);
    return request;
}

}  // namespace detail

std::vector<std::pair<std::string, std::string>> child_environment(std::vector<std::pair<std::string, std::string>> base,
                                                                   const child_request& request) {
    if (request.plan.find('\0') != std::string::npos)
        throw input_error(
            fmt::format("plan of a child: found a NUL in {}, which an environment variable cannot carry; remove it from the option",
                        detail::excerpt(request.plan)));
    auto child = fmt::format("version={} task={} seed={} descriptor={}", child_protocol_version,
                             detail::task_words[static_cast<std::size_t>(request.task)], request.seed, request.result_descriptor);
    if (request.task == child_task::serve) child += fmt::format(" requests={}", request.request_descriptor);
    auto variables = detail::with_variable(std::move(base), "PERFSPEC_CLAIM", to_text(request.address));
    variables = detail::with_variable(std::move(variables), "PERFSPEC_PLAN", request.plan);
    return detail::with_variable(std::move(variables), "PERFSPEC_CHILD", child);
}

std::optional<child_request> read_child_request(const environment& variables) {
    const auto child = variables.get("PERFSPEC_CHILD");
    const auto claim = variables.get("PERFSPEC_CLAIM");
    const auto plan = variables.get("PERFSPEC_PLAN");
    if (!child && !claim && !plan) return std::nullopt;
    if (!child || !claim || !plan)
        throw input_error(
            fmt::format("environment: {} without {}, expected PERFSPEC_CLAIM, PERFSPEC_PLAN and PERFSPEC_CHILD or none of them; "
                        "perfspec sets them for its children: unset them to run this program yourself",
                        child   ? "PERFSPEC_CHILD"
                        : claim ? "PERFSPEC_CLAIM"
                                : "PERFSPEC_PLAN",
                        !child   ? "PERFSPEC_CHILD"
                        : !claim ? "PERFSPEC_CLAIM"
                                 : "PERFSPEC_PLAN"));
    child_request request = detail::parse_child_variable(*child);
    request.address = parse_claim_address(*claim);
    request.plan = *plan;
    return request;
}

}  // namespace perfspec
