// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/growth.hpp>
#include <perfspec/language/operator_counts.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfspec::inline v0_1 {
namespace detail {

inline expression_node* new_node(query_description q) { return new expression_node{.says = std::move(q)}; }
inline expression_node* new_node(bounded_claim c) { return new expression_node{.says = std::move(c)}; }
inline expression_node* new_node(output_claim c) { return new expression_node{.says = std::move(c)}; }

template <dimension D, statistic S = statistic::median> query<D, S> make_query(query_description description) {
    description.unit = D;
    description.statistic = S;
    return query<D, S>(new_node(std::move(description)));
}

/// A metric of one subject, with the unit and statistic of its row. A public function with another unit or statistic
/// does not compile.
template <metric_kind M> query<traits_of(M).unit, traits_of(M).statistic> query_of(const subject& x) {
    constexpr const metric_traits& row = traits_of(M);
    return make_query<row.unit, row.statistic>({.metric = M, .direction = row.direction, .subjects = {x}});
}

inline query<dimension::time, statistic::percentile> percentile_query(const query<dimension::time>& of,
                                                                      double percent) {
    query_description description = of.node().query();
    description.percent = percent;
    return make_query<dimension::time, statistic::percentile>(std::move(description));
}

template <dimension D> query<D> rate_of(metric_kind m, const subject& x, work counted) {
    return make_query<D>({.metric = m, .direction = better::more, .payload = counted, .subjects = {x}});
}

inline query<dimension::ratio> ratio_of(metric_kind m, const subject& from, const subject& to,
                                        query_payload payload = {}) {
    return make_query<dimension::ratio>({.metric = m,
                                         .direction = better::more,
                                         .arity = query_arity::ratio,
                                         .payload = std::move(payload),
                                         .subjects = {from, to}});
}

inline query<dimension::time> kernel_time_of(const subject& x, std::string name) {
    return make_query<dimension::time>({.metric = metric_kind::kernel_time,
                                        .direction = better::less,
                                        .payload = work_names{{std::move(name)}},
                                        .subjects = {x}});
}

/// The payload of a speedup of two queries: a mark that they are written, or their kernels.
inline query_payload payload_of_speedup(const query_description& from, const query_description& to) {
    if (from.metric == metric_kind::kernel_time) return work_names{{work_name_of(from, 0), work_name_of(to, 0)}};
    return written_metric{};
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
        "within: found a tolerance of {:.6g}{}, needs a percentage above 0 and below 100, or a positive quantity: within(baseline(), "
        "5_pct), within(3ms, 0.1ms)",
        offset != 0.0 ? offset : 100.0 * fraction, offset != 0.0 ? "" : " %"));
}

claim claim_with_tolerance(const claim& equality, double fraction, double offset) {
    require_tolerance(fraction, offset);
    bounded_claim claimed = std::get<bounded_claim>(equality.node().says);
    claimed.terms.tolerance = bound_tolerance{fraction, offset};
    return claim(new_node(std::move(claimed)));
}

query<dimension::ratio, statistic::several> compare_subjects(std::initializer_list<subject> all) {
    return make_query<dimension::ratio, statistic::several>(
        {.metric = metric_kind::latency, .direction = better::more, .arity = query_arity::several, .subjects = all});
}

query<dimension::power> growth_over(std::span<const std::size_t> sizes,
                                    subject (*make_subject)(const void* maker, std::size_t size), const void* maker) {
    const auto [smallest, largest] =
        sizes.empty() ? std::pair<std::size_t, std::size_t>{}
                      : std::pair{*std::ranges::min_element(sizes), *std::ranges::max_element(sizes)};
    std::vector<double> different(sizes.begin(), sizes.end());
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    if (different.size() < 3 || smallest == 0 || largest < 8 * smallest)
        throw input_error("growth: found " + std::to_string(different.size()) + " different sizes, from " +
                          std::to_string(smallest) + " to " + std::to_string(largest) +
                          ", needs three from 1 up, the largest eight times the smallest: {1000, 4000, 16000, 64000}");
    query_description description{
        .metric = metric_kind::growth, .arity = query_arity::several, .payload = growth_sizes{different}};
    for (const double size : different)
        description.subjects.push_back(make_subject(maker, static_cast<std::size_t>(size)));
    return make_query<dimension::power>(std::move(description));
}

}  // namespace detail

