// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/explain.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/quantity/error.hpp>

#include <algorithm>
#include <string>

namespace perfspec {
namespace detail {

/// Makes a query that the procedures of this folder answer.
template <dimension D = dimension::time> query<D, statistic::several> explaining_query(query_description description) {
    explain();
    description.unit = D;
    description.statistic = statistic::several;
    return query<D, statistic::several>(new expression_node{.says = std::move(description)});
}

inline void add_all(std::vector<subject>& to, const std::vector<subject>& from) { to.insert(to.end(), from.begin(), from.end()); }

inline void require_variants(const layered_subject& first, const layered_subject& second) {
    const auto names = std::string(first.name()) + "\" and \"" + std::string(second.name());
    if (first.name() == second.name())
        throw input_error("oracle: found two variants called \"" + std::string(first.name()) +
                          "\", needs different names: layered(\"eager\", …), layered(\"compiled\", …)");
    const auto same_name = [](const subject& a, const subject& b) { return a.name() == b.name(); };
    if (!std::ranges::equal(first.steps(), second.steps(), same_name))
        throw input_error("oracle: \"" + names +
                          "\" have different layers, needs the same names in the same order: they say what replaces what");
}

inline void require_best_of(unsigned runs) {
    if (runs < 1 || runs > 10)
        throw input_error("oracle: found .best_of = " + std::to_string(runs) + ", needs 1 to 10 measurements, such as 2");
}

}  // namespace detail

inline namespace language {

query<dimension::time, statistic::several> layers(const layered_subject& x) {
    query_description description{.metric = metric_kind::layers, .arity = query_arity::several, .subjects = {x}};
    detail::add_all(description.subjects, x.prefixes());
    detail::add_all(description.subjects, x.steps());
    return detail::explaining_query(std::move(description));
}

query<dimension::bytes, statistic::several> layer_memory(const layered_subject& x) {
    query_description description{.metric = metric_kind::layer_memory, .arity = query_arity::several, .subjects = {x}};
    detail::add_all(description.subjects, x.steps());
    return detail::explaining_query<dimension::bytes>(std::move(description));
}

query<dimension::time, statistic::several> oracle(const layered_subject& first, const layered_subject& second,
                                                  const oracle_settings& settings) {
    detail::require_variants(first, second);
    detail::require_best_of(settings.best_of);
    query_description description{
        .metric = metric_kind::oracle, .arity = query_arity::several, .payload = settings, .subjects = {first, second}};
    detail::add_all(description.subjects, first.steps());
    detail::add_all(description.subjects, second.steps());
    return detail::explaining_query(std::move(description));
}

query<dimension::time, statistic::several> profile(const subject& x) {
    return detail::explaining_query({.metric = metric_kind::profile, .subjects = {x}});
}

query<dimension::time, statistic::several> profile(const subject& x, by_shape_tag) {
    return detail::explaining_query({.metric = metric_kind::profile, .payload = rows_by_shape{}, .subjects = {x}});
}

}  // namespace language
}  // namespace perfspec
