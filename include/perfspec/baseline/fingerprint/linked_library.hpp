// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/plan/environment.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// The claims that a library affects: all, or claims on subjects that run on a device.
enum class library_use : std::uint8_t { always, on_device };

/// Registers a library that the program links, for the fingerprint of its baselines. An adapter makes one object of
/// this type before main.
///
///     const perfspec::register_library zlib{"zlib", [] { return std::string(zlibVersion()); }};
///
/// version  called for each fingerprint; a library with an empty version is not recorded
struct register_library {
    register_library(const char* name, std::string (*version)(), library_use use = library_use::always);
};

/// The registered libraries, the C++ and C libraries, and the variables that change their allocator, by name.
[[nodiscard]] std::vector<versioned_library> linked_libraries(library_use use, const environment& variables);

}  // namespace perfspec::inline v0_2
