// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/workers/worker.hpp>
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

namespace perfspec::inline v0_1 {

namespace detail {

/// A signal as "signal 11 (Segmentation fault)".
[[nodiscard]] inline std::string signal_text(int number) {
    const char* const name = ::strsignal(number);
    const auto text = fmt::format("signal {} ({})", number, name == nullptr ? "unknown" : name);
    return number == SIGKILL ? text + ", as by a system that is out of memory" : text;
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
constexpr std::string_view task_words[] = {"confirm", "launch", "serve", "launch_later"};
/// In the order of compared_side.
constexpr std::string_view side_words[] = {"first", "second"};
/// In the order of tolerance_end.
constexpr std::string_view end_words[] = {"loss", "gain"};

[[noreturn]] inline void refuse_child_variable(std::string_view text, std::string_view what) {
    throw input_error(fmt::format(
        "PERFSPEC_CHILD: {}, found {}, expected such as \"version={} confirm claim=sort#0 seed=42 descriptor=3 "
        "plan=\"; perfspec sets this variable for its children: unset it to run this program yourself",
        what, excerpt(text), child_protocol_version));
}

/// The enumerator with the index of the word in the list; nullopt for an unknown word.
template <class Enum, std::size_t Count>
[[nodiscard]] std::optional<Enum> value_of_word(const std::string_view (&words)[Count], std::string_view word) {
    const auto known = std::ranges::find(words, word);
    return known == std::end(words) ? std::nullopt : std::optional(static_cast<Enum>(known - std::begin(words)));
}

/// Reads a request. Refuses unknown fields and values.
[[nodiscard]] inline child_request parse_child_variable(std::string_view text) {
    const auto known = [&](auto value, std::string_view what) {
        if (!value) refuse_child_variable(text, what);
        return *std::move(value);
    };
    constexpr std::string_view version = "version=";
    const std::string_view first = text.substr(0, text.find(' '));
    const auto number =
        known(whole_number<unsigned>(first.starts_with(version) ? first.substr(version.size()) : ""), "no version");
    if (number != child_protocol_version)
        throw input_error(fmt::format(
            "PERFSPEC_CHILD: the program that started this one speaks version {} and this one version {}; build both with "
            "one version of perfspec",
            number, child_protocol_version));
    const auto message = parse_worker_message(text.substr(std::min(first.size() + 1, text.size())));
    child_request request;
    request.task = known(message ? value_of_word<child_task>(task_words, message->word) : std::nullopt,
                         "no task confirm, launch, serve or launch_later");
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
            refuse_child_variable(text, "an unknown field " + excerpt(name));
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

namespace detail {

inline constexpr std::string_view answer_mark = "perfspec-answer ";

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

/// The line after the mark of an answer: version, length, checksum.
struct answer_head {
    unsigned version{};
    std::size_t length{};
    std::uint64_t sum{};
};

/// Reads a head without its mark and line end.
[[nodiscard]] inline std::optional<answer_head> parse_answer_head(std::string_view line) {
    const auto version = whole_number<unsigned>(take_until(line, ' '));
    const auto length = whole_number<std::size_t>(take_until(line, ' '));
    const auto sum = whole_number<std::uint64_t>(line, 16);
    if (!version || !length || !sum) return std::nullopt;
    return answer_head{*version, *length, *sum};
}

/// The longest head line of an answer, in bytes.
inline constexpr std::size_t longest_answer_head = 80;

/// An answer that is arriving: its head and the position of its payload, or its fault.
struct arriving_answer {
    std::optional<answer_head> head;
    std::size_t body{};
    std::string fault;  ///< empty: a head may still arrive
};

[[nodiscard]] inline std::string no_answer_fault(std::string_view bytes) {
    return fmt::format(
        "the child's result pipe holds {} instead of an answer: code under test writes to a descriptor that it did not open",
        excerpt(bytes));
}

[[nodiscard]] inline arriving_answer read_answer_head(std::string_view bytes) {
    const auto line_end = bytes.find('\n');
    const bool may_begin = bytes.substr(0, answer_mark.size()) == answer_mark.substr(0, bytes.size());
    if (may_begin && line_end == bytes.npos && bytes.size() < longest_answer_head) return {};
    const bool whole = may_begin && line_end > answer_mark.size() && line_end < longest_answer_head;
    auto head =
        whole ? parse_answer_head(bytes.substr(answer_mark.size(), line_end - answer_mark.size())) : std::nullopt;
    if (!head) return {{}, 0, no_answer_fault(bytes)};
    if (head->version != child_protocol_version)
        return {
            {},
            0,
            fmt::format(
                "the child answers in version {} and this program reads version {}: build both with one version of perfspec",
                head->version, child_protocol_version)};
    return {head, line_end + 1, {}};
}

/// The payload after a head. Precondition: all of it has arrived.
[[nodiscard]] inline child_answer checked_payload(std::string_view body, const answer_head& head) {
    const auto payload = body.substr(0, head.length);
    if (fnv1a_64(payload) != head.sum || body[head.length] != '\n')
        return {{}, "the child's answer is damaged: its checksum differs, so code under test wrote into it"};
    return {std::string(payload), {}};
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

void answer(const child_request& request, std::string_view payload) {
    std::signal(SIGPIPE, SIG_IGN);  // without the parent, the write then fails with an error
    const int error = detail::write_answer_bytes(request.result_descriptor, frame_answer(payload));
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

std::string frame_answer(std::string_view payload) {
    return fmt::format("{}{} {} {:016x}\n{}\n", detail::answer_mark, child_protocol_version, payload.size(),
                       detail::fnv1a_64(payload), payload);
}

child_answer parse_answer(const child_end& end) {
    if (!end.is_good() || end.result.empty()) return {{}, "there is no answer: " + describe(end), kind_of(end)};
    std::string pending = end.result;
    const auto found = take_answer(pending);
    if (!found) return {{}, fmt::format("the child's answer is cut: {}", detail::excerpt(pending))};
    if (!found->payload || pending.empty()) return *found;
    return {
        {},
        fmt::format(
            "the child's result pipe holds {} after the answer: code under test writes to a descriptor that it did not open",
            detail::excerpt(pending))};
}

std::optional<child_answer> take_answer(std::string& pending) {
    const detail::arriving_answer arrived = detail::read_answer_head(pending);
    if (!arrived.head) return arrived.fault.empty() ? std::nullopt : std::optional(child_answer{{}, arrived.fault});
    const auto length = arrived.head->length;
    if (length > largest_child_result)
        return child_answer{
            {}, fmt::format("the child announces an answer of more than {} MiB", largest_child_result >> 20)};
    if (pending.size() - arrived.body <= length) return std::nullopt;
    auto found = detail::checked_payload(std::string_view(pending).substr(arrived.body), *arrived.head);
    pending.erase(0, arrived.body + length + 1);
    return found;
}

}  // namespace perfspec::inline v0_1
