// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/build_kind.hpp>

#include <cstdint>

namespace perfspec {

/// What an assertion does when its claim fails.
enum class effect : std::uint8_t { require, check, warn, record };

/// Where an assertion stands: everything a macro knows and a function does not. Has static life.
struct site {
    const char* macro;
    const char* arguments;  ///< the text of the macro's arguments
    const char* file;
    int line;
    perfspec::effect effect;
    build_kind build;
    const char* flags;  ///< that the compiler's macros tell: "__OPTIMIZE__ __AVX2__"
    compiler_version compiler;

    // In parentheses the macro may stand inside of another macro's argument, where braces do not hide commas.
    constexpr site(const char* m, const char* a, const char* f, int l, perfspec::effect e, build_kind b, const char* told = "",
                   compiler_version by = {})
        : macro(m), arguments(a), file(f), line(l), effect(e), build(b), flags(told), compiler(by) {}
};

}  // namespace perfspec
