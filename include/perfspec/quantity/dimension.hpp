// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// What a number measures. Two quantities compare only if their dimensions agree.
/// Every `quantity` is kept in the base unit of its dimension: nanoseconds, 1, 1, bytes, 1/s, bytes/s, flop/s.
/// For `own`, a user's metric, the unit is whatever the metric's name says. For `power`, of a growth, and `spread`,
/// which is relative, it is 1.
enum class dimension : std::uint8_t { time, ratio, count, bytes, item_rate, byte_rate, flop_rate, own, power, spread };

/// The direction in which a metric improves.
enum class better : std::uint8_t { less, more };

}  // namespace perfspec
