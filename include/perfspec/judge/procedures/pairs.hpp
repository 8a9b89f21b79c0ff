// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/session.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The samples of both sides in the first `count` pairs.
[[nodiscard]] std::vector<sample_summary> summaries_of(const claim_context& context, const time_ratio& r,
                                                       const pair_series& series, std::size_t count);

/// The evidence of so many pairs, without that of a test: their number, and the cost of the series so far.
[[nodiscard]] evidence_counts evidence_of(std::string method, const pair_series& series, std::size_t count);

/// What compiling costs beside what it saves, where only the second subject of a speedup was compiled.
///
/// call_ns  of the first subject
[[nodiscard]] std::vector<part_value> parts_of_compilation(const claim_context& context, const time_ratio& r,
                                                           double call_ns, const estimate& speedup);

/// The logarithms of the first `count` pairs' values.
[[nodiscard]] std::vector<double> logs_of(const pair_series& series, std::size_t count, double log_factor);

/// Judges a relative claim by pairs of samples.
[[nodiscard]] claim_result judge_pairs(const claim_context& context);

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

/// The result with the centre of the pairs, and the values of both sides.
[[nodiscard]] claim_result with_reported_pairs(const claim_context& context, claim_result result, const time_ratio& r,
                                               const std::vector<reported_pair>& pairs);

/// Whether the values may have no noise at all.
[[nodiscard]] inline bool may_agree(const claim_context& context) {
    return traits_of(context.query.metric).from == reading::body;
}

}  // namespace perfspec::detail
