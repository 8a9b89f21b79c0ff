// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::tool {
namespace {

decision replay_run(drifting_rank_test test, std::span<const double> fresh, std::mt19937_64& random) {
    while (test.is_open()) test.add(fresh[random() % fresh.size()]);
    return test.decided();
}

/// The worst chances of all sessions.
tight_bound worst_of(const stored_side& stored, std::span<const std::vector<double>> sessions, double factor) {
    tight_bound worst{factor, {.violated = 0, .holds = 1}};
    for (const std::vector<double>& session : sessions) {
        const claim_chances chances = chances_of(stored, session, factor);
        worst.chances.holds = std::min(worst.chances.holds, chances.holds);
        worst.chances.violated = std::max(worst.chances.violated, chances.violated);
    }
    return worst;
}

/// How many runs are replayed for each bound and recording session.
constexpr std::size_t replayed_runs = 2000;

/// "< 1.05 * baseline()"; for powers, which are stored as logarithms, "<= baseline() + order::power(0.05)".
std::string bound_as_code(const baseline_entry& entry, double factor) {
    if (entry.unit == base_unit(dimension::power))
        return fmt::format("<= baseline() + order::power({:.2f})", std::ceil(100.0 * std::log(factor)) / 100.0);
    return fmt::format("{} {:.2f} * baseline()", entry.polarity == better::less ? '<' : '>', factor);
}

std::string suggestion(const baseline_entry& entry, double false_failure) {
    const std::vector<double> values = values_of(entry.launches);
    if (values.size() < stored_rank_test::min_stored)
        return fmt::format("none: {} stored, a claim needs {}", counted(values.size(), "launch"),
                           stored_rank_test::min_stored);
    const bool counted_things = entry.unit == base_unit(dimension::count) || entry.unit == base_unit(dimension::bytes);
    if (counted_things && std::ranges::all_of(values, [&](double v) { return v == values.front(); }))
        return fmt::format("{} baseline()   every launch counted the same, and such counts are compared exactly",
                           entry.polarity == better::less ? "<=" : ">=");
    if (entry.unit != base_unit(dimension::power) && std::ranges::any_of(values, [](double v) { return !(v > 0.0); }))
        return "none: a factor does not move a launch of 0";
    const comparable_launches stored = what_to_compare(entry.launches, entry.unit);
    if (stored.is_noisy())
        return "none: the launches vary by " + format_percentage(stored.spread) +
               ", and fail no test by less than four times that; record them again";
    if (stored.sessions == 1)
        return "none: one recording session does not show how the machine drifts; append another, at least half an hour "
               "later:  PERFSPEC_UPDATE_BASELINES=append ctest";
    const direction claimed = entry.polarity == better::less ? direction::less : direction::more;
    const auto bound = tightest_bound({stored.values, stored.allowance(), claimed},
                                      sessions_to_compare(entry.launches, entry.unit), false_failure);
    if (!bound)
        return fmt::format(
            "none, not even {}: the launches vary too much; reduce the load on this machine, or compare two subjects in one run",
            bound_as_code(entry, claimed == direction::less ? 2.0 : 0.5));
    return fmt::format("{}   of {} runs like the worst of {} it holds in {:.1f} %, and is violated in {:.0f}; "
                       "beyond the bound it detects {} or more",
                       bound_as_code(entry, bound->factor), replayed_runs,
                       counted(stored.sessions, "recording session"), 100 * bound->chances.holds,
                       static_cast<double>(replayed_runs) * bound->chances.violated, detectable_text(entry));
}

}  // namespace

claim_chances chances_of(const stored_side& stored, std::span<const double> fresh, double factor) {
    std::vector<double> bounds(stored.launches.begin(), stored.launches.end());
    for (double& b : bounds) b *= factor;
    const drifting_rank_test claim(bounds, stored.claimed, stored.allowance);
    std::mt19937_64 random(7);
    claim_chances chances;
    for (std::size_t run = 0; run < replayed_runs; ++run) {
        const decision decided = replay_run(claim, fresh, random);
        if (decided == decision::violated) chances.violated += 1;
        if (decided == decision::holds) chances.holds += 1;
    }
    constexpr auto all = static_cast<double>(replayed_runs);
    return {chances.violated / all, chances.holds / all};
}

std::optional<tight_bound> tightest_bound(const stored_side& stored, std::span<const std::vector<double>> sessions,
                                          double false_failure) {
    const bool is_less = stored.claimed == direction::less;
    const int last = is_less ? 100 : 50;
    for (int percent = 1; percent <= last; ++percent) {
        const tight_bound bound = worst_of(stored, sessions, (is_less ? 100 + percent : 100 - percent) / 100.0);
        if (bound.chances.violated <= false_failure && bound.chances.holds >= suggested_to_hold) return bound;
    }
    return {};
}

outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern, double false_failure) {
    outcome done;
    for (const located_file& in : files) {
        std::string title = title_of(in.file) + '\n';
        for (const baseline_entry& entry : in.file.entries) {
            if (!contains_pattern(entry.key, pattern)) continue;
            done.text += std::exchange(title, {}) + fmt::format("  {}\n    {}\n", detail::single_line(entry.key),
                                                                suggestion(entry, false_failure));
        }
    }
    if (done.text.empty()) done.text = "no key has the pattern\n";
    return done;
}

}  // namespace perfspec::tool
