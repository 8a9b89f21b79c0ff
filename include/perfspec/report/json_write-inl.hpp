// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/json_write.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace perfspec::detail {

std::string shown_value(const json_value& found) {
    switch (found.kind) {
    case json_kind::array: return "a list";
    case json_kind::object: return "an object";
    case json_kind::string: return excerpt(found.text);
    case json_kind::number: return json_number(found.number);
    case json_kind::boolean:
    case json_kind::null: break;
    }
    return found.text;
}

void refuse_field(const json_value& found, std::string_view path, std::string_view expected) {
    throw input_error(fmt::format("\"{}\" is {}, expected {}; delete the line, or run the tests again", path,
                                  shown_value(found), expected));
}

std::uint64_t read_whole(const json_value& v, std::string_view path, std::uint64_t maximum) {
    if (v.kind != json_kind::number || !v.whole) refuse_field(v, path, "a whole number such as 42");
    std::uint64_t number{};
    const char* end = v.text.data() + v.text.size();
    if (std::from_chars(v.text.data(), end, number).ptr != end || number > maximum)
        refuse_field(v, path, fmt::format("at most {}", maximum));
    return number;
}

void read_field(const json_value& v, std::string& into, const std::string& path) {
    if (v.kind != json_kind::string) refuse_field(v, path, "a text");
    into = v.text;
}

void read_field(const json_value& v, double& into, const std::string& path) {
    if (v.kind == json_kind::number) {
        into = v.number;
    } else if (v.text == "inf" || v.text == "-inf" || v.text == "nan") {
        into = v.text == "nan" ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
        if (v.text == "-inf") into = -into;
    } else {
        refuse_field(v, path, "a number such as 1.5, or \"inf\", \"-inf\", \"nan\"");
    }
}

void read_field(const json_value& v, bool& into, const std::string& path) {
    if (v.kind != json_kind::boolean) refuse_field(v, path, "true or false");
    into = v.text == "true";
}

/// Reads the value of a word. Throws input_error with the list of known words.
template <class Enum>
void read_word(const json_value& v, Enum& into, const std::string& path, std::initializer_list<Enum> known) {
    std::string words;
    for (const Enum e : known) {
        if (v.kind == json_kind::string && v.text == file_word(e)) {
            into = e;
            return;
        }
        words += fmt::format("{}{}", words.empty() ? "one of " : ", ", file_word(e));
    }
    refuse_field(v, path, words);
}

void read_field(const json_value& v, verdict& into, const std::string& path) {
    read_word(v, into, path,
              {verdict::holds, verdict::violated, verdict::undecided, verdict::invalid, verdict::not_judged});
}

void read_field(const json_value& v, better& into, const std::string& path) {
    read_word(v, into, path, {better::less, better::more});
}

void read_field(const json_value& v, dimension& into, const std::string& path) {
    read_word(v, into, path,
              {dimension::time, dimension::ratio, dimension::count, dimension::bytes, dimension::item_rate,
               dimension::byte_rate, dimension::flop_rate, dimension::own, dimension::power, dimension::spread});
}

void read_field(const json_value& v, verification_code& into, const std::string& path) {
    using enum verification_code;
    read_word(v, into, path,
              {verification_code::pass, verification_code::fail, load_failed, eager_failed, eager_out_of_memory,
               exception_raised, out_of_memory, nondeterministic_eager_run, verifier_skipped, verifier_didnt_run});
}

void read_field(const json_value& v, failure_kind& into, const std::string& path) {
    using enum failure_kind;
    read_word(v, into, path,
              {body_threw, load_threw, setup_threw, refused, clock_went_backwards, zero_duration, optimised_away,
               too_short, too_slow, no_value, worker_failed, out_of_memory, timed_out, unfinished, not_countable,
               unavailable});
}

void read_field(const json_value& v, waiver_effect& into, const std::string& path) {
    using enum waiver_effect;
    read_word(v, into, path, {waived, not_needed, too_far, expired});
}

void read_field(const json_value& v, baseline_action& into, const std::string& path) {
    using enum baseline_action;
    read_word(v, into, path,
              {compared, recorded, recorded_anew, appended, kept, refused, would_be_recorded, reference_build, is_new});
}

void read_field(const json_value& v, std::vector<std::pair<std::string, std::string>>& into, const std::string& path) {
    if (v.kind != json_kind::object) refuse_field(v, path, "an object of texts");
    into.clear();
    for (const json_value& item : v.items) {
        into.emplace_back(item.name, std::string{});
        read_field(item, into.back().second, path + "." + item.name);
    }
}

std::string utf8_or_replaced(std::string_view text) {
    if (is_utf8(text)) return std::string(text);
    std::string whole;
    while (!text.empty()) {
        std::size_t length = 1;
        while (length <= 4 && length <= text.size() && !is_utf8(text.substr(0, length))) ++length;
        const bool character = length <= 4 && length <= text.size();
        whole += character ? text.substr(0, length) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(character ? length : 1);
    }
    return whole;
}

std::string_view file_word(verdict v) noexcept { return v == verdict::not_judged ? "not_judged" : to_string(v); }
std::string_view file_word(better b) noexcept { return b == better::less ? "less" : "more"; }
std::string_view file_word(dimension d) noexcept { return base_unit(d); }
std::string_view file_word(verification_code c) noexcept { return to_string(c); }
std::string_view file_word(failure_kind kind) noexcept { return to_string(kind); }
std::string_view file_word(waiver_effect e) noexcept {
    if (e == waiver_effect::not_needed) return "not_needed";
    return e == waiver_effect::too_far ? "too_far" : to_string(e);
}
std::string_view file_word(baseline_action a) noexcept {
    if (a == baseline_action::recorded_anew) return "recorded_anew";
    if (a == baseline_action::reference_build) return "reference_build";
    return a == baseline_action::would_be_recorded ? "would_be_recorded" : to_string(a);
}

std::string json(std::string_view text) { return json_string(utf8_or_replaced(text)); }

std::string json(double number) {
    if (std::isnan(number)) return "\"nan\"";
    if (std::isinf(number)) return number > 0 ? "\"inf\"" : "\"-inf\"";
    return json_number(number);
}

std::string json(const std::vector<std::pair<std::string, std::string>>& pairs) {
    json_members members;
    for (auto p = pairs.begin(); p != pairs.end(); ++p) {
        const bool repeated =
            std::any_of(p + 1, pairs.end(), [&](const auto& later) { return later.first == p->first; });
        if (!repeated) members.add(p->first, p->second);
    }
    return members.object();
}

}  // namespace perfspec::detail
