// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include "tightest.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace perfspec::tool {
namespace {

/// The values of each recording session by itself; launches without a mark are one.
std::vector<std::vector<double>> values_by_recording(const baseline_entry& entry) {
    std::map<std::string_view, std::vector<double>> recordings;
    for (const stored_launch& launch : entry.launches) recordings[launch.recording_session].push_back(launch.value);
    std::vector<std::vector<double>> values;
    for (auto& [mark, of_recording] : recordings) values.push_back(std::move(of_recording));
    return values;
}

/// "3 of 100000": the share of all sequences of five launches, whose resolution is one of them.
std::string share_of_sequences(double share, std::size_t launches) {
    const double all = std::pow(static_cast<double>(launches), static_cast<double>(stored_rank_test::max_launches));
    return fmt::format("{:.0f} of {:.0f}", std::round(share * all), all);
}

constexpr std::string_view how_to_append = "PERFSPEC_UPDATE_BASELINES=append ctest";

std::string suggestion(const baseline_entry& entry, double false_failure) {
    const std::vector<double> values = values_of(entry.launches);
    if (!stored_rank_test::can_judge(values.size()))
        return fmt::format("none: {} stored, a claim needs {}", counted(values.size(), "launch"), stored_rank_test::min_stored);
    const bool counted_things = entry.unit == base_unit(dimension::count) || entry.unit == base_unit(dimension::bytes);
    if (counted_things && std::ranges::all_of(values, [&](double v) { return v == values.front(); }))
        return fmt::format("{} baseline()   every launch counted the same, and such counts are compared exactly",
                           entry.polarity == better::less ? "<=" : ">=");
    if (std::ranges::any_of(values, [](double v) { return !(v > 0.0); })) return "none: a factor does not move a launch of 0";
    const auto recordings = values_by_recording(entry);
    if (recordings.size() == 1)
        return fmt::format("none: one sitting only, which knows nothing of how the machine drifts; append another after some hours:  {}",
                           how_to_append);
    const direction claimed = entry.polarity == better::less ? direction::less : direction::more;
    const auto bound = tightest_bound(recordings, claimed, false_failure);
    if (!bound)
        return fmt::format("none up to {} * baseline(): the launches spread too much; quieten the machine, or claim a ratio in one run",
                           claimed == direction::less ? "2" : "0.5");
    return fmt::format(
        "{} {:.2f} * baseline()   a run like the worst of {} sittings holds in {:.1f} % of its sequences of five launches, and "
        "is violated in {}; beyond the bound {} is seen",
        claimed == direction::less ? '<' : '>', bound->factor, recordings.size(), 100 * bound->chances.holds,
        share_of_sequences(bound->chances.violated, bound->launches_of_worst), detectable_text(entry));
}

}  // namespace

outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern, double false_failure) {
    outcome done;
    std::string title;
    for (const addressed_entry& at : entries_in(files, pattern)) {
        if (const std::string here = title_of(at.in->file); here != title) done.text += (title = here) + '\n';
        done.text += fmt::format("  {}\n    {}\n", detail::single_line(at.entry->key), suggestion(*at.entry, false_failure));
    }
    if (title.empty()) done.text = "no key has the pattern\n";
    return done;
}

}  // namespace perfspec::tool
