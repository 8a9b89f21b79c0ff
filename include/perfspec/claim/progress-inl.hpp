// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/progress.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace perfspec::inline v0_2::detail {

/// Claims from this length on get a line on the console.
inline constexpr double long_seconds = 2.0;

inline std::string cost_text(const std::string& claim, double seconds) {
    return claim + " takes up to " + format_seconds(seconds * 1e9);
}

inline double seconds_left(const process_progress& progress) {
    const double seconds_of_one = progress.seconds / static_cast<double>(std::max<std::size_t>(progress.done, 1));
    return std::clamp(progress.longest - progress.seconds, 0.0,
                      seconds_of_one * static_cast<double>(progress.most - std::min(progress.done, progress.most)));
}

std::string progress_text(const std::string& claim, const process_progress& progress) {
    return fmt::format("{}: {} of at most {} {}, up to {} left", claim, progress.done, progress.most, progress.unit,
                       format_seconds(seconds_left(progress) * 1e9));
}

void show_progress(const claim_context& context, process_progress progress) {
    constexpr double some_seconds = 1.0;  // a test may decide before
    const double total = progress.seconds + seconds_left(progress);
    if (total < long_seconds || progress.seconds < some_seconds) return;
    status_line& status = context.run.status();
    status.announce(cost_text(context.text, total));
    status.update(progress_text(context.text, progress));
}

void announce_cost(const claim_context& context, double seconds) {
    if (seconds >= long_seconds) context.run.status().announce(cost_text(context.text, seconds));
}

}  // namespace perfspec::inline v0_2::detail
