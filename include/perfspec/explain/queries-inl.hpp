// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/explain.hpp>
#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/quantity/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace perfspec {
namespace detail {

/// Makes a query that the procedures of this folder answer.
inline query<dimension::time, statistic::several> explaining_query(query_description description) {
    explain();
    description.unit = dimension::time;
    description.statistic = statistic::several;
    return query<dimension::time, statistic::several>(new expression_node{.says = std::move(description)});
}

inline void add_all(std::vector<subject>& to, const std::vector<subject>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

inline void require_two_variants(const layered_subject& first, const layered_subject& second) {
    const auto names = std::string(first.name()) + "\" and \"" + std::string(second.name());
    if (first.name() == second.name())
        throw input_error("oracle: found two variants called \"" + std::string(first.name()) +
                          "\", needs different names: layered(\"eager\", …), layered(\"compiled\", …)");
    const auto same_name = [](const subject& a, const subject& b) { return a.name() == b.name(); };
    if (!std::ranges::equal(first.steps(), second.steps(), same_name))
        throw input_error(
            "oracle: \"" + names +
            "\" have different layers, needs the same names in the same order: they say what replaces what");
}

inline void require_variants(const std::vector<layered_subject>& variants) {
    if (variants.size() < 2 || variants.size() > most_variants)
        throw input_error("oracle: found " + std::to_string(variants.size()) +
                          (variants.size() == 1 ? " variant" : " variants") + ", needs 2 to " +
                          std::to_string(most_variants) + " to choose from: oracle({eager, compiled})");
    for (std::size_t later = 1; later < variants.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            require_two_variants(variants[earlier], variants[later]);
    if (variants.front().steps().empty())
        throw input_error("oracle: \"" + std::string(variants.front().name()) +
                          "\" has no layers, needs one at least to choose");
}

inline void require_best_of(unsigned runs) {
    if (runs < 1 || runs > 10)
        throw input_error("oracle: found .best_of = " + std::to_string(runs) +
                          ", needs 1 to 10 measurements, such as 2");
}

/// Why a way of timing layers is not there for these variants; empty if it is.
inline std::string reason_not_to_time(const std::vector<layered_subject>& variants, layer_timing from) {
    if (from != layer_timing::subtraction) return {};
    for (const layered_subject& x : variants)
        if (x.prefixes().size() != x.steps().size())
            return "subtraction needs the first n layers of each variant as subjects, and \"" + std::string(x.name()) +
                   "\" has " + std::to_string(x.prefixes().size()) + " prefixes for " +
                   std::to_string(x.steps().size()) +
                   " layers: give its layered_subject a prefix for each, or choose by layer_timing::timers";
    return {};
}

/// The name of a layer, or its number.
inline std::string name_of_layer(const std::vector<subject>& steps, std::size_t i) {
    return steps[i].name().empty() ? "#" + std::to_string(i + 1) : std::string(steps[i].name());
}

}  // namespace detail

inline namespace language {

query<dimension::time, statistic::several> layers(const layered_subject& x) {
    query_description description{.metric = metric_kind::layers, .arity = query_arity::several, .subjects = {x}};
    detail::add_all(description.subjects, x.prefixes());
    detail::add_all(description.subjects, x.steps());
    return detail::explaining_query(std::move(description));
}

query<dimension::time, statistic::several> oracle(const layered_subject& first, const layered_subject& second,
                                                  const oracle_settings& settings) {
    return oracle(std::vector<layered_subject>{first, second}, settings);
}

query<dimension::time, statistic::several> oracle(const std::vector<layered_subject>& variants,
                                                  const oracle_settings& settings) {
    detail::require_variants(variants);
    detail::require_best_of(settings.best_of);
    layers_of_variants of{settings, variants.size(), {}, detail::reason_not_to_time(variants, settings.from)};
    for (std::size_t i = 0; i < variants.front().steps().size(); ++i)
        of.names.push_back(detail::name_of_layer(variants.front().steps(), i));
    query_description description{.metric = metric_kind::oracle, .arity = query_arity::several, .subjects = {}};
    for (const layered_subject& x : variants) description.subjects.push_back(x);
    if (of.not_timed.empty())
        for (const layered_subject& x : variants)
            detail::add_all(description.subjects,
                            settings.from == layer_timing::subtraction ? x.prefixes() : x.steps());
    description.payload = std::move(of);
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
