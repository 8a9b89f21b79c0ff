// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// What a number measures. Two quantities compare only when their dimensions agree.
/// The base units, in which every `quantity` is kept: nanoseconds, 1, 1, bytes, 1/s, bytes/s, flop/s; of a
/// metric of the user's own, whatever its name says; 1 for a power of growth, 1 for a relative spread.
enum class dimension : std::uint8_t { time, ratio, count, bytes, item_rate, byte_rate, flop_rate, own, power, spread };

/// The direction in which a metric improves.
enum class better : std::uint8_t { less, more };

}  // namespace perfspec
