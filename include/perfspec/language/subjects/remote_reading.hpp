// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec::detail {

/// What a subject in another process can be asked to read there: wall time, processor time of all its threads, or how
/// much its memory rose. `none`: only this process can read it.
enum class remote_reading : std::uint8_t { wall_time, processor_time, peak_memory, none };

}  // namespace perfspec::detail
