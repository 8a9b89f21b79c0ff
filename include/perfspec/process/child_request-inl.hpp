// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child_request.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace perfspec {
namespace detail {

variable_list with_variable(variable_list variables, std::string_view name, std::string_view value) {
    std::erase_if(variables, [name](const auto& variable) { return variable.first == name; });
    variables.emplace_back(name, value);
    return variables;
}

}  // namespace detail

std::string to_text(const claim_address& address) { return fmt::format("{}#{}", address.key, address.occurrence); }

claim_address parse_claim_address(std::string_view text) {
    const auto separator = text.rfind('#');
    if (separator != text.npos && separator != 0)
        if (const auto occurrence = detail::whole_number<unsigned>(text.substr(separator + 1)))
            return {std::string(text.substr(0, separator)), *occurrence};
    throw input_error(fmt::format(
        "PERFSPEC_CHILD: found the claim {}, expected a key and the number of its evaluation such as \"suite / sort / "
        "latency(sort)#0\"; perfspec sets this variable for its children: unset it to run this program yourself",
        detail::excerpt(text)));
}

namespace detail {

/// In the order of child_task.
constexpr std::string_view task_words[] = {"confirm", "launch", "serve"};
/// In the order of compared_side.
constexpr std::string_view side_words[] = {"first", "second"};
/// In the order of tolerance_end.
constexpr std::string_view end_words[] = {"loss", "gain"};

[[noreturn]] inline void refuse_child_variable(std::string_view found, std::string_view what) {
    throw input_error(fmt::format(
        "PERFSPEC_CHILD: {}, found {}, expected such as \"version={} confirm claim=sort#0 seed=42 descriptor=3 "
        "plan=\"; perfspec sets this variable for its children: unset it to run this program yourself",
        what, excerpt(found), child_protocol_version));
}

/// The value of a word, by the word's place in the list; nothing for an unknown word.
template <class Enum, std::size_t Count>
[[nodiscard]] std::optional<Enum> value_of_word(const std::string_view (&words)[Count], std::string_view found) {
    const auto known = std::ranges::find(words, found);
    return known == std::end(words) ? std::nullopt : std::optional(static_cast<Enum>(known - std::begin(words)));
}

/// Reads a request, and refuses one that it does not understand as a whole.
[[nodiscard]] inline child_request parse_child_variable(std::string_view found) {
    const auto known = [&](auto value, std::string_view what) {
        if (!value) refuse_child_variable(found, what);
        return *std::move(value);
    };
    constexpr std::string_view version = "version=";
    const std::string_view first = found.substr(0, found.find(' '));
    const auto number =
        known(whole_number<unsigned>(first.starts_with(version) ? first.substr(version.size()) : ""), "no version");
    if (number != child_protocol_version)
        throw input_error(fmt::format(
            "PERFSPEC_CHILD: the program that started this one speaks version {} and this one version {}; build both with "
            "one version of perfspec",
            number, child_protocol_version));
    const auto message = parse_worker_message(found.substr(std::min(first.size() + 1, found.size())));
    child_request request;
    request.task = known(message ? value_of_word<child_task>(task_words, message->word) : std::nullopt,
                         "no task confirm, launch or serve");
    const auto number_of = [&](std::string_view name) { return whole_number<int>(message->text(name).value_or("")); };
    request.address = parse_claim_address(known(message->text("claim"), "no claim"));
    request.seed = known(message->whole("seed"), "no seed");
    request.plan = known(message->text("plan"), "no plan");
    request.result_descriptor = known(number_of("descriptor"), "no descriptor");
    if (request.task == child_task::serve)
        request.request_descriptor = known(number_of("requests"), "no descriptor of requests");
    for (const auto& [name, value] : message->fields) {
        if (name == "side")
            request.side = known(value_of_word<compared_side>(side_words, value), "no side first or second");
        else if (name == "end")
            request.end = known(value_of_word<tolerance_end>(end_words, value), "no end loss or gain");
        else if (name == "left") request.abandoned_claims.push_back(parse_claim_address(value));
        else if (name != "claim" && name != "seed" && name != "plan" && name != "descriptor" && name != "requests")
            refuse_child_variable(found, "an unknown field \"" + name + "\"");
    }
    return request;
}

[[nodiscard]] inline std::string text_of_request(const child_request& request) {
    worker_message message{std::string(task_words[static_cast<std::size_t>(request.task)])};
    message.add("claim", to_text(request.address));
    message.add("seed", request.seed);
    message.add("descriptor", std::to_string(request.result_descriptor));
    if (request.task == child_task::serve) message.add("requests", std::to_string(request.request_descriptor));
    if (request.side != compared_side::first)
        message.add("side", std::string(side_words[static_cast<std::size_t>(request.side)]));
    if (request.end) message.add("end", std::string(end_words[static_cast<std::size_t>(*request.end)]));
    for (const claim_address& left : request.abandoned_claims) message.add("left", to_text(left));
    message.add("plan", request.plan);
    return fmt::format("version={} {}", child_protocol_version, to_text(message));
}

}  // namespace detail

std::vector<std::pair<std::string, std::string>> child_environment(
    std::vector<std::pair<std::string, std::string>> base, const child_request& request) {
    return detail::with_variable(std::move(base), "PERFSPEC_CHILD", detail::text_of_request(request));
}

std::optional<child_request> read_child_request(const environment& variables) {
    const auto child = variables.get("PERFSPEC_CHILD");
    return child ? std::optional(detail::parse_child_variable(*child)) : std::nullopt;
}

}  // namespace perfspec
