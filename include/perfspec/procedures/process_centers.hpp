// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/stats/summary.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The values of both sides, or of the only one, in the order of measurement.
struct fresh_values {
    std::array<std::vector<double>, 2> sides;

    [[nodiscard]] double log_value(std::size_t i) const {
        return log_of(sides[0][i]) - (sides[1].empty() ? 0.0 : log_of(sides[1][i]));
    }
};

/// Adds the values of one process; for two sides, of one process each in random order.
[[nodiscard]] fresh_values take_fresh_values(const claim_context& context, process_source& processes,
                                             fresh_values values, random_order& order);

/// The confidence interval of processes. Seven processes can decide a claim, but are too few for an interval: then it
/// is their range at level 0, and the record's method has a remark.
struct process_interval {
    center_interval of_logs;
    std::string remark;
};

[[nodiscard]] process_interval interval_of_processes(std::span<const double> log_values);

}  // namespace perfspec::inline v0_2::detail
