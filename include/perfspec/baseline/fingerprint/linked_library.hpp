// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec {

class file_system;

/// Which claims a library matters to: all, or those on a subject that works on a device.
enum class library_use : std::uint8_t { always, on_device };

/// Tells perfspec what a program links, for the fingerprint of its baselines. An adapter makes one object of this type, which runs before main.
///
///     const perfspec::register_library libtorch{"LibTorch", [] { return std::string(TORCH_VERSION); }};
///
/// version  asked when a fingerprint is read; where it is empty the library is left out.
struct register_library {
    register_library(const char* name, std::string (*version)(), library_use use = library_use::always);
};

/// Those that were registered, the C++ and C libraries, and for claims on a device its driver and its model, as /proc tells them.
[[nodiscard]] std::vector<versioned_library> linked_libraries(library_use use, const file_system& files);

}  // namespace perfspec
