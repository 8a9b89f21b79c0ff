// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

namespace perfspec::inline v0_2 {

class session;

/// How the translation unit of an assertion was compiled. Only claims in optimized ones are judged.
enum class build_kind : std::uint8_t {
    optimized,
    not_optimized,
    address_sanitizer,
    thread_sanitizer,
    memory_sanitizer
};

namespace detail {

/// A compiler as its macros name it: {"g++", 12, 2, 0}. The name is empty if it is unknown.
struct compiler_version {
    const char* name{""};
    int major{};
    int minor{};
    int patch{};
};

/// How a file was compiled, from its compiler's macros.
struct compiled_file {
    build_kind build;
    const char* flags;  ///< "__OPTIMIZE__ __AVX2__"
    compiler_version compiler;
};

// Evaluated in the file that uses the macro, because a test may be unoptimized and the library optimized.
#if defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::address_sanitizer
#    elif __has_feature(thread_sanitizer)
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::thread_sanitizer
#    elif __has_feature(memory_sanitizer)
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::memory_sanitizer
#    endif
#endif
#if !defined(PERFSPEC_DETAIL_BUILD_KIND)
#    if defined(__SANITIZE_ADDRESS__)
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::address_sanitizer
#    elif defined(__SANITIZE_THREAD__)
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::thread_sanitizer
#    elif defined(__OPTIMIZE__)
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::optimized
#    else
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::not_optimized
#    endif
#endif

/// How the file that includes this is compiled, from the compiler's macros. It is for baselines of programs that CMake
/// does not describe.
[[maybe_unused]] static constexpr const char flags_of_this_file[] =
#if defined(__OPTIMIZE_SIZE__)
    "__OPTIMIZE_SIZE__"
#elif defined(__OPTIMIZE__)
    "__OPTIMIZE__"
#else
    "unoptimized"
#endif
#if defined(NDEBUG)
    " NDEBUG"
#endif
#if defined(__FAST_MATH__)
    " __FAST_MATH__"
#endif
#if defined(__AVX__)
    " __AVX__"
#endif
#if defined(__AVX2__)
    " __AVX2__"
#endif
#if defined(__FMA__)
    " __FMA__"
#endif
#if defined(__AVX512F__)
    " __AVX512F__"
#endif
#if defined(__ARM_FEATURE_SVE)
    " __ARM_FEATURE_SVE"
#endif
#if defined(_GLIBCXX_ASSERTIONS)
    " _GLIBCXX_ASSERTIONS"
#endif
#if defined(_GLIBCXX_DEBUG)
    " _GLIBCXX_DEBUG"
#endif
    ;

/// The compiler of the file that includes this. A compiled library may come from another compiler.
[[maybe_unused]] static constexpr compiler_version compiler_of_this_file {
#if defined(__clang__)
    "clang", __clang_major__, __clang_minor__, __clang_patchlevel__
#elif defined(__GNUC__)
    "g++", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__
#endif
};

}  // namespace detail

/// "optimized", "not optimized", "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer".
[[nodiscard]] const char* to_string(build_kind b) noexcept;

namespace detail {

/// The instrumentation of this program: "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer",
/// "UndefinedBehaviorSanitizer", "coverage" or "-pg". One instrumented file is enough, because then its runtime is
/// linked. Otherwise "".
[[nodiscard]] const char* instrumentation_of_program() noexcept;

/// Why measurements of this build, or under a tool such as a debugger, are meaningless; empty if they are not.
[[nodiscard]] std::string reason_of_build_or_machine(build_kind build, const session& run);
/// The reasons that also apply to a process under a module's simulator.
[[nodiscard]] std::string reason_of_build(build_kind build, const session& run);

}  // namespace detail
}  // namespace perfspec::inline v0_2
