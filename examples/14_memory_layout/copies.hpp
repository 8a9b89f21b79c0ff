// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

// One function in two files: the linker puts each copy somewhere else.
std::uint64_t first_copy(const std::vector<std::uint64_t>& v);
std::uint64_t second_copy(const std::vector<std::uint64_t>& v);
