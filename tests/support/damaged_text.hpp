// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/noise.hpp"

#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace perfspec::testing {

/// Puts one fault into a text, as disks, editors, merges and other programs do: changes, removes or inserts a byte,
/// removes or doubles a part, cuts off the end, or inserts a wrong number, bracket or escape.
[[nodiscard]] inline std::string damaged(std::string text, dice& draw) {
    constexpr std::array<std::string_view, 12> strange{
        "-1", "1e999", "18446744073709551616", "0x10", "{\"a\":[", "]}", "\\ud800", "\"", "null", "%zz", "\n", "\xff"};
    if (text.empty()) return std::string(strange[draw.below(strange.size())]);
    const std::size_t at = draw.below(text.size());
    const std::size_t length = 1 + draw.below(std::min<std::size_t>(20, text.size() - at));
    switch (draw.below(7)) {
    case 0: text[at] = static_cast<char>(draw.below(256)); break;
    case 1: text.erase(at, 1); break;
    case 2: text.insert(at, 1, static_cast<char>(draw.below(256))); break;
    case 3: text.erase(at, length); break;
    case 4: text.insert(at, text.substr(at, length)); break;
    case 5: text.resize(at); break;
    default: text.insert(at, strange[draw.below(strange.size())]);
    }
    return text;
}

/// What a parser did with damaged texts.
struct damage_report {
    std::size_t accepted{};
    std::size_t refused{};
    std::string fault;  ///< the exception and the text, for the first text with another outcome; else empty
};

/// Parses 3000 texts with one to three faults each, the same in every run. `parse` returns a text or throws
/// input_error. Parsing the returned text must return that text again.
[[nodiscard]] inline damage_report parse_damaged(std::string_view good,
                                                 const std::function<std::string(const std::string&)>& parse) {
    constexpr int texts = 3000;
    damage_report report;
    dice draw(20261122);
    for (int i = 0; i < texts && report.fault.empty(); ++i) {
        std::string text(good);
        for (std::uint64_t faults = 1 + draw.below(3); faults > 0; --faults) text = damaged(std::move(text), draw);
        try {
            const std::string written = parse(text);
            ++report.accepted;
            if (parse(written) != written) report.fault = "not the same when read again: " + written;
        } catch (const input_error&) { ++report.refused; } catch (const std::exception& other) {
            report.fault = std::string(other.what()) + ", of: " + text;
        }
    }
    return report;
}

}  // namespace perfspec::testing