inline namespace language {

query<dimension::time> latency(const subject& x) { return detail::query_of<metric_kind::latency>(x); }

query<dimension::time> cpu_time(const subject& x) { return detail::query_of<metric_kind::cpu_time>(x); }

query<dimension::time, statistic::percentile> percentile(const query<dimension::time>& of, double percent) {
    if (percent >= 50.0 && percent <= 99.5) return detail::percentile_query(of, percent);
    throw input_error(fmt::format(
        "percentile: found {:.6g}, needs one from 50 to 99.5, in percent: percentile(latency(x), 99.5), or p99 of it; a rarer one "
        "needs more iterations than a run takes",
        percent));
}

query<dimension::time, statistic::percentile> p99(const query<dimension::time>& of) {
    return detail::percentile_query(of, 99.0);
}

query<dimension::ratio> speedup(const subject& from, const subject& to) {
    return detail::ratio_of(metric_kind::latency, from, to);
}

query<dimension::ratio> speedup(const query<dimension::time>& from, const query<dimension::time>& to) {
    const query_description& a = from.node().query();
    const query_description& b = to.node().query();
    if (a.metric != b.metric)
        throw input_error(
            "a speedup compares one metric of two subjects: write speedup(latency(a), latency(b)) or speedup(cpu_time(a), cpu_time(b))");
    return detail::ratio_of(a.metric, a.subjects.front(), b.subjects.front(), detail::payload_of_speedup(a, b));
}

query<dimension::item_rate> throughput(const subject& x) {
    return detail::rate_of<dimension::item_rate>(metric_kind::throughput, x, work::items);
}
query<dimension::byte_rate> throughput(const subject& x, bytes_tag) {
    return detail::rate_of<dimension::byte_rate>(metric_kind::throughput, x, work::bytes);
}
query<dimension::flop_rate> throughput(const subject& x, flops_tag) {
    return detail::rate_of<dimension::flop_rate>(metric_kind::throughput, x, work::flops);
}

query<dimension::item_rate> device_throughput(const subject& x) {
    return detail::rate_of<dimension::item_rate>(metric_kind::device_throughput, x, work::items);
}
query<dimension::byte_rate> device_throughput(const subject& x, bytes_tag) {
    return detail::rate_of<dimension::byte_rate>(metric_kind::device_throughput, x, work::bytes);
}
query<dimension::flop_rate> device_throughput(const subject& x, flops_tag) {
    return detail::rate_of<dimension::flop_rate>(metric_kind::device_throughput, x, work::flops);
}

query<dimension::count, statistic::exact> allocations(const subject& x) {
    return detail::query_of<metric_kind::allocations>(x);
}

query<dimension::bytes, statistic::exact> allocated_bytes(const subject& x) {
    return detail::query_of<metric_kind::allocated_bytes>(x);
}

query<dimension::own> metric(std::string_view name, better direction, const subject& x) {
    if (name.empty())
        throw input_error(
            "metric(\"\", …): give the metric a name, which is its unit, too: metric(\"tokens/s\", more_is_better, f)");
    if (name == base_unit(dimension::power))
        throw input_error(
            "metric(\"power\", …): growth(x) is stored in this unit; choose another name, such as \"watts\"");
    return detail::make_query<dimension::own>({.metric = metric_kind::own,
                                               .direction = direction,
                                               .payload = own_metric{std::string(name)},
                                               .subjects = {x}});
}

query<dimension::time> device_time(const subject& x) { return detail::query_of<metric_kind::device_time>(x); }

query<dimension::time> kernel_time(const subject& x) { return detail::kernel_time_of(x, {}); }

query<dimension::time> kernel_time(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error(
            "kernel_time(x, \"\"): give the name of a kernel, or a pattern: kernel_time(x, \"*softmax*\"); kernel_time(x) is the "
            "time of all kernels");
    return detail::kernel_time_of(x, std::string(name));
}

query<dimension::spread> stability(const subject& x) { return detail::query_of<metric_kind::stability>(x); }

query<dimension::time, statistic::once> cold_start(const subject& x) {
    return detail::query_of<metric_kind::cold_start>(x);
}
query<dimension::time, statistic::once> first_call(const subject& x) {
    return detail::query_of<metric_kind::first_call>(x);
}
query<dimension::time, statistic::once> load_time(const subject& x) {
    return detail::query_of<metric_kind::load_time>(x);
}

query<dimension::bytes> peak_memory(const subject& x) { return detail::query_of<metric_kind::peak_memory>(x); }

query<dimension::bytes> peak_memory(const subject& x, including_load_tag) {
    return detail::make_query<dimension::bytes>(
        {.metric = metric_kind::peak_memory, .direction = better::less, .payload = counted_load{}, .subjects = {x}});
}

query<dimension::ratio> memory_ratio(const subject& from, const subject& to) {
    return detail::ratio_of(metric_kind::peak_memory, from, to);
}

query<dimension::ratio> memory_ratio(const subject& from, const subject& to, including_load_tag) {
    return detail::ratio_of(metric_kind::peak_memory, from, to, counted_load{});
}

query<dimension::count> instructions(const subject& x) { return detail::query_of<metric_kind::instructions>(x); }
query<dimension::count> cycles(const subject& x) { return detail::query_of<metric_kind::cycles>(x); }
query<dimension::count> branch_misses(const subject& x) { return detail::query_of<metric_kind::branch_misses>(x); }
query<dimension::count> cache_misses(const subject& x) { return detail::query_of<metric_kind::cache_misses>(x); }

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

inline namespace language {

query<dimension::count, statistic::exact> op_count(const subject& x) {
    return detail::query_of<metric_kind::op_count>(x);
}

query<dimension::count, statistic::exact> op_count(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error(
            "op_count(x, \"\"): give the full name of an operator: op_count(x, \"aten::copy_\"); op_count(x) counts all operators");
    return detail::make_query<dimension::count, statistic::exact>({.metric = metric_kind::op_count,
                                                                   .direction = better::less,
                                                                   .payload = work_names{{std::string(name)}},
                                                                   .subjects = {x}});
}

query<dimension::count, statistic::exact> kernel_count(const subject& x) {
    return detail::query_of<metric_kind::kernel_count>(x);
}

query<dimension::count, statistic::exact> flops_tag::operator()(const subject& x) const {
    return detail::query_of<metric_kind::flops>(x);
}

query<dimension::count, statistic::exact> tensor_allocations(const subject& x) {
    return detail::query_of<metric_kind::tensor_allocations>(x);
}

query<dimension::bytes, statistic::exact> tensor_memory(const subject& x) {
    return detail::query_of<metric_kind::tensor_memory>(x);
}

query<dimension::bytes, statistic::exact> device_memory(const subject& x) {
    return detail::query_of<metric_kind::device_memory>(x);
}

query<dimension::time, statistic::once> compile_time(const subject& x) {
    return detail::query_of<metric_kind::compile_time>(x);
}

}  // namespace language
}  // namespace perfspec::inline v0_1
