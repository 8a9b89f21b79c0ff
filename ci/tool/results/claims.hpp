// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// How urgent a record is for the reader, the most urgent first.
enum class concern : std::uint8_t { violated, error, suspect, undecided, waived, skipped, is_new, gained, none };

/// "violated", "error", "suspect", "undecided", "waived", "skipped", "is_new", "gained", "none".
[[nodiscard]] std::string_view to_string(concern c) noexcept;

/// A claim that holds has `gained` if it is 5 % or more better than its baseline.
[[nodiscard]] concern concern_of(const record& r);

/// The test case and its sections, such as "sort / large"; else the key.
[[nodiscard]] std::string test_of(const record& r);

/// How much the value changed, and the reason for the verdict or for its absence.
[[nodiscard]] std::string change_and_reason(const record& r);

/// "1 violated, 2 skipped, 1 new, 3 hold".
[[nodiscard]] std::string counts_text(std::span<const record> records);

}  // namespace perfspec::tool
