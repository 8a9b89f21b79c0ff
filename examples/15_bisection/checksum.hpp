// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

/// Sums up the bits of all numbers, so that each bit and each place counts.
std::uint64_t checksum(const std::vector<std::uint64_t>& numbers);
