// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The lines on the console that say how long a claim takes.

#include <perfspec/claim/claim_context.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2::detail {

/// The progress of a claim over several processes.
struct process_progress {
    std::string_view unit = "processes";
    std::size_t done{};
    std::size_t most{};                                       ///< upper limit of `done`
    double seconds{};                                         ///< spent so far
    double longest{std::numeric_limits<double>::infinity()};  ///< limit of `seconds`
};

/// "latency(sort): 3 of at most 20 processes, up to 12 s left".
[[nodiscard]] std::string progress_text(const std::string& claim, const process_progress& progress);

/// Shows the progress of a claim of two seconds or more: on a terminal after each process; otherwise once.
void show_progress(const claim_context& context, process_progress progress);

/// Announces the cost of a slow claim before it starts. Its rounds show no progress, because printing would disturb the
/// measurement.
void announce_cost(const claim_context& context, double seconds);

}  // namespace perfspec::inline v0_2::detail
