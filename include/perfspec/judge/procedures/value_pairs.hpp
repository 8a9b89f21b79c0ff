// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/block_source.hpp>

#include <vector>

namespace perfspec::detail {

inline constexpr const char* declared_method = "one known value; nothing was measured in this run";

/// The value that an adapter knows of a subject: the time of compiling it, in nanoseconds.
[[nodiscard]] double declared_value(const subject& x);

/// One value of each side.
struct reported_pair {
    double own;
    double other;

    [[nodiscard]] double log_ratio() const { return log_of_value(own) - log_of_value(other); }
};

/// Takes a value of each side, in an order drawn by a coin.
[[nodiscard]] reported_pair take_reported_pair(const time_ratio& r, sample_kind what, random_order& order);

/// Describes the centre of the pairs, and the values of both sides.
void describe_reported_pairs(const claim_context& context, claim_result& result, const time_ratio& r,
                             const std::vector<reported_pair>& pairs);

/// Whether the values may have no noise at all.
[[nodiscard]] inline bool may_agree(const claim_context& context) {
    return traits_of(context.query.metric).from == reading::body;
}

}  // namespace perfspec::detail
