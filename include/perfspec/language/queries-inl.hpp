// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfspec::inline v0_2 {
namespace detail {

inline expression_node* new_node(bounded_claim c) { return new expression_node{.says = std::move(c)}; }
inline expression_node* new_node(output_claim c) { return new expression_node{.says = std::move(c)}; }

inline query<dimension::time, statistic::percentile> percentile_query(const query<dimension::time>& of,
                                                                      double percent) {
    query_description description = of.node().query();
    description.percent = percent;
    return make_query<dimension::time, statistic::percentile>(std::move(description));
}

inline query<dimension::ratio> ratio_of(metric_kind m, const subject& from, const subject& to,
                                        query_payload payload = {}) {
    return make_query<dimension::ratio>({.metric = m,
                                         .direction = better::more,
                                         .arity = query_arity::ratio,
                                         .payload = std::move(payload),
                                         .subjects = {from, to}});
}

/// A query divided by another of the same metric.
inline query<dimension::ratio> ratio_of_queries(const query_description& from, const query_description& to) {
    query_description ratio{.metric = from.metric,
                            .direction = better::more,
                            .arity = query_arity::ratio,
                            .payload = written_metric{},
                            .module = from.module,
                            .subjects = {from.subjects.front(), to.subjects.front()}};
    const auto append = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(ratio.module.metrics, to.module.metrics);
    append(ratio.module.details, to.module.details);
    return make_query<dimension::ratio>(std::move(ratio));
}

claim claim_against_value(const expression& q, comparison c, double value) {
    return claim(new_node(bounded_claim{q.node().query(), {c, value_bound{value}, {}}}));
}

claim claim_against_baseline(const expression& q, comparison c, double factor, double offset) {
    return claim(new_node(bounded_claim{q.node().query(), {c, stored_bound{factor, offset}, {}}}));
}

claim claim_against_query(const expression& q, comparison c, double factor, const expression& other) {
    return claim(new_node(bounded_claim{q.node().query(), {c, query_bound{factor, other.node().query()}, {}}}));
}

inline void require_tolerance(double fraction, double offset) {
    if (offset != 0.0 ? std::isfinite(offset) && offset > 0.0 : fraction > 0.0 && fraction < 1.0) return;
    throw input_error(fmt::format(
        "within: found a tolerance of {:.6g}{}, expected a percentage above 0 and below 100, or a positive quantity: "
        "within(baseline(), 5_pct), within(3ms, 0.1ms)",
        offset != 0.0 ? offset : 100.0 * fraction, offset != 0.0 ? "" : " %"));
}

claim claim_with_tolerance(const claim& equality, double fraction, double offset) {
    require_tolerance(fraction, offset);
    bounded_claim claimed = std::get<bounded_claim>(equality.node().says);
    claimed.terms.tolerance = bound_tolerance{fraction, offset};
    return claim(new_node(std::move(claimed)));
}

query<dimension::ratio, statistic::several> speedups_of(std::initializer_list<subject> all) {
    return make_query<dimension::ratio, statistic::several>(
        {.metric = metrics::latency, .direction = better::more, .arity = query_arity::several, .subjects = all});
}

query<dimension::power> complexity_over(std::span<const std::size_t> sizes,
                                        subject (*make_subject)(const void* maker, std::size_t size),
                                        const void* maker) {
    const auto [smallest, largest] =
        sizes.empty() ? std::pair<std::size_t, std::size_t>{}
                      : std::pair{*std::ranges::min_element(sizes), *std::ranges::max_element(sizes)};
    std::vector<double> different(sizes.begin(), sizes.end());
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    if (different.size() < 3 || smallest == 0 || largest < 8 * smallest)
        throw input_error("complexity: found " + std::to_string(different.size()) + " different sizes, from " +
                          std::to_string(smallest) + " to " + std::to_string(largest) +
                          ", expected at least three from 1 up, the largest at least eight times the smallest: "
                          "{1000, 4000, 16000, 64000}");
    query_description description{
        .metric = metrics::complexity, .arity = query_arity::several, .payload = complexity_sizes{different}};
    for (const double size : different)
        description.subjects.push_back(make_subject(maker, static_cast<std::size_t>(size)));
    return make_query<dimension::power>(std::move(description));
}

}  // namespace detail

