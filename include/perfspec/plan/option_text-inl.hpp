// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/option_table.hpp>

#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace perfspec::inline v0_2 {
namespace detail {

/// Writes a duration in the largest unit that gives a whole number: "1500ms".
std::string exact_duration(std::chrono::nanoseconds d) {
    const auto n = d.count();
    if (n % 1'000'000'000 == 0) return fmt::format("{}s", n / 1'000'000'000);
    if (n % 1'000'000 == 0) return fmt::format("{}ms", n / 1'000'000);
    if (n % 1'000 == 0) return fmt::format("{}us", n / 1'000);
    return fmt::format("{}ns", n);
}

std::string number_text(const option_description& row, double number) {
    if (row.kind != option_kind::duration) return fmt::format("{}", number);
    return std::abs(number) < 1e18 ? exact_duration(std::chrono::nanoseconds{std::llround(number)})
                                   : fmt::format("{}ns", number);
}

std::string legal_text(const option_description& row) {
    switch (row.kind) {
    case option_kind::duration: return "a duration such as 10s, 250ms or 1.5us";
    case option_kind::percentage:
        return row.words.empty() ? "a percentage such as 1% or a fraction such as 0.01"
                                 : "a percentage such as 1%, a fraction such as 0.01, or auto";
    case option_kind::rate: return "a rate such as 0.001";
    case option_kind::count: return row.words.empty() ? "a whole number" : "a whole number or auto";
    case option_kind::text: return "a text";
    case option_kind::axes: return "a list of axis=value with commas between";
    case option_kind::settings:  // `fault_of_settings` says more
    case option_kind::word: break;
    }
    std::string list;
    for (const option_word& w : row.words) list += fmt::format("{}{}", list.empty() ? "one of " : ", ", w.text);
    return list;
}

[[noreturn]] void refuse_text(const option_description& row, std::string_view text, std::string_view spelled,
                              std::string_view legal) {
    throw input_error(
        fmt::format("{}: {} is not {}; write for example {}", spelled, excerpt(text), legal_text(row), legal));
}

void check_range(const option_description& row, double number, std::string_view spelled, std::string_view legal) {
    const auto [low, high, above] = row.range;
    const bool inside = (above ? number > low : number >= low) && number <= high;  // false for NaN
    if (inside) return;
    throw input_error(fmt::format("{}: {} is out of range, which is {} {} and at most {}; write for example {}",
                                  spelled, number_text(row, number), above ? "above" : "at least",
                                  number_text(row, low), number_text(row, high), legal));
}

/// Whether a text is the name of a device, which this machine may lack. There is one "cpu" and one "mps", so these take
/// no numbers.
bool is_device(std::string_view text) {
    constexpr std::string_view single[] = {"cpu", "mps"}, several[] = {"cuda", "xpu"};
    const auto is_one_of = [](const auto& kinds, std::string_view kind) {
        return std::ranges::find(kinds, kind) != std::end(kinds);
    };
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return is_one_of(single, text) || is_one_of(several, text);
    const std::string_view index = text.substr(colon + 1);
    const bool is_number =
        !index.empty() && index.size() <= 2 && index.find_first_not_of("0123456789") == std::string_view::npos;
    return is_one_of(several, text.substr(0, colon)) && is_number && (index.size() == 1 || index.front() != '0');
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t n{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return n;
}

bool is_floating_dtype(std::string_view text) {
    constexpr std::string_view all[] = {"float32", "bfloat16", "float16", "float64"};
    return std::ranges::find(all, text) != std::end(all);
}

template <std::uint64_t Max> bool is_count_to(std::string_view text) {
    const auto n = parse_count(text);
    return n && *n >= 1 && *n <= Max;
}

/// A setting of the option `with`, and its legal values.
struct setting_description {
    std::string_view name;
    std::string_view legal;
    bool (*is_legal)(std::string_view text);
};

constexpr setting_description known_settings[] = {
    {"device", "cpu, mps, cuda or xpu; a colon and a number may follow cuda and xpu", is_device},
    {"dtype", "float32, bfloat16, float16 or float64", is_floating_dtype},
    {"batch", "a whole number from 1 to 1048576", is_count_to<1048576>},
    {"threads", "a whole number from 1 to 1024", is_count_to<1024>}};

/// The fault of the settings in a text; empty if they are legal.
std::string fault_of_settings(std::string_view text) {
    const auto settings = parse_axis_filter(text);
    if (!settings) return fmt::format("{} is not a list of setting=value with commas between", excerpt(text));
    for (const auto& [name, values] : *settings) {
        const auto* const setting = std::ranges::find(known_settings, name, &setting_description::name);
        if (setting == std::end(known_settings))
            return fmt::format("{} is not a setting; the settings are device, dtype, batch and threads", excerpt(name));
        if (values.size() > 1) return fmt::format("{} has more than one value", name);
        if (const std::string& value = *values.begin(); !setting->is_legal(value))
            return fmt::format("{} is not a value of {}, which is {}", excerpt(value), name, setting->legal);
    }
    return {};
}

const option_word* find_word(const option_description& row, std::string_view text) {
    const auto found = std::ranges::find(row.words, text, &option_word::text);
    return found == row.words.end() ? nullptr : &*found;
}

/// The number in the text of a numeric option. Does not check the range.
std::optional<double> parse_number_of(const option_description& row, std::string_view text) {
    switch (row.kind) {
    case option_kind::duration: return parse_duration(text);
    case option_kind::percentage:
    case option_kind::rate: return parse_fraction(text);
    default: return std::nullopt;
    }
}

/// The value of a call as text.
std::string text_of_call(const option_description& row, const option& called) {
    if (row.kind == option_kind::text) return called.text == nullptr ? "" : called.text;
    const auto word = std::ranges::find_if(
        row.words, [&](const option_word& w) { return static_cast<double>(w.value) == called.number; });
    const bool is_word = row.kind == option_kind::word && word != row.words.end();
    return is_word ? std::string(word->text) : number_text(row, called.number);
}

/// The option at a call, with the text of its value: `margin(1_pct)`.
std::string call_with(const option_description& row, std::string_view text) {
    if (row.kind == option_kind::text) return fmt::format("{}(\"{}\")", row.name, text);
    if (text.ends_with('%')) return fmt::format("{}({}_pct)", row.name, text.substr(0, text.size() - 1));
    if (row.kind == option_kind::word && find_word(row, text) != nullptr) return fmt::format("{}::{}", row.name, text);
    return fmt::format("{}({})", row.name, text);
}

/// Removes one part of the text, up to the next comma that is not escaped. Empty if the part is not axis=value.
inline std::optional<std::pair<std::string, std::string>> take_axis(std::string_view& text) {
    std::string name;
    std::string value;
    bool named = false;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != ','; ++i) {
        if (text[i] == '=' && !named) {
            named = true;
            continue;
        }
        if (text[i] == '\\' && ++i == text.size()) return std::nullopt;
        (named ? value : name) += text[i];
    }
    const bool another_follows = i < text.size();
    text.remove_prefix(std::min(i + 1, text.size()));
    if (!named || name.empty() || (another_follows && text.empty())) return std::nullopt;
    return std::pair{std::move(name), std::move(value)};
}

}  // namespace detail

