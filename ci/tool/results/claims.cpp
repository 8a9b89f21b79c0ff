// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "claims.hpp"
#include "results.hpp"

#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>

namespace perfspec::tool {
namespace {

/// The smallest gain on a baseline that is worth a row.
constexpr double gain_to_tell = 0.05;

bool has_gained(const record& r) {
    const auto ratio = detail::ratio_to_baseline(r);
    if (r.verdict != verdict::holds || !ratio) return false;
    return r.direction == better::less ? *ratio <= 1.0 - gain_to_tell : *ratio >= 1.0 + gain_to_tell;
}

/// What the claims of a key, or of a test whose claim has none, have in common in two runs.
std::vector<std::string> place_of(const record& r) {
    return {r.suite, r.key.empty() ? test_of(r) : r.key, r.hardware_key, r.build_variant};
}

}  // namespace

std::string_view to_string(concern c) noexcept {
    switch (c) {
    case concern::violated: return "violated";
    case concern::invalid: return "invalid";
    case concern::undecided: return "undecided";
    case concern::waived: return "waived";
    case concern::not_judged: return "not_judged";
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
    case verdict::invalid: return concern::invalid;
    case verdict::undecided: return concern::undecided;
    case verdict::holds: return has_gained(r) ? concern::gained : concern::none;
    case verdict::not_judged: break;
    }
    if (r.baseline && r.baseline->action == baseline_action::is_new) return concern::is_new;
    return detail::done_instead(r).empty() ? concern::not_judged : concern::none;
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
    std::string text;
    for (const auto& [what, n] : counts)
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what.second == "holds" && n > 1 ? "hold" : what.second);
    return text;
}

std::string word_of(const record* r) {
    if (r == nullptr) return "no result";
    return detail::verdict_word(*r, {}) + (detail::is_waived(*r) ? ", waived" : "");
}

bool claim_in_two_runs::changed() const { return word_of(before) != word_of(now); }

std::vector<claim_in_two_runs> claims_in_two_runs(std::span<const record> before, std::span<const record> now) {
    std::map<std::vector<std::string>, std::deque<const record*>> left;
    for (const record& r : before) left[place_of(r)].push_back(&r);
    std::vector<claim_in_two_runs> claims;
    for (const record& r : now) {
        auto& same = left[place_of(r)];
        claims.push_back({same.empty() ? nullptr : same.front(), &r});
        if (!same.empty()) same.pop_front();
    }
    for (const auto& [place, same] : left)
        for (const record* r : same) claims.push_back({r, nullptr});
    return claims;
}

std::string earlier_run::name() const {
    const auto newest = std::ranges::max_element(records, {}, &record::time);
    if (newest == records.end()) return "a run without results";
    return commit_and_day(newest->commit, newest->dirty, newest->time);
}

}  // namespace perfspec::tool
