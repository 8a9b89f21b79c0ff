// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/status_line.hpp>

namespace perfspec {

namespace detail {

/// To the first column, and erases the line (ECMA-48: CR, EL).
inline constexpr const char* empty_line = "\r\x1b[K";

}  // namespace detail

void status_line::announce(const std::string& text) {
    if (is_announced_) return;
    is_announced_ = true;
    if (is_live_) return update(text);
    std::fprintf(console_, "perfspec: %s\n", text.c_str());
}

void status_line::update(const std::string& text) {
    if (!is_live_) return;
    std::fprintf(console_, "%sperfspec: %s", detail::empty_line, text.c_str());
    std::fflush(console_);
    is_shown_ = true;
}

void status_line::remove() {
    is_announced_ = false;
    if (!is_shown_) return;
    std::fputs(detail::empty_line, console_);
    std::fflush(console_);
    is_shown_ = false;
}

}  // namespace perfspec
