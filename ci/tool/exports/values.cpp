// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "values.hpp"

#include <perfspec/report/json_write.hpp>
#include <perfspec/report/xla_fields.hpp>

#include <fmt/format.h>

namespace perfspec::tool {

std::string metric_of(const record& r) { return r.query.substr(0, r.query.find('(')); }

std::vector<double> repetitions_of(const record& r) {
    if (r.baseline && r.baseline->now.size() > 1) return r.baseline->now;
    return {r.estimate->median};
}

std::string axis_or(const record& r, std::string_view axis, std::string_view other) {
    return detail::axis_of(r, axis).value_or(std::string(other));
}

std::string xml_text(std::string_view text) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string all = detail::utf8_or_replaced(text);
    for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})  // U+FFFE and U+FFFF, which are no characters
        for (std::size_t at = all.find(none); at != std::string::npos; at = all.find(none, at)) all.replace(at, none.size(), replacement);
    std::string safe;
    for (const char c : all) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '&') safe += "&amp;";
        else if (c == '"') safe += "&quot;";
        else if (c == '\n' || c == '\t' || c == '\r') safe += fmt::format("&#{};", code);
        else if (code < 0x20) safe += replacement;
        else safe += c;
    }
    return safe;
}

std::string exact_number(double value) { return fmt::format("{}", value); }

}  // namespace perfspec::tool
