// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/not_judged.hpp>

// Defined by the runtimes of --coverage builds alone; null everywhere else.
extern "C" [[gnu::weak]] void __gcov_init(void*);
extern "C" [[gnu::weak]] int __llvm_profile_write_file(void);

namespace perfspec {

const char* to_string(build_kind b) noexcept {
    switch (b) {
    case build_kind::optimised: return "optimised";
    case build_kind::not_optimised: return "not optimised";
    case build_kind::address_sanitizer: return "AddressSanitizer";
    case build_kind::thread_sanitizer: return "ThreadSanitizer";
    case build_kind::memory_sanitizer: break;
    }
    return "MemorySanitizer";
}

std::string detail::reason_of_build_or_machine(build_kind build, const surroundings& around) {
    if (build == build_kind::not_optimised)
        return "this file is compiled without optimisation: its times are not those of the product; build with -O2 (CMAKE_BUILD_TYPE=Release)";
    if (build != build_kind::optimised)
        return std::string("this file is compiled with ") + to_string(build) + ": its times are not those of the product";
    if (&__gcov_init != nullptr || &__llvm_profile_write_file != nullptr)
        return "this program is compiled for coverage: its times are not those of the product";
    if (around.variables.get("LD_PRELOAD").value_or("").find("vgpreload") != std::string::npos) return "the program runs under Valgrind";
    if (around.under_debugger()) return "a debugger is attached";
    return {};
}

}  // namespace perfspec
