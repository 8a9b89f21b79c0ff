// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/claim_address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// The variable that tells a fresh process where its parent left the test case.
///
/// A failed PERF_REQUIRE leaves the test case, and what follows in that pass is not reached. A process that repeats a later claim passes over
/// that assertion; it leaves there too, or it would count the claims of other generator values and measure the wrong one.
inline constexpr const char* departures_variable = "PERFSPEC_LEFT";

/// Each address as `<length>:<text>`, because a key may hold any character.
[[nodiscard]] std::string departures_text(const std::vector<claim_address>& departures);

/// The inverse. Throws input_error for any other text.
[[nodiscard]] std::vector<claim_address> parse_departures(std::string_view text);

}  // namespace perfspec::detail