std::optional<axis_filter> parse_axis_filter(std::string_view text) {
    axis_filter filter;
    while (!text.empty()) {
        auto axis = detail::take_axis(text);
        if (!axis) return std::nullopt;
        filter[axis->first].insert(std::move(axis->second));
    }
    return filter;
}

bool leaves_out(const plan& p, const std::vector<std::pair<std::string, std::string>>& axes) {
    const axis_filter filter = parse_axis_filter(p.only).value_or(axis_filter{});
    return !std::ranges::all_of(filter, [&](const auto& condition) {
        return std::ranges::any_of(axes, [&](const auto& axis) {
            return axis.first == condition.first && condition.second.contains(axis.second);
        });
    });
}

option_value parse_option(const option_description& row, std::string_view text, std::string_view spelled,
                          std::string_view legal) {
    if (row.kind == option_kind::text) return std::string(text);
    if (row.kind == option_kind::axes) {
        if (!parse_axis_filter(text)) detail::refuse_text(row, text, spelled, legal);
        return std::string(text);
    }
    if (row.kind == option_kind::settings) {
        if (const std::string fault = detail::fault_of_settings(text); !fault.empty())
            throw input_error(fmt::format("{}: {}; write for example {}", spelled, fault, legal));
        return std::string(text);
    }
    if (row.kind == option_kind::word) {
        if (const option_word* w = detail::find_word(row, text)) return w->value;
        detail::refuse_text(row, text, spelled, legal);
    }
    if (detail::find_word(row, text) != nullptr) return {};  // auto
    if (row.kind == option_kind::count) {
        const auto n = detail::parse_count(text);
        if (!n) detail::refuse_text(row, text, spelled, legal);
        detail::check_range(row, static_cast<double>(*n), spelled, legal);
        return *n;
    }
    const auto number = detail::parse_number_of(row, text);
    if (!number) detail::refuse_text(row, text, spelled, legal);
    detail::check_range(row, *number, spelled, legal);
    if (row.kind == option_kind::percentage || row.kind == option_kind::rate) return *number;
    return std::chrono::nanoseconds{std::llround(*number)};
}

std::string option_text(const option_description& row, const option_value& value) {
    if (std::holds_alternative<std::monostate>(value)) return "auto";
    if (const auto* d = std::get_if<std::chrono::nanoseconds>(&value)) return detail::exact_duration(*d);
    if (const auto* fraction = std::get_if<double>(&value)) return fmt::format("{}", *fraction);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const auto number = std::get<std::uint64_t>(value);
    return row.kind == option_kind::word ? detail::spelling(row.words, number) : fmt::format("{}", number);
}

option_value call_value(const option& called) {
    const option_description& row = describe(called.id);
    const std::string text = detail::text_of_call(row, called);
    const std::string spelled = detail::call_with(row, text);
    if (row.scope == option_scope::outside)
        throw input_error(fmt::format(
            "{}: this option cannot be given at a call; write {}={} on the command line, or {}={} in the environment",
            spelled, command_line_name(row), row.legal, environment_name(row), row.legal));
    const std::string legal = detail::call_with(row, row.legal);
    if (row.kind == option_kind::text && called.text == nullptr)
        throw input_error(fmt::format("{}: the text is missing; write for example {}", spelled, legal));
    return parse_option(row, text, spelled, legal);
}

}  // namespace perfspec::inline v0_2
