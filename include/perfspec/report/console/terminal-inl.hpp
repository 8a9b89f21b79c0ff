// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/terminal.hpp>

#include <string>

#include <unistd.h>

namespace perfspec {

console_colour colour_for(bool on_terminal, const environment& variables) {
    const auto is_set = [&](const char* name) { return !variables.get(name).value_or("").empty(); };
    if (is_set("NO_COLOR")) return console_colour::never;
    if (is_set("CLICOLOR_FORCE") && variables.get("CLICOLOR_FORCE") != "0") return console_colour::always;
    return on_terminal && variables.get("TERM") != "dumb" ? console_colour::always : console_colour::never;
}

bool is_terminal(std::FILE* stream) noexcept { return ::isatty(::fileno(stream)) == 1; }

}  // namespace perfspec
