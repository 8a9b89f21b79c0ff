// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perfspec {

/// A known violation that a project tolerates until a day. Its texts are as their author wrote them.
struct waiver {
    std::string key{};      ///< of the claims that it covers; `*` stands for any text
    std::string reason{};   ///< why the violation is tolerated
    std::string owner{};    ///< who looks after it, or the number of an issue
    std::string ceiling{};  ///< "20%" beyond the bound, or the farthest value itself, such as "150us" or "3"
    std::string until{};    ///< the last day, UTC: "2027-01-31"
    std::string place{};    ///< "baselines/perfspec.json:7"

    friend bool operator==(const waiver&, const waiver&) = default;
};

/// Checks the ceiling and the day. The ceiling is a percentage above 0 of at most 1000 %, a duration, or a number that
/// is not negative.
///
/// Throws input_error, which begins with `spelled` and shows a legal text.
void check_waiver(const waiver& w, std::string_view spelled);

/// Whether the pattern of the waiver is this key.
[[nodiscard]] bool covers(const waiver& w, std::string_view key) noexcept;

/// The ceiling as a fraction of the bound, or as a value in the base unit. One of them has a value if the text is
/// legal.
struct waiver_ceiling {
    std::optional<double> fraction{};
    std::optional<double> value{};
    bool is_duration{};  ///< whether the value has a unit of time
};

[[nodiscard]] waiver_ceiling ceiling_of(const waiver& w);

/// Whether the text is a day of the calendar: "2027-01-31".
[[nodiscard]] bool is_day(std::string_view text);

}  // namespace perfspec
