// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <map>

namespace perfspec::tool {
namespace {

using entries_by_address = std::map<entry_address, addressed_entry>;

entries_by_address by_address(std::span<const located_file> files) {
    entries_by_address all;
    for (const addressed_entry& at : entries_in(files, "")) all.emplace(at.address(), at);
    return all;
}

std::string side_text(const baseline_entry& entry) {
    return fmt::format("{} ({})", median_text(entry), counted(entry.launches.size(), "launch"));
}

std::string change_text(const baseline_entry& before, const baseline_entry& after) {
    const bool same_metric = before.unit == after.unit && before.polarity == after.polarity;
    const double change = change_between(before, after).fraction;
    const std::string moved = same_metric ? format_change(change) : std::string("another metric");
    std::string text = fmt::format("{} -> {}, {}\n", side_text(before), side_text(after), moved);
    for (const std::string& difference : describe_difference(before.recorded_on, after.recorded_on))
        text += fmt::format("      {}\n", detail::single_line(difference));
    return text;
}

}  // namespace

outcome diff_baselines(std::span<const located_file> before, std::span<const located_file> after) {
    const auto then = by_address(before);
    const auto now = by_address(after);
    auto all = then;
    all.insert(now.begin(), now.end());
    outcome done;
    std::string title;
    std::size_t same = 0;
    std::map<std::string_view, std::size_t> counts;
    for (const auto& [address, at] : all) {
        const auto old_one = then.find(address);
        const auto new_one = now.find(address);
        if (old_one != then.end() && new_one != now.end() && *old_one->second.entry == *new_one->second.entry) {
            ++same;
            continue;
        }
        if (const std::string here = title_of(at.in->file); here != title) done.text += (title = here) + '\n';
        const std::string_view what = old_one == then.end() ? "added" : new_one == now.end() ? "removed" : "changed";
        ++counts[what];
        const std::string values =
            what == "changed" ? change_text(*old_one->second.entry, *new_one->second.entry) : side_text(*at.entry) + '\n';
        done.text += fmt::format("  {:<7}  {}: {}", what, detail::single_line(at.entry->key), values);
    }
    done.text +=
        fmt::format("{} added, {} removed, {} changed, {} as before\n", counts["added"], counts["removed"], counts["changed"], same);
    return done;
}

}  // namespace perfspec::tool
