// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/language/metric.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perfspec::inline v0_2 {

namespace detail {
class module_metric;  // of claim/modules.hpp
}

/// How many subjects a query has: one; two, for a ratio of first to second; or several, which are only recorded.
enum class query_arity : std::uint8_t { one, ratio, several };

/// A user's own metric.
struct own_metric {
    std::string name{};
};

/// The sizes of a query of complexity, in rising order, one for each subject.
struct complexity_sizes {
    std::vector<double> sizes{};
};

/// Marks speedup(cpu_time(a), cpu_time(b)), as opposed to speedup(a, b).
struct written_metric {};

/// Marks peak_memory(x, including_load) and memory_ratio(a, b, including_load).
struct counted_load {};

/// What a query has in addition to metric, statistic and subjects, such as the work of a throughput. Most have nothing.
using query_payload = std::variant<std::monostate, work, own_metric, complexity_sizes, written_metric, counted_load>;

/// What the query of a module has in addition, and the words of its text.
struct module_query {
    std::vector<std::shared_ptr<const detail::module_metric>>
        metrics{};                       ///< of its subject, or of both of a ratio; none: the core's
    std::string word{};                  ///< in place of that of the metric; empty: that
    std::vector<std::string> details{};  ///< of these subjects, after their names: "softmax" in kernel_time(x, softmax)
    std::size_t named{};                 ///< how many subjects of a table have their names in the text; 0: all
};

/// One metric of one subject, of the ratio of two, or of several subjects.
struct query_description {
    metric_kind metric{detail::metrics::latency};
    perfspec::statistic statistic{perfspec::statistic::median};
    double percent{50.0};  ///< of a percentile, including the 50th
    dimension unit{dimension::time};
    better direction{better::less};
    query_arity arity{query_arity::one};
    query_payload payload{};
    module_query module{};
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
    return q.module.word.empty() ? std::string(traits_of(q.metric).word) : q.module.word;
}

/// Whether to time single iterations: for every percentile except the 50th, which is the median of batches.
[[nodiscard]] inline bool needs_single_iterations(const query_description& q) noexcept {
    return q.statistic == statistic::percentile && q.percent != 50.0;
}

/// The name of a metric that does not have one of its own: that of the user, or that of its module; empty for others.
[[nodiscard]] inline std::string own_name_of(const query_description& q) {
    return q.metric == detail::metrics::own ? q.payload_as<own_metric>().name : q.module.word;
}

/// What the text of a query has after the name of a subject; empty: nothing.
[[nodiscard]] inline std::string detail_of(const query_description& q, std::size_t subject) {
    return subject < q.module.details.size() ? q.module.details[subject] : std::string();
}

/// Whether a peak of memory includes loading.
[[nodiscard]] inline bool counts_load(const query_description& q) noexcept {
    return std::holds_alternative<counted_load>(q.payload);
}

/// A number, in the base unit of the query.
struct value_bound {
    double value{};
};

/// A value from a stored baseline, or from another build, as factor * value + offset. The offset is in the base unit.
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

/// The query of a description, with the unit and statistic of its type.
template <dimension D, statistic S = statistic::median> query<D, S> make_query(query_description description) {
    description.unit = D;
    description.statistic = S;
    return query<D, S>(new expression_node{.says = std::move(description)});
}

/// A metric of one subject, with the unit and statistic of its row. A public function with another unit or statistic
/// does not compile.
template <const metric_traits& Row> query<Row.unit, Row.statistic> query_of(const subject& x) {
    return make_query<Row.unit, Row.statistic>({.metric = Row, .direction = Row.direction, .subjects = {x}});
}

/// Declared work per time of a metric.
template <dimension D> query<D> rate_of(metric_kind m, const subject& x, work counted) {
    return make_query<D>({.metric = m, .direction = better::more, .payload = counted, .subjects = {x}});
}

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

/// Writes a query with the names of its subjects: "speedup(slow, fast)", "throughput(parser, bytes)".
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

}  // namespace perfspec::inline v0_2
