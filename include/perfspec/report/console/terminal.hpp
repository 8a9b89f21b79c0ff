// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/report/console/console.hpp>

#include <cstdio>

namespace perfspec {

/// Whether to write colours: on a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb". With
/// CLICOLOR_FORCE, everywhere unless NO_COLOR is set.
[[nodiscard]] console_colour colour_for(bool on_terminal, const environment& variables);

/// Whether the stream is written to a terminal.
[[nodiscard]] bool is_terminal(std::FILE* stream) noexcept;

}  // namespace perfspec
