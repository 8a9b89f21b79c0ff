// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <set>
#include <tuple>

namespace perfspec::tool {

outcome prune_baselines(std::span<const located_file> files, const results& found, const std::string& folder, writing writes,
                        file_system& disk) {
    std::set<std::tuple<std::string_view, std::string_view, std::string_view>> suites;
    std::set<decltype(addressed_entry{}.address())> named;  // a measurement that did not end names its key too
    for (const result_line& line : found.lines) {
        const record& r = line.about;
        suites.emplace(r.hardware_key, r.build_variant, r.suite);
        named.emplace(r.hardware_key, r.build_variant, r.suite, r.key);
    }
    outcome done;
    std::size_t pruned = 0;
    std::size_t considered = 0;
    for (const addressed_entry& at : entries_in(files, "")) {
        const baseline_file& file = at.in->file;
        if (!suites.contains({file.hardware, file.variant, file.suite})) continue;
        ++considered;
        if (named.contains(at.address())) continue;
        if (writes == writing::done) (void)baseline_store(disk, {folder, file.hardware, file.variant, file.suite}).erase(at.entry->key);
        done.text += fmt::format("  {}: {} ({})\n", detail::single_line(at.in->path), detail::single_line(at.entry->key),
                                 counted(at.entry->launches.size(), "launch"));
        ++pruned;
    }
    done.text += fmt::format("{} of {} in the suites of the results {} in no result", pruned, counted(considered, "key"),
                             pruned == 1 ? "is" : "are");
    if (pruned == 0) done.text += "\n";
    else if (writes == writing::done) done.text += ": removed; review the diff\n";
    else done.text += ": nothing was written; --write removes them, if the results are of whole runs\n";
    return done;
}

}  // namespace perfspec::tool
