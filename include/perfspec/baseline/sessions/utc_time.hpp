// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfspec::detail {

/// Seconds from 1970 to a UTC time such as "2026-11-18T09:12:44Z"; nothing for another form or an impossible date.
[[nodiscard]] std::optional<std::int64_t> seconds_of_utc(std::string_view time);

}  // namespace perfspec::detail
