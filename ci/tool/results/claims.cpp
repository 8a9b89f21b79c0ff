// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "claims.hpp"

#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <utility>

namespace perfspec::tool {
namespace {

/// The smallest gain on a baseline that is worth a row.
constexpr double least_gain = 0.05;

bool has_gained(const record& r) {
    const auto ratio = detail::ratio_to_baseline(r);
    if (r.verdict != verdict::holds || !ratio) return false;
    return r.direction == better::less ? *ratio <= 1.0 - least_gain : *ratio >= 1.0 + least_gain;
}

}  // namespace

std::string_view to_string(concern c) noexcept {
    switch (c) {
    case concern::violated: return "violated";
    case concern::error: return "error";
    case concern::suspect: return "suspect";
    case concern::undecided: return "undecided";
    case concern::waived: return "waived";
    case concern::skipped: return "skipped";
    case concern::is_new: return "is_new";
    case concern::gained: return "gained";
    case concern::none: break;
    }
    return "none";
}

concern concern_of(const record& r) {
    if (detail::is_waived(r)) return concern::waived;
    switch (r.verdict) {
    case verdict::violated: return concern::violated;
    case verdict::error: return concern::error;
    case verdict::undecided: return detail::looks_violated(r) ? concern::suspect : concern::undecided;
    case verdict::holds: return has_gained(r) ? concern::gained : concern::none;
    case verdict::measured: return concern::none;
    case verdict::skipped: break;
    }
    if (r.baseline && r.baseline->action == baseline_action::is_new) return concern::is_new;
    return detail::done_instead(r).empty() ? concern::skipped : concern::none;
}

std::string test_of(const record& r) {
    std::string name = r.test;
    for (const std::string& section : r.sections) name += " / " + section;
    return name.empty() ? r.key : name;
}

std::string change_and_reason(const record& r) {
    std::string text = change_text(r);
    if (text.empty() && r.estimate) text = detail::measured_text(r);
    if (!text.empty() && !r.reason.empty()) text += "; ";
    return text + r.reason;
}

std::string counts_text(std::span<const record> records) {
    std::map<std::pair<concern, std::string>, std::size_t> counts;
    for (const record& r : records) {
        const concern c = concern_of(r);
        const std::string word = c == concern::waived ? std::string(to_string(c)) : detail::verdict_word(r, {});
        ++counts[{c == concern::gained ? concern::none : c, word}];
    }
    const auto form_of = [](const std::string& word, std::size_t n) {
        if (n > 1 && word == "holds") return std::string("hold");
        return n > 1 && word == "error" ? std::string("errors") : word;
    };
    std::string text;
    for (const auto& [what, n] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, form_of(what.second, n));
    return text;
}

}  // namespace perfspec::tool
