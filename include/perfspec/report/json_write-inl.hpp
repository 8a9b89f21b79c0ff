// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/json_write.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>

namespace perfspec::detail {

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
