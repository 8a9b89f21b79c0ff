// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/build_kind.hpp>

#include <cstdint>

namespace perfspec {

/// What an assertion does when its claim fails.
enum class effect : std::uint8_t { require, check, warn, record };

/// The place of an assertion, with all that a macro knows and a function does not. It has static storage duration.
struct site : detail::compiled_file {
    const char* macro;
    const char* arguments;  ///< the text of the macro's arguments
    const char* file;
    int line;
    perfspec::effect effect;

    // Parentheses, because the assertion macro may be in another macro's argument, where braces do not hide commas.
    constexpr site(const char* m, const char* a, const char* f, int l, perfspec::effect e, build_kind b,
                   const char* told = "", detail::compiler_version by = {})
        : compiled_file{b, told, by}, macro(m), arguments(a), file(f), line(l), effect(e) {}
};

}  // namespace perfspec
