// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/json_fields.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {

namespace detail {

/// A signal as "signal 11 (Segmentation fault)".
[[nodiscard]] inline std::string signal_text(int number) {
    const char* const name = ::strsignal(number);
    const auto text = fmt::format("signal {} ({})", number, name == nullptr ? "unknown" : name);
    return number == SIGKILL ? text + ", which a system sends when memory runs out" : text;
}

[[nodiscard]] inline std::string outcome_text(const child_end& end) {
    switch (end.how) {
    case child_outcome::exited: return fmt::format("the child ended with exit code {}", end.code);
    case child_outcome::signalled: return "the child was ended by " + signal_text(end.code);
    case child_outcome::timed_out:
        return fmt::format("the child took too long and was stopped after {:.3g} s", end.seconds);
    case child_outcome::not_started: return "the child could not be started";
    case child_outcome::uncollected:
        return "the child ended, and its exit code was collected by other code of this program (is SIGCHLD ignored?)";
    }
    return {};
}

}  // namespace detail

std::string describe(const child_end& end) {
    const auto words = detail::printable(detail::trimmed(end.last_words));
    if (end.how == child_outcome::not_started) return fmt::format("{}: {}", detail::outcome_text(end), words);
    if (words.empty()) return detail::outcome_text(end) + "; it printed nothing";
    return fmt::format("{}; its last words: \"{}\"", detail::outcome_text(end), words);
}

failure_kind kind_of(const child_end& end) {
    const bool by_system = end.how == child_outcome::signalled && end.code == SIGKILL;
    const bool at_start = end.how == child_outcome::not_started && end.code == ENOMEM;
    // The C++ runtime's last line, with the type of the exception.
    const bool by_exception = end.how == child_outcome::signalled && end.code == SIGABRT &&
                              end.last_words.find("std::bad_alloc") != std::string::npos;
    if (by_system || at_start || by_exception) return failure_kind::out_of_memory;
    return end.how == child_outcome::timed_out ? failure_kind::timed_out : failure_kind::worker_failed;
}

// The names of enumerators in a request.
[[nodiscard]] inline std::string to_string(child_task task) {
    constexpr std::string_view words[] = {"confirm", "measure", "serve", "measure_later"};
    return std::string(words[static_cast<std::size_t>(task)]);
}
[[nodiscard]] inline std::string to_string(compared_side side) {
    return side == compared_side::first ? "first" : "second";
}
[[nodiscard]] inline std::string to_string(tolerance_end end) { return end == tolerance_end::loss ? "loss" : "gain"; }

namespace detail {

template <> inline constexpr auto last_enumerator<child_task> = child_task::measure_later;
template <> inline constexpr auto last_enumerator<compared_side> = compared_side::second;
template <> inline constexpr auto last_enumerator<tolerance_end> = tolerance_end::gain;

template <>
inline constexpr std::tuple fields_of<claim_address>{
    field{"key", &claim_address::key},
    field{"occurrence", &claim_address::occurrence},
};

template <>
inline constexpr std::tuple fields_of<plan_message>{
    field{"set", &plan_message::set},
    field{"defaults", &plan_message::defaults},
};

template <>
inline constexpr std::tuple fields_of<child_request>{
    field{"version", &child_request::version},
    field{"task", &child_request::task},
    field{"claim", &child_request::address},
    field{"seed", &child_request::seed},
    field{"answers", &child_request::result_descriptor},
    field{"requests", &child_request::request_descriptor},
    field{"side", &child_request::side},
    field{"end", &child_request::end},
    field{"left", &child_request::abandoned_claims},
    field{"plan", &child_request::plan},
};

[[nodiscard]] inline child_request parse_child_variable(std::string_view text) {
    try {
        const json_value message = read_message(text);
        const auto version = read_whole(required(message, "version"), {"version"}, UINT32_MAX);
        if (version != child_protocol_version)
            throw input_error(fmt::format(
                "PERFSPEC_CHILD: the program that started this one speaks version {} and this one version {}; build both with "
                "one version of perfspec",
                version, child_protocol_version));
        child_request request;
        read_field(message, request, {.strict = true});
        if (request.address.key.empty()) throw json_fault(1, "\"claim.key\" is empty, expected the key of a claim");
        return request;
    } catch (const json_fault& fault) {
        throw input_error(fmt::format(
            "PERFSPEC_CHILD: {}; found {}; perfspec sets this variable for its children: unset it to run this program yourself",
            fault.what(), excerpt(text)));
    }
}

}  // namespace detail

