// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#pragma once

#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2 {

namespace detail {

/// A unit that people read, and its size in base units.
struct display_unit {
    std::string_view name;
    double size;
};

/// The symbol of the base unit, and the units that people read, from small to large.
struct units_of_dimension {
    std::string_view symbol;
    std::span<const display_unit> units;
};

/// Bytes use powers of 1024 and byte rates powers of 1000, as their literals do.
[[nodiscard]] inline units_of_dimension units_of(dimension d) noexcept {
    static constexpr display_unit times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    static constexpr display_unit plain[] = {{"", 1}};
    static constexpr display_unit counts[] = {{"", 1}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
    static constexpr display_unit sizes[] = {
        {"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}};
    static constexpr display_unit items[] = {
        {"items/s", 1}, {"k items/s", 1e3}, {"M items/s", 1e6}, {"G items/s", 1e9}};
    static constexpr display_unit bytes[] = {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};
    static constexpr display_unit flops[] = {
        {"flop/s", 1}, {"kflop/s", 1e3}, {"Mflop/s", 1e6}, {"Gflop/s", 1e9}, {"Tflop/s", 1e12}};
    static constexpr display_unit percents[] = {{"%", 0.01}};
    switch (d) {
    case dimension::time: return {"ns", times};
    case dimension::ratio: return {"ratio", plain};
    case dimension::count: return {"count", counts};
    case dimension::bytes: return {"bytes", sizes};
    case dimension::item_rate: return {"items/s", items};
    case dimension::byte_rate: return {"bytes/s", bytes};
    case dimension::flop_rate: return {"flop/s", flops};
    case dimension::own: return {"own", plain};
    case dimension::power: return {"power", plain};
    case dimension::spread: return {"spread", percents};
    }
    return {"", plain};
}

/// Whether to show all digits: of whole counts and bytes that are not too large, because they compare exactly.
[[nodiscard]] inline bool shown_whole(double value, dimension d) noexcept {
    const double maximum = d == dimension::count ? 1e7 : d == dimension::bytes ? 1024 : 0;
    return std::abs(value) < maximum && value == std::trunc(value);
}

/// The largest unit in which the value, rounded to three decimals, is at least one: 999.6 ns is 1.000 us.
[[nodiscard]] inline display_unit unit_for(double value, dimension d) noexcept {
    const auto units = units_of(d).units;
    display_unit chosen = units.front();
    if (!std::isfinite(value) || shown_whole(value, d)) return chosen;
    for (const auto& unit : units)
        if (std::round(std::abs(value) / unit.size * 1000) >= 1000) chosen = unit;
    return chosen;
}

/// A notation: a fixed number of decimals, or an exponent.
struct number_style {
    enum class notation : std::uint8_t { fixed, exponent } as;
    int decimals;
};

/// The style that shows four significant digits of a number.
[[nodiscard]] inline number_style style_of(double number) noexcept {
    const double size = std::abs(number);
    if (size == 0) return {number_style::notation::fixed, 0};
    if (size < 1e-5 || size >= 1e9) return {number_style::notation::exponent, 3};
    if (size < 0.99995) return {number_style::notation::fixed, 3 - static_cast<int>(std::floor(std::log10(size)))};
    return {number_style::notation::fixed, size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0};
}

/// The style of a number in its unit. A number that rounds up into the next unit: 1.000 us, not 0.9996 us.
[[nodiscard]] inline number_style style_in(double number, const display_unit& unit) noexcept {
    return style_of(unit.size > 1 ? std::max(std::abs(number), 1.0) : number);
}

[[nodiscard]] inline std::string styled(double number, number_style style) {
    if (!std::isfinite(number)) return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
    if (style.as == number_style::notation::exponent) return fmt::format("{:.{}e}", number, style.decimals);
    auto text = fmt::format("{:.{}f}", number, style.decimals);
    const bool zero = text.find_first_of("123456789") == std::string::npos;
    return zero && text.front() == '-' ? text.substr(1) : text;
}

[[nodiscard]] inline std::string with_unit(std::string text, std::string_view unit) {
    if (!unit.empty()) text.append(1, ' ').append(unit);
    return text;
}

/// Writes three significant digits and the unit. The duration must be positive and round to less than a second.
[[nodiscard]] inline std::string below_a_second(double nanoseconds) {
    for (const auto& [name, size] : units_of(dimension::time).units) {
        const double number = nanoseconds / size;
        if (std::round(number) >= 1000) continue;
        auto style = style_in(number, {name, size});
        style.decimals = number < 0.9995 ? style.decimals - 1 : number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
        return with_unit(styled(number, style), name);
    }
    return {};
}

/// Writes two neighboring units, the smaller one only if it is not zero: "2 min 5 s", "1 h".
[[nodiscard]] inline std::string two_units(double large, std::string_view large_name, double small,
                                           std::string_view small_name) {
    const auto text = fmt::format("{:.0f} {}", large, large_name);
    return small == 0 ? text : fmt::format("{} {:.0f} {}", text, small, small_name);
}

/// Writes a duration of a second or more.
[[nodiscard]] inline std::string from_a_second(double seconds) {
    const double tenths = std::round(seconds * 10) / 10;
    if (tenths < 60) return fmt::format("{:.{}f} s", tenths, tenths == std::trunc(tenths) ? 0 : 1);
    const double whole = std::round(seconds);
    if (whole < 3600) return two_units(std::floor(whole / 60), "min", std::fmod(whole, 60), "s");
    const double minutes = std::round(seconds / 60);
    if (minutes < 6e6) return two_units(std::floor(minutes / 60), "h", std::fmod(minutes, 60), "min");
    return fmt::format("{:.3e} h", minutes / 60);
}

}  // namespace detail

std::string format_value(double value, dimension d) {
    constexpr detail::number_style whole{detail::number_style::notation::fixed, 0};
    const auto unit = detail::unit_for(value, d);
    const double number = value / unit.size;
    return detail::with_unit(
        detail::styled(number, detail::shown_whole(value, d) ? whole : detail::style_in(number, unit)), unit.name);
}

std::string format_range(double low, double high, dimension d) {
    // The larger finite end decides the unit and the decimals of both. If the ends are close, the smaller decides the
    // decimals: 0.9996 .. 1.0003.
    const bool low_decides = !std::isfinite(high) || (std::isfinite(low) && std::abs(low) > std::abs(high));
    const double larger = low_decides ? low : high, smaller = low_decides ? high : low;
    const auto unit = detail::unit_for(larger, d);
    const bool close = std::isfinite(smaller) && smaller / larger > 0.99;
    auto style = close ? detail::style_of(smaller / unit.size) : detail::style_in(larger / unit.size, unit);
    if (detail::shown_whole(low, d) && detail::shown_whole(high, d)) style = {detail::number_style::notation::fixed, 0};
    const auto text =
        fmt::format("{} .. {}", detail::styled(low / unit.size, style), detail::styled(high / unit.size, style));
    return detail::with_unit(text, unit.name);
}

std::string format_percentage(double fraction) {
    const double percent = 100.0 * fraction;
    return std::abs(percent) < 9.95 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string format_change(double fraction) {
    const double unsigned_zero = fraction == 0.0 ? 0.0 : fraction;
    return (std::signbit(unsigned_zero) ? "" : "+") + format_percentage(unsigned_zero);
}

std::string_view base_unit(dimension d) noexcept { return detail::units_of(d).symbol; }

std::string format_seconds(double nanoseconds) {
    if (!std::isfinite(nanoseconds)) return detail::styled(nanoseconds, {}) + " s";
    if (nanoseconds == 0) return "0 s";
    const double size = std::abs(nanoseconds);
    const auto text = std::round(size / 1e6) < 1000 ? detail::below_a_second(size) : detail::from_a_second(size / 1e9);
    return nanoseconds < 0 ? '-' + text : text;
}

std::string counted(std::size_t n, std::string_view what) {
    if (n == 1) return fmt::format("1 {}", what);
    if (what.ends_with("ch") || what.ends_with("ss")) return fmt::format("{} {}es", n, what);
    if (what.ends_with("ry")) return fmt::format("{} {}ies", n, what.substr(0, what.size() - 1));
    return fmt::format("{} {}s", n, what);
}

}  // namespace perfspec::inline v0_2
