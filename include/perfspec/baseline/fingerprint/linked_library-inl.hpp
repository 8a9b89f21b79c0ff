// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/linked_library.hpp>

#include <cfenv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#if defined(__GLIBC__)
#    include <gnu/libc-version.h>
#endif

namespace perfspec::inline v0_2 {
namespace detail {

struct registered_library {
    const char* name;
    std::string (*version)();
    library_use use;
};

/// Static in a function, because adapters register before main.
inline std::vector<registered_library>& registered_libraries() {
    static auto& all = *new std::vector<registered_library>;  // never destroyed, as the session
    return all;
}

inline versioned_library cxx_library() {
#if defined(__GLIBCXX__)
    return {"libstdc++", fmt::format("{} ({})", _GLIBCXX_RELEASE, __GLIBCXX__)};
#elif defined(_LIBCPP_VERSION)
    return {"libc++", std::to_string(_LIBCPP_VERSION)};
#else
    return {};
#endif
}

inline versioned_library c_library() {
#if defined(__GLIBC__)
    return {"glibc", ::gnu_get_libc_version()};
#else
    return {};
#endif
}

/// The floating-point modes that differ from the default. They change results and times; a linked library or -Ofast may
/// set them.
inline versioned_library floating_point() {
    const volatile double smallest = std::numeric_limits<double>::min();
    std::string modes = smallest / 2.0 == 0.0 ? "flushes to zero" : "";
    if (std::fegetround() != FE_TONEAREST)
        modes += modes.empty() ? "rounds in one direction" : ", rounds in one direction";
    return {"floating point", std::move(modes)};
}

}  // namespace detail

register_library::register_library(const char* name, std::string (*version)(), library_use use) {
    detail::registered_libraries().push_back({name, version, use});
}

std::vector<versioned_library> linked_libraries(library_use use, const environment& variables) {
    std::vector<versioned_library> libraries{detail::cxx_library(), detail::c_library(), detail::floating_point()};
    for (const detail::registered_library& library : detail::registered_libraries())
        if (library.use == library_use::always || use == library_use::on_device)
            libraries.push_back({library.name, library.version()});
    for (const char* const name :
         {"GLIBC_TUNABLES", "LD_PRELOAD", "MALLOC_ARENA_MAX", "MALLOC_CHECK_", "MALLOC_CONF", "MALLOC_MMAP_MAX_",
          "MALLOC_MMAP_THRESHOLD_", "MALLOC_PERTURB_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_"}) {
        const std::string value = variables.get(name).value_or("");
        libraries.push_back({name, value.substr(value.rfind('/') + 1)});  // without the folder of a preloaded library
    }
    std::erase_if(libraries, [](const versioned_library& library) { return library.version.empty(); });
    return libraries;
}

}  // namespace perfspec::inline v0_2
