// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// How the translation unit that wrote an assertion was compiled. Only an optimised one is judged.
enum class build_kind : std::uint8_t { optimised, not_optimised, address_sanitizer, thread_sanitizer, memory_sanitizer };

namespace detail {

// Read where a macro expands: an optimised library must not vouch for an unoptimised test.
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
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::optimised
#    else
#        define PERFSPEC_DETAIL_BUILD_KIND ::perfspec::build_kind::not_optimised
#    endif
#endif

}  // namespace detail
}  // namespace perfspec
