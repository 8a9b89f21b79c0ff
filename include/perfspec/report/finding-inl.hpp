// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/finding.hpp>

#include <algorithm>
#include <cmath>

namespace perfspec::detail {

void add_disturbances(finding& found, const disturbances& part) {
    disturbances& all = found.disturbed;
    all.load = std::max(all.load, part.load);
    all.cores = std::max(all.cores, part.cores);
    all.runnable = std::max(all.runnable, part.runnable);
    all.steal_seconds += part.steal_seconds;
    all.involuntary_switches += part.involuntary_switches;
    all.page_faults += part.page_faults;
    all.migrations += part.migrations;
    if (std::abs(part.frequency_change) >= std::abs(all.frequency_change)) {
        all.frequency_change = part.frequency_change;
        all.frequency_mhz = part.frequency_mhz;
    }
    for (const std::string& note : part.notes)
        if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
}

}  // namespace perfspec::detail
