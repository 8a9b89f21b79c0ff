// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/launch_rules.hpp>
#include <perfspec/baseline/rounding.hpp>
#include <perfspec/quantity/leading_number.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace perfspec {

namespace detail {

/// The exponent of a number's leading decimal digit: 4 for 12300, -2 for 0.05.
[[nodiscard]] inline int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

/// The nearest decimal with this many digits after the leading one. It goes through text, because 3.214 * 0.001 is not
/// 0.003214.
[[nodiscard]] inline double with_digits(double value, int after_the_leading) {
    std::array<char, 64> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::scientific, after_the_leading);
    const auto nearest = read_leading_number({buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data())});
    return nearest ? nearest->value : value;
}

[[nodiscard]] inline double rounded_to(double value, int last_exponent) {
    constexpr int minimum = 2;   // digits after the leading one
    constexpr int maximum = 16;  // more digits than a double has
    if (value == 0) return value;
    return with_digits(value, std::clamp(exponent_of(value) - last_exponent, minimum, maximum));
}

}  // namespace detail

std::vector<stored_launch> rounded_launches(std::span<const stored_launch> fresh,
                                            std::span<const stored_launch> stored) {
    std::vector<stored_launch> rounded(fresh.begin(), fresh.end());
    std::vector<double> values = values_of(stored);
    for (const auto& launch : fresh) values.push_back(launch.value);
    const double spread = values.empty() ? 0 : summarize(values).mad;
    if (spread == 0) return rounded;
    const int last_exponent = detail::exponent_of(spread) - 1;
    for (auto& launch : rounded)
        for (const auto& [name, member] : detail::launch_numbers)
            launch.*member = detail::rounded_to(launch.*member, last_exponent);
    return rounded;
}

operator_profile rounded_profile(operator_profile profile) {
    constexpr int after_the_leading = 2;
    const auto rounded = [](double ns) { return ns == 0.0 ? ns : detail::with_digits(ns, after_the_leading); };
    for (profiled_operator& o : profile.longest) o.self_ns = rounded(o.self_ns);
    profile.others_ns = rounded(profile.others_ns);
    return profile;
}

}  // namespace perfspec
