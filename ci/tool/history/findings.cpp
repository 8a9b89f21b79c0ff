// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "findings.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace perfspec::tool {
namespace {

bool violates_twice(const std::vector<history_point>& points) {
    return points.size() >= 2 && points.back().worst == concern::violated && points[points.size() - 2].worst == concern::violated;
}

}  // namespace

std::string_view to_string(key_state s) noexcept {
    switch (s) {
    case key_state::violated: return "violated";
    case key_state::creeping: return "creeping";
    case key_state::changed: return "changed";
    case key_state::missing: return "missing";
    case key_state::steady: break;
    }
    return "steady";
}

key_state key_findings::state() const noexcept {
    if (violates) return key_state::violated;
    if (crept) return key_state::creeping;
    if (is_missing) return key_state::missing;
    return changes.empty() ? key_state::steady : key_state::changed;
}

std::vector<key_findings> findings_of(const history& all, std::vector<std::vector<change_point>> changes) {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> newest;  // run of each hardware and variant
    for (const key_history& key : all.keys) {
        std::size_t& run = newest[{key.hardware, key.variant}];
        run = std::max(run, key.points.back().run);
    }
    std::vector<std::optional<creep>> crept = find_creep(all.keys);
    changes.resize(all.keys.size());
    std::vector<key_findings> found;
    for (std::size_t i = 0; i < all.keys.size(); ++i) {
        const key_history& key = all.keys[i];
        found.push_back({.violates = violates_twice(key.points),
                         .crept = crept[i],
                         .changes = std::move(changes[i]),
                         .is_missing = key.points.back().run < newest.at({key.hardware, key.variant})});
    }
    return found;
}

std::string run_text(const history_run& run) { return commit_and_day(run.commit, run.dirty, run.time); }

std::string newest_text(const history& all, const key_history& key) {
    const auto has_value = [](const history_point& point) { return std::isfinite(point.value); };
    const auto first = std::ranges::find_if(key.points, has_value);
    if (first == key.points.end() || !has_value(key.points.back())) return perfspec::to_string(key.points.back().judged);
    const std::string now = value_text(key.points.back().value, key.unit);
    if (first == key.points.end() - 1 || first->value == 0) return now;
    return fmt::format("{}, {} since {}", now, format_change(key.points.back().value / first->value - 1),
                       day_of(all.runs[first->run].time));
}

}  // namespace perfspec::tool
