// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/launcher.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <string_view>

namespace perfspec {

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
    case child_outcome::timed_out: return fmt::format("{} and was stopped after {:.3g} s", time_out_words, end.seconds);
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

}  // namespace perfspec
