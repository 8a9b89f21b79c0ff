// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// How much work a record is for the reader, in falling order. A record without work is one of `none`.
enum class concern : std::uint8_t { violated, invalid, undecided, waived, not_judged, is_new, gained, none };

/// "violated", "invalid", "undecided", "waived", "not_judged", "is_new", "gained", "none".
[[nodiscard]] std::string_view to_string(concern c) noexcept;

/// A claim that holds concerns the reader where it gained 5 % or more on its baseline.
[[nodiscard]] concern concern_of(const record& r);

/// The test case and its sections, such as "sort / large"; else the key.
[[nodiscard]] std::string test_of(const record& r);

/// How much the value changed, and the reason for the verdict or for its absence.
[[nodiscard]] std::string change_and_reason(const record& r);

/// "1 violated, 2 not judged, 1 new, 3 hold".
[[nodiscard]] std::string counts_text(std::span<const record> records);

}  // namespace perfspec::tool
