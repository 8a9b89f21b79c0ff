// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/metric.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace perfspec {

/// How often an event happened on a simulated processor.
struct simulated_profile {
    std::uint64_t total{};
    std::map<std::string, std::uint64_t> functions{};  ///< within the function itself, without those that it calls

    friend bool operator==(const simulated_profile&, const simulated_profile&) = default;
};

/// Reads a profile in callgrind's format (Valgrind manual, "Callgrind format specification"), with names and positions
/// that are not compressed.
///
/// m  instructions count "Ir"; branch misses "Bcm" and "Bim"; cache misses "ILmr", "DLmr" and "DLmw"
/// Throws input_error for a text that is cut, is not such a profile, or lacks an event.
[[nodiscard]] simulated_profile parse_profile(std::string_view text, metric_kind m);

}  // namespace perfspec
