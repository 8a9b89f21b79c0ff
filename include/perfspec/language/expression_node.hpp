// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/language/metric.hpp>
#include <perfspec/language/oracle_settings.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perfspec::inline v0_1 {

namespace detail {
class module_counter;
}

/// How many subjects a query has: one; two, for a ratio of first to second; or several, which are only recorded.
enum class query_arity : std::uint8_t { one, ratio, several };

/// A user's own metric, or one of a worker or a module.
struct own_metric {
    std::string name{};
    const detail::module_counter* counter{};  ///< of a module_count
};

/// The sizes of a growth, in rising order, one for each subject.
struct growth_sizes {
    std::vector<double> sizes{};
};

/// Marks speedup(cpu_time(a), cpu_time(b)), as opposed to speedup(a, b).
struct written_metric {};

/// Marks peak_memory(x, including_load) and memory_ratio(a, b, including_load).
struct counted_load {};

/// For each subject of the query, the name of its kernels (kernel_time) or operators (op_count) that count. Empty: all.
struct work_names {
    std::vector<std::string> of_subjects{};
};

/// Marks profile(x, by_shape), as opposed to profile(x).
struct rows_by_shape {};

/// The layers of an oracle's variants.
struct layers_of_variants {
    oracle_settings settings{};
    std::size_t variants{};
    std::vector<std::string> names{};  ///< of the layers, in their order
    std::string not_timed{};           ///< why the settings cannot time the layers; otherwise empty
};

/// What a query has in addition to metric, statistic and subjects, such as the work of a throughput. Most have nothing.
using query_payload = std::variant<std::monostate, work, own_metric, growth_sizes, layers_of_variants, written_metric,
                                   counted_load, rows_by_shape, work_names>;

/// One metric of one subject, of the ratio of two, or of several subjects.
struct query_description {
    metric_kind metric{metric_kind::latency};
    perfspec::statistic statistic{perfspec::statistic::median};
    double percent{50.0};  ///< of a percentile, including the 50th
    dimension unit{dimension::time};
    better direction{better::less};
    query_arity arity{query_arity::one};
    query_payload payload{};
    std::vector<subject> subjects{};

    [[nodiscard]] bool is_ratio() const noexcept { return arity == query_arity::ratio; }
    /// The payload of this type, or a default one if the query has another type.
    template <class Payload> [[nodiscard]] Payload payload_as() const {
        const Payload* const found = std::get_if<Payload>(&payload);
        return found != nullptr ? *found : Payload{};
    }
};

/// The name of the query's function.
[[nodiscard]] inline std::string word_of(const query_description& q) {
    const bool has_own = q.metric == metric_kind::worker_count || q.metric == metric_kind::module_count;
    return has_own ? q.payload_as<own_metric>().name : std::string(traits_of(q.metric).word);
}

/// Whether to time single iterations: for every percentile except the 50th, which is the median of batches.
[[nodiscard]] inline bool needs_single_iterations(const query_description& q) noexcept {
    return q.statistic == statistic::percentile && q.percent != 50.0;
}

/// The name of the kernels or operators that count for a subject of a query; empty: all.
[[nodiscard]] inline std::string work_name_of(const query_description& q, std::size_t subject) {
    const work_names* const names = std::get_if<work_names>(&q.payload);
    return names == nullptr ? std::string() : names->of_subjects.at(subject);
}

/// Whether a peak of memory includes loading.
[[nodiscard]] inline bool counts_load(const query_description& q) noexcept {
    return std::holds_alternative<counted_load>(q.payload);
}

/// A number, in the base unit of the query.
struct value_bound {
    double value{};
};

/// A value from stored launches, or from another build, as factor * value + offset. The offset is in the base unit.
struct stored_bound {
    double factor{1.0};
    double offset{};
};

/// The same metric of another subject, times a factor.
struct query_bound {
    double factor{1.0};
    query_description other{};
};

using claim_bound = std::variant<value_bound, stored_bound, query_bound>;

/// How far from its bound a query may be on either side: a fraction of the bound, or an offset from it in the query's
/// base unit.
struct bound_tolerance {
    double fraction{};
    double offset{};
};

/// The comparison and the bound of a claim.
struct claim_terms {
    comparison compared{comparison::less};
    claim_bound bound{};
    std::optional<bound_tolerance> tolerance{};  ///< of `== within(bound, tolerance)`
};

/// `query < bound`.
struct bounded_claim {
    query_description query{};
    claim_terms terms{};
};

/// `same_output(reference, candidate)`.
struct output_claim {
    subject reference;
    subject candidate;
};

namespace detail {

/// The content of an expression. It never changes; counted handles share it.
struct expression_node {
    std::atomic<std::uint32_t> owners{1};  ///< in any threads
    std::variant<query_description, bounded_claim, output_claim> says;

    /// The query of the expression or of its claim. A claim on outputs has none.
    [[nodiscard]] const query_description& query() const {
        const auto* const claimed = std::get_if<bounded_claim>(&says);
        return claimed != nullptr ? claimed->query : std::get<query_description>(says);
    }
    [[nodiscard]] const claim_terms& terms() const { return std::get<bounded_claim>(says).terms; }
};

}  // namespace detail

/// The ends of a tolerance: the end at which the query is worse than the bound, and the one at which it is better.
enum class tolerance_end : std::uint8_t { loss, gain };

namespace detail {

/// One of the two claims of `query == within(bound, tolerance)`: that the query is not beyond this end.
///
/// direction  whether smaller or larger values of the query are better
///
///     one_side(terms of latency(f) == within(3ms, 0.1ms), better::less, tolerance_end::loss)   // latency(f) <= 3.1 ms
[[nodiscard]] claim_terms one_side(const claim_terms& within, better direction, tolerance_end end);

/// The bound in the middle of the tolerance, from the bound of one side.
[[nodiscard]] double midpoint_of(const claim_terms& within, better direction, tolerance_end end, double bound_of_side);

/// The bound of one side, from the bound in the middle.
[[nodiscard]] double bound_of_side(const claim_terms& within, better direction, tolerance_end end, double middle);

}  // namespace detail

/// Writes a query with the names of its subjects: "speedup(eager, inductor)", "throughput(parser, bytes)".
[[nodiscard]] std::string describe(const query_description& query, const std::vector<std::string>& names);

/// What a query measures, without its subjects: "latency", "p99", "speedup", "speedup of cpu_time",
/// "peak_memory, including_load"; the name of an own metric.
[[nodiscard]] std::string metric_name(const query_description& query);

/// The settings of `s` that other subjects of the query do not share. They are written after its name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> distinguishing_settings(const subject& s,
                                                                                       const std::vector<subject>& of);

/// The axes of all subjects together. Throws input_error if two subjects give one axis different values.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> united_axes(const std::vector<subject>& subjects);

/// "<", "<=", ">", ">=", "==".
[[nodiscard]] const char* to_string(comparison c) noexcept;

}  // namespace perfspec::inline v0_1
