// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include "tightest.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace perfspec::tool {
namespace {

std::string suggestion(const baseline_entry& entry, double false_failure) {
    const std::vector<double> values = values_of(entry.launches);
    if (!stored_rank_test::can_judge(values.size()))
        return fmt::format("none: {} stored, a claim needs {}", counted(values.size(), "launch"), stored_rank_test::fewest_stored);
    const bool counted_things = entry.unit == base_unit(dimension::count) || entry.unit == base_unit(dimension::bytes);
    if (counted_things && std::ranges::all_of(values, [&](double v) { return v == values.front(); }))
        return fmt::format("{} baseline()   every launch counted the same, and such counts are compared exactly",
                           entry.polarity == better::less ? "<=" : ">=");
    if (std::ranges::any_of(values, [](double v) { return !(v > 0.0); })) return "none: a factor does not move a launch of 0";
    const direction claimed = entry.polarity == better::less ? direction::less : direction::more;
    const auto bound = tightest_bound(values, claimed, false_failure);
    if (!bound)
        return fmt::format("none up to {} * baseline(): the launches spread too much; quieten the machine, or claim a ratio in one run",
                           claimed == direction::less ? "2" : "0.5");
    return fmt::format(
        "{} {:.2f} * baseline()   launches like these hold {:.1f} % of the time, and fail {:.2g} % of it; beyond the bound {} is seen",
        claimed == direction::less ? '<' : '>', bound->factor, 100 * bound->chances.holds, 100 * bound->chances.violated,
        sight_text(entry));
}

}  // namespace

outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern, double false_failure) {
    outcome done;
    std::string title;
    std::size_t of_one_sitting = 0;
    for (const addressed_entry& at : entries_in(files, pattern)) {
        if (const std::string here = title_of(at.in->file); here != title) done.text += (title = here) + '\n';
        done.text += fmt::format("  {}\n    {}\n", detail::single_line(at.entry->key), suggestion(*at.entry, false_failure));
        if (sittings_of(*at.entry) == 1) ++of_one_sitting;
    }
    if (title.empty()) done.text = "no key has the pattern\n";
    if (of_one_sitting > 0)
        done.text += fmt::format("{} of one sitting only: machines vary more from day to day, so add launches of another day first:  "
                                 "PERFSPEC_UPDATE_BASELINES=append ctest\n",
                                 counted(of_one_sitting, "entry"));
    return done;
}

}  // namespace perfspec::tool
