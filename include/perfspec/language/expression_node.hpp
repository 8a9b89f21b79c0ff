// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/claim.hpp>
#include <perfspec/language/layers.hpp>
#include <perfspec/language/metric.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/dimension.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// One metric of one subject, or the ratio of two.
struct query_description {
    metric_kind measured{metric_kind::latency};
    work counted{work::items};  ///< for throughput
    bool counted_given{};       ///< throughput(x, bytes) rather than throughput(x)
    statistic taken{statistic::median};
    double percent{50.0};  ///< of a percentile, which the 50th is too
    dimension unit{dimension::time};
    better direction{better::less};
    bool ratio{};                 ///< speedup: time of subjects[0] divided by time of subjects[1]
    bool named_metric{};          ///< speedup(cpu_time(a), cpu_time(b)): the metric is part of the sentence
    std::string own{};            ///< the name of the user's own metric
    std::vector<double> sizes{};  ///< of a growth, one a subject
    double switching_ns{};        ///< of an oracle
    unsigned best_of{1};          ///< of an oracle: measurements, of which each layer's smallest time counts
    layer_timing layer_times{layer_timing::timers};
    std::vector<subject> subjects;
};

/// Whether single iterations have to be timed: every percentile but the 50th, which the median of batches is.
[[nodiscard]] inline bool needs_single_iterations(const query_description& q) noexcept {
    return q.taken == statistic::percentile && q.percent != 50.0;
}

enum class bound_kind : std::uint8_t { none, value, baseline, query };

/// How far to either side of its bound a query may lie: a fraction of the bound, or an offset from it in the query's base unit.
struct bound_tolerance {
    double fraction{};
    double offset{};
};

namespace detail {

/// A query, or a claim on one. Immutable once made; shared by counted handles.
struct expression_node {
    std::uint32_t owners{1};
    query_description query;
    bool verification{};  ///< same_output(a, b): a claim without a bound
    comparison compared{comparison::less};
    bound_kind bound{bound_kind::none};
    double value{};                              ///< bound_kind::value, base unit
    double factor{1.0};                          ///< bound_kind::baseline and ::query
    double offset{};                             ///< bound_kind::baseline, base unit
    std::optional<bound_tolerance> tolerance{};  ///< of `== within(bound, tolerance)`
    query_description other;                     ///< bound_kind::query
    bound_side written{bound_side::right};       ///< where the bound stands in the text; as a node, it is always on the right
};

}  // namespace detail
}  // namespace perfspec
