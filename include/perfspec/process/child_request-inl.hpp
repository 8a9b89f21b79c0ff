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
#include <set>
#include <string_view>

namespace perfspec::detail {

variable_list with_variable(variable_list variables, std::string_view name, std::string_view value) {
    const auto named = [name](const auto& variable) { return variable.first == name; };
    const auto first = std::find_if(variables.begin(), variables.end(), named);
    if (first == variables.end()) {
        variables.emplace_back(name, value);
        return variables;
    }
    first->second = value;
    variables.erase(std::remove_if(first + 1, variables.end(), named), variables.end());
    return variables;
}

}  // namespace perfspec::detail

namespace perfspec {

std::string to_text(const claim_address& address) {
    if (address.key.empty())
        throw input_error(
            "claim address: found an empty key, expected one such as \"suite / sort / latency(sort)\"; give the claim key(\"…\")");
    if (address.key.find('\0') != std::string::npos)
        throw input_error(fmt::format(
            "claim address: found a NUL in the key {}, which an environment variable cannot carry; rename the test, "
            "section or subject",
            detail::excerpt(address.key)));
    return fmt::format("{}#{}", address.key, address.occurrence);
}

claim_address parse_claim_address(std::string_view text) {
    const auto separator = text.rfind('#');
    if (separator != text.npos && separator != 0 && text.find('\0') == text.npos)
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

/// Takes the version and the blank after it from the front. Throws for another version.
inline void take_own_version(std::string_view& text) {
    constexpr std::string_view name = "version=";
    const std::string_view found = text;
    const bool is_named = text.substr(0, name.size()) == name;
    const auto value = is_named ? text.substr(name.size(), text.find(' ') - name.size()) : std::string_view();
    const auto number = whole_number<unsigned>(value);
    if (!number) refuse_child_variable(found, "no version");
    if (*number != child_protocol_version)
        throw input_error(fmt::format(
            "PERFSPEC_CHILD: the program that started this one speaks version {} and this one version {}; build both with "
            "one version of perfspec",
            *number, child_protocol_version));
    text.remove_prefix(std::min(text.size(), name.size() + value.size() + 1));
}

/// The value of a word, by the word's place in the list; nothing for an unknown word.
template <class Enum, std::size_t Count>
[[nodiscard]] std::optional<Enum> value_of_word(const std::string_view (&words)[Count], std::string_view found) {
    const auto known = std::ranges::find(words, found);
    return known == std::end(words) ? std::nullopt : std::optional(static_cast<Enum>(known - std::begin(words)));
}

/// Reads the fields of a request into it, each of them once, and refuses wrong ones with the reason.
class request_fields {
public:
    request_fields(child_request& into, std::string_view found) : into_(into), found_(found) {}

    void take(const std::string& name, const std::string& value) {
        if (name != "left" && !seen_.insert(name).second) refuse(name + " twice");
        if (name == "claim") into_.address = parse_claim_address(value);
        else if (name == "left") into_.abandoned_claims.push_back(parse_claim_address(value));
        else if (name == "plan") into_.plan = value;
        else if (name == "seed") into_.seed = known(whole_number<std::uint64_t>(value), "no seed");
        else if (name == "descriptor") into_.result_descriptor = known(whole_number<int>(value), "no descriptor");
        else if (name == "requests")
            into_.request_descriptor = known(whole_number<int>(value), "no descriptor of requests");
        else if (name == "side")
            into_.side = known(value_of_word<compared_side>(side_words, value), "no side first or second");
        else if (name == "end")
            into_.end = known(value_of_word<tolerance_end>(end_words, value), "no end loss or gain");
        else refuse("an unknown field \"" + name + "\"");
    }
    void require(const char* name, std::string_view what) const {
        if (!seen_.contains(name)) refuse(what);
    }

private:
    [[noreturn]] void refuse(std::string_view what) const { refuse_child_variable(found_, what); }
    template <class T> [[nodiscard]] T known(const std::optional<T>& value, std::string_view what) const {
        if (!value) refuse(what);
        return *value;
    }

    child_request& into_;
    std::string_view found_;
    std::set<std::string> seen_;
};

[[nodiscard]] inline child_request parse_child_variable(std::string_view found) {
    std::string_view rest = found;
    take_own_version(rest);
    const auto message = parse_worker_message(rest);
    const auto task = message ? value_of_word<child_task>(task_words, message->word) : std::nullopt;
    if (!task) refuse_child_variable(found, "no task confirm, launch or serve");
    child_request request;
    request.task = *task;
    request_fields fields(request, found);
    for (const auto& [name, value] : message->fields) fields.take(name, value);
    fields.require("claim", "no claim");
    fields.require("seed", "no seed");
    fields.require("descriptor", "no descriptor");
    fields.require("plan", "no plan");
    if (*task == child_task::serve) fields.require("requests", "no descriptor of requests");
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
    if (request.plan.find('\0') != std::string::npos)
        throw input_error(fmt::format(
            "plan of a child: found a NUL in {}, which an environment variable cannot carry; remove it from the option",
            detail::excerpt(request.plan)));
    return detail::with_variable(std::move(base), "PERFSPEC_CHILD", detail::text_of_request(request));
}

std::optional<child_request> read_child_request(const environment& variables) {
    const auto child = variables.get("PERFSPEC_CHILD");
    return child ? std::optional(detail::parse_child_variable(*child)) : std::nullopt;
}

}  // namespace perfspec
