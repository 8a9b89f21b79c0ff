// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>
#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/session/system_access.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

// Defined only by the runtimes of sanitizers, of --coverage and of -pg builds; otherwise null. Only their addresses are
// read.
extern "C" {
[[gnu::weak]] void __asan_init(void);
[[gnu::weak]] void __tsan_init(void);
[[gnu::weak]] void __msan_init(void);
[[gnu::weak]] void __ubsan_handle_type_mismatch_v1(void*, void*);
[[gnu::weak]] void __gcov_init(void*);
[[gnu::weak]] int __llvm_profile_write_file(void);
[[gnu::weak]] void __gmon_start__(void);
}

namespace perfspec::inline v0_2 {

const char* to_string(build_kind b) noexcept {
    switch (b) {
    case build_kind::optimized: return "optimized";
    case build_kind::not_optimized: return "not optimized";
    case build_kind::address_sanitizer: return "AddressSanitizer";
    case build_kind::thread_sanitizer: return "ThreadSanitizer";
    case build_kind::memory_sanitizer: break;
    }
    return "MemorySanitizer";
}

const char* detail::instrumentation_of_program() noexcept {
    if (&__asan_init != nullptr) return "AddressSanitizer";
    if (&__tsan_init != nullptr) return "ThreadSanitizer";
    if (&__msan_init != nullptr) return "MemorySanitizer";
    if (&__ubsan_handle_type_mismatch_v1 != nullptr) return "UndefinedBehaviorSanitizer";
    if (&__gcov_init != nullptr || &__llvm_profile_write_file != nullptr) return "coverage";
    if (&__gmon_start__ != nullptr) return "-pg";
    return "";
}

namespace detail {

/// The first option that is not for the product, as "-Og"; empty: none. CMake knows them; no macro of the compiler
/// does.
inline std::string_view diagnostic_option(std::string_view flags) {
    while (!flags.empty()) {
        const std::string_view option = take_until(flags, ' ');
        const bool checks = option.starts_with("-fsanitize=") && option.find("undefined") != option.npos;
        if (option == "-Og" || option == "-finstrument-functions" || checks) return option;
    }
    return {};
}

}  // namespace detail

std::string detail::reason_of_build(build_kind build, const session& run) {
    if (build == build_kind::not_optimized)
        return "the file that asserts is compiled without optimization, so its times are not those of the product: "
               "build with -O2 (CMAKE_BUILD_TYPE=Release)";
    if (build != build_kind::optimized)
        return std::string("the file that asserts is compiled with ") + to_string(build) +
               ", so its times are not those of the product: build without it";
    if (const std::string_view option = diagnostic_option(run.compile_flags()); !option.empty())
        return fmt::format(
            "this program is compiled with {}, so its times are not those of the product: build without it", option);
    if (const std::string tool = run.system().instrumented_by(); !tool.empty())
        return "a file of this program is compiled with " + tool +
               ", so its times are not those of the product: build without it";
    return {};
}

std::string detail::reason_of_build_or_machine(build_kind build, const session& run) {
    if (std::string reason = reason_of_build(build, run); !reason.empty()) return reason;
    if (run.system().variables.get("LD_PRELOAD").value_or("").find("vgpreload") != std::string::npos)
        return "the program runs under Valgrind";
    if (run.system().under_debugger()) return "a debugger is attached";
    return {};
}

}  // namespace perfspec::inline v0_2