std::vector<std::pair<std::string, std::string>> child_environment(
    std::vector<std::pair<std::string, std::string>> base, const child_request& request) {
    return detail::with_variable(std::move(base), "PERFSPEC_CHILD", detail::message_line(request));
}

std::optional<child_request> read_child_request(const environment& variables) {
    const auto child = variables.get("PERFSPEC_CHILD");
    return child ? std::optional(detail::parse_child_variable(*child)) : std::nullopt;
}

namespace detail {

/// Makes this process die with the process that has this id.
inline void die_with(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before prctl, which would then wait for the death of another process.
    if (::getppid() != parent) ::_exit(1);
}

/// Writes all bytes. Returns 0 or an errno.
[[nodiscard]] inline int write_answer_bytes(int descriptor, std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

[[nodiscard]] inline std::string no_answer_fault(std::string_view bytes) {
    return fmt::format(
        "the child's result pipe holds {} instead of an answer: code under test writes to a descriptor that it did not open",
        excerpt(bytes));
}

/// Keeps a descriptor from programs that this process starts, and moves it to a number that code under test leaves
/// alone. Returns the same descriptor if the system allows no such number. Throws input_error for one that is not open:
/// an answer would go to the next file that is opened.
[[nodiscard]] inline int move_away(int descriptor) {
    constexpr int out_of_the_way = 100;
    if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == -1)
        throw input_error(
            fmt::format("PERFSPEC_CHILD: descriptor {} is not open, expected a pipe that perfspec opens for its "
                        "children: unset the variable to run this program yourself, or add \"{}>&1\"",
                        descriptor, descriptor));
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, out_of_the_way);
    if (moved < 0) return descriptor;
    ::close(descriptor);
    return moved;
}

}  // namespace detail

child_request become_child(child_request request, const environment& variables) {
    request.result_descriptor = detail::move_away(request.result_descriptor);
    if (request.task == child_task::serve) request.request_descriptor = detail::move_away(request.request_descriptor);
    if (const auto parent = detail::whole_number<pid_t>(variables.get("PERFSPEC_PARENT").value_or("")))
        detail::die_with(*parent);
    for (const char* name : {"PERFSPEC_CHILD", "PERFSPEC_PARENT"}) ::unsetenv(name);
    return request;
}

void answer(const child_request& request, std::string_view line) {
    std::signal(SIGPIPE, SIG_IGN);  // without the parent, the write then fails with an error
    const int error = detail::write_answer_bytes(request.result_descriptor, std::string(line) + '\n');
    if (error == 0) return;
    const auto reason =
        fmt::format("perfspec: the result could not be handed over on descriptor {}: {}{}\n", request.result_descriptor,
                    std::generic_category().message(error),
                    error == EBADF ? ": code under test closed it; let it close only what it opened" : "");
    static_cast<void>(detail::write_answer_bytes(STDERR_FILENO, reason));
    ::_exit(1);
}

void reply_and_exit(const child_request& request, std::string_view result) {
    answer(request, result);
    ::_exit(0);
}

std::optional<std::string> request_reader::next() {
    for (;;) {
        if (const auto end = pending_.find('\n'); end != std::string::npos) {
            std::string line = pending_.substr(0, end);
            pending_.erase(0, end + 1);
            return line;
        }
        char part[512];
        const ssize_t count = ::read(descriptor_, part, sizeof part);
        if (count > 0) pending_.append(part, static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR) return std::nullopt;
    }
}

child_answer parse_answer(const child_end& end) {
    if (!end.is_good() || end.result.empty()) return {{}, "there is no answer: " + describe(end), kind_of(end)};
    std::string pending = end.result;
    const auto found = take_answer(pending);
    if (!found) return {{}, fmt::format("the child's answer is incomplete: {}", detail::excerpt(pending))};
    if (!found->payload || pending.empty()) return *found;
    return {
        {},
        fmt::format(
            "the child's result pipe holds {} after the answer: code under test writes to a descriptor that it did not open",
            detail::excerpt(pending))};
}

std::optional<child_answer> take_answer(std::string& pending) {
    if (pending.empty()) return std::nullopt;
    const auto end = pending.find('\n');
    if (!pending.starts_with('{') || (end != pending.npos && pending[end - 1] != '}'))
        return child_answer{{}, detail::no_answer_fault(pending.substr(0, end))};
    if (std::min(end, pending.size()) > largest_child_result)
        return child_answer{{},
                            fmt::format("the child sends an answer of more than {} MiB", largest_child_result >> 20)};
    if (end == pending.npos) return std::nullopt;
    child_answer found{pending.substr(0, end), {}};
    pending.erase(0, end + 1);
    return found;
}

}  // namespace perfspec::inline v0_2
