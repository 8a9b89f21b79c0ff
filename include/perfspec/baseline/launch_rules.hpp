// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_launch.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Rules for the contents of a stored launch. Reading, updating and rendering share them.
namespace perfspec::detail {

enum class value_domain : std::uint8_t { finite, not_negative, positive };

/// The values that numbers in a unit may have, and the words of messages for them.
struct unit_rule {
    std::string_view unit;
    value_domain domain;
    std::string_view expected;
};

/// The rule of a base unit (quantity/format.hpp). Any other unit is the user's, and takes every finite number.
[[nodiscard]] unit_rule rule_of(std::string_view unit);

[[nodiscard]] bool may_be(value_domain domain, double value) noexcept;

struct launch_number {
    const char* name;
    double stored_launch::*member;
};

/// The numbers of a launch in its unit, with their names in files.
inline constexpr launch_number launch_numbers[] = {
    {"value", &stored_launch::value}, {"q1", &stored_launch::q1},   {"q3", &stored_launch::q3},
    {"p90", &stored_launch::p90},     {"p99", &stored_launch::p99},
};

struct session_number {
    const char* name;
    double recording_session::*member;
};

/// The numbers of a recording session in its unit, with their names in files; without its values.
inline constexpr session_number session_numbers[] = {
    {"q1", &recording_session::q1},
    {"q3", &recording_session::q3},
    {"p90", &recording_session::p90},
    {"p99", &recording_session::p99},
};

/// Like fault_of, for one launch.
[[nodiscard]] std::optional<std::string> fault_of_launch(const stored_launch& launch, std::string_view unit);

}  // namespace perfspec::detail