inline namespace language {

query<dimension::time> latency(const subject& x) { return detail::query_of<detail::metrics::latency>(x); }

query<dimension::time> cpu_time(const subject& x) { return detail::query_of<detail::metrics::cpu_time>(x); }

query<dimension::time, statistic::percentile> percentile(const query<dimension::time>& of, double percent) {
    if (percent >= 50.0 && percent <= 99.5) return detail::percentile_query(of, percent);
    throw input_error(fmt::format(
        "percentile: found {:.6g}, expected 50 to 99.5 percent: percentile(latency(x), 99.5), or p99(latency(x)). A "
        "higher percentile needs more iterations than perfspec takes",
        percent));
}

query<dimension::time, statistic::percentile> p99(const query<dimension::time>& of) {
    return detail::percentile_query(of, 99.0);
}

query<dimension::ratio> speedup(const subject& from, const subject& to) {
    return detail::ratio_of(detail::metrics::latency, from, to);
}

query<dimension::ratio> speedup(const query<dimension::time>& from, const query<dimension::time>& to) {
    const query_description& a = from.node().query();
    const query_description& b = to.node().query();
    if (a.metric != b.metric)
        throw input_error(
            "a speedup compares one metric of two subjects: write speedup(latency(a), latency(b)) or speedup(cpu_time(a), cpu_time(b))");
    return detail::ratio_of_queries(a, b);
}

query<dimension::item_rate> throughput(const subject& x) {
    return detail::rate_of<dimension::item_rate>(detail::metrics::throughput, x, work::items);
}
query<dimension::byte_rate> throughput(const subject& x, bytes_tag) {
    return detail::rate_of<dimension::byte_rate>(detail::metrics::throughput, x, work::bytes);
}
query<dimension::flop_rate> throughput(const subject& x, flops_tag) {
    return detail::rate_of<dimension::flop_rate>(detail::metrics::throughput, x, work::flops);
}

query<dimension::count, statistic::exact> allocations(const subject& x) {
    return detail::query_of<detail::metrics::allocations>(x);
}

query<dimension::bytes, statistic::exact> allocated_bytes(const subject& x) {
    return detail::query_of<detail::metrics::allocated_bytes>(x);
}

query<dimension::own> metric(std::string_view name, better direction, const subject& x) {
    if (name.empty())
        throw input_error(
            "metric(\"\", …): the name is empty. It is also the metric's unit: metric(\"tokens/s\", more_is_better, "
            "f)");
    if (name == base_unit(dimension::power))
        throw input_error(
            "metric(\"power\", …): this name is the unit of complexity(x). Choose another name, such as \"watts\"");
    return detail::make_query<dimension::own>({.metric = detail::metrics::own,
                                               .direction = direction,
                                               .payload = own_metric{std::string(name)},
                                               .subjects = {x}});
}

query<dimension::spread> spread(const subject& x) { return detail::query_of<detail::metrics::spread>(x); }

query<dimension::time, statistic::once> cold_start(const subject& x) {
    return detail::query_of<detail::metrics::cold_start>(x);
}
query<dimension::time, statistic::once> first_call(const subject& x) {
    return detail::query_of<detail::metrics::first_call>(x);
}
query<dimension::time, statistic::once> load_time(const subject& x) {
    return detail::query_of<detail::metrics::load_time>(x);
}

query<dimension::bytes> peak_memory(const subject& x) { return detail::query_of<detail::metrics::peak_memory>(x); }

query<dimension::bytes> peak_memory(const subject& x, including_load_tag) {
    return detail::make_query<dimension::bytes>({.metric = detail::metrics::peak_memory,
                                                 .direction = better::less,
                                                 .payload = counted_load{},
                                                 .subjects = {x}});
}

query<dimension::ratio> memory_ratio(const subject& from, const subject& to) {
    return detail::ratio_of(detail::metrics::peak_memory, from, to);
}

query<dimension::ratio> memory_ratio(const subject& from, const subject& to, including_load_tag) {
    return detail::ratio_of(detail::metrics::peak_memory, from, to, counted_load{});
}

query<dimension::count> instructions(const subject& x) { return detail::query_of<detail::metrics::instructions>(x); }
query<dimension::count> cycles(const subject& x) { return detail::query_of<detail::metrics::cycles>(x); }
query<dimension::count> branch_misses(const subject& x) { return detail::query_of<detail::metrics::branch_misses>(x); }
query<dimension::count> cache_misses(const subject& x) { return detail::query_of<detail::metrics::cache_misses>(x); }

claim same_output(const subject& reference, const subject& candidate) {
    return claim(detail::new_node(output_claim{reference, candidate}));
}

}  // namespace language
namespace detail {

inline void release(expression_node* node) noexcept {
    if (node != nullptr && --node->owners == 0) { delete node; }
}

expression::expression(const expression& other) noexcept : node_(other.node_) { ++node_->owners; }

expression& expression::operator=(const expression& other) noexcept {
    ++other.node_->owners;
    release(std::exchange(node_, other.node_));
    return *this;
}

expression::~expression() { release(node_); }

}  // namespace detail
}  // namespace perfspec::inline v0_2
