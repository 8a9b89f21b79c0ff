// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <variant>

namespace perfspec::inline v0_2 {
namespace detail {

/// An end of a tolerance as a function of the bound in its middle.
struct end_of_tolerance {
    double sign;  ///< +1 if the end is above the bound, -1 if it is below
    double factor;
    double offset;

    [[nodiscard]] double of(double middle) const { return factor * middle + offset; }
};

inline end_of_tolerance end_of(const claim_terms& within, better direction, tolerance_end end) {
    const double sign = (direction == better::less) == (end == tolerance_end::loss) ? 1.0 : -1.0;
    const bound_tolerance& t = within.tolerance.value();
    return {sign, 1.0 + sign * t.fraction, sign * t.offset};
}

double bound_of_side(const claim_terms& within, better direction, tolerance_end end, double middle) {
    return end_of(within, direction, end).of(middle);
}

double midpoint_of(const claim_terms& within, better direction, tolerance_end end, double bound_of_side) {
    const end_of_tolerance e = end_of(within, direction, end);
    return (bound_of_side - e.offset) / e.factor;
}

/// The bound at an end of the tolerance around it.
struct bound_at {
    end_of_tolerance end;

    claim_bound operator()(const value_bound& b) const { return value_bound{end.of(b.value)}; }
    claim_bound operator()(const stored_bound& b) const {
        return stored_bound{end.factor * b.factor, end.of(b.offset)};
    }
    claim_bound operator()(const query_bound& b) const { return query_bound{end.factor * b.factor, b.other}; }
};

claim_terms one_side(const claim_terms& within, better direction, tolerance_end end) {
    const end_of_tolerance e = end_of(within, direction, end);
    return {
        e.sign > 0.0 ? comparison::less_equal : comparison::greater_equal, std::visit(bound_at{e}, within.bound), {}};
}

inline const char* word_of(work w) noexcept {
    switch (w) {
    case work::items: return "items";
    case work::bytes: return "bytes";
    case work::flops: break;
    }
    return "flops";
}

/// "p99", "percentile"; empty for a median.
inline std::string name_of_statistic(const query_description& query) {
    if (query.statistic != statistic::percentile) return {};
    for (const double named : {50.0, 90.0, 95.0, 99.0})
        if (query.percent == named) return fmt::format("p{}", named);
    return "percentile";
}

/// Writes a query with its statistic: "p99(latency(x))", "percentile(latency(x), 99.5)".
inline std::string with_statistic(const query_description& query, const std::string& of) {
    const std::string name = name_of_statistic(query);
    if (name.empty()) return of;
    return name == "percentile" ? fmt::format("percentile({}, {:.6g})", of, query.percent)
                                : fmt::format("{}({})", name, of);
}

/// ", softmax"; empty without a detail.
inline std::string comma_and_detail(const query_description& query, std::size_t subject) {
    const std::string detail = detail_of(query, subject);
    return detail.empty() ? detail : ", " + detail;
}

/// Whether the text of a ratio has its metric: speedup(cpu_time(a), cpu_time(b)).
inline bool is_written_with_metric(const query_description& query) {
    return std::holds_alternative<written_metric>(query.payload);
}

inline std::string describe_ratio(const query_description& query, const std::string& word,
                                  const std::vector<std::string>& names) {
    if (query.metric == metrics::peak_memory)
        return "memory_ratio(" + names.at(0) + ", " + names.at(1) + (counts_load(query) ? ", including_load)" : ")");
    const bool is_written = is_written_with_metric(query);
    const auto operand = [&](std::size_t i) {
        return is_written ? word + "(" + names.at(i) + comma_and_detail(query, i) + ")" : names.at(i);
    };
    return "speedup(" + operand(0) + ", " + operand(1) + ")";
}

inline std::string describe_several(const query_description& query, const std::string& word,
                                    const std::vector<std::string>& names) {
    if (query.metric == metrics::complexity) return word + "(" + names.front() + " .. " + names.back() + ")";
    if (query.module.named == 0) return fmt::format("speedups({})", fmt::join(names, ", "));
    return fmt::format("{}({}{})", word, fmt::join(std::span(names).first(query.module.named), ", "),
                       comma_and_detail(query, 0));
}

}  // namespace detail

std::string describe(const query_description& query, const std::vector<std::string>& names) {
    const std::string word = word_of(query);
    switch (query.arity) {
    case query_arity::one: break;
    case query_arity::ratio: return detail::describe_ratio(query, word, names);
    case query_arity::several: return detail::describe_several(query, word, names);
    }
    if (query.metric == detail::metrics::own)
        return "metric(" + query.payload_as<own_metric>().name + ", " + names.at(0) + ")";
    const auto counted = query.payload_as<work>();
    std::string second = counted == work::items ? "" : std::string(", ") + detail::word_of(counted);
    if (counts_load(query)) second = ", including_load";
    if (second.empty()) second = detail::comma_and_detail(query, 0);
    return detail::with_statistic(query, word + "(" + names.at(0) + second + ")");
}

std::string metric_name(const query_description& query) {
    const std::string load = counts_load(query) ? ", including_load" : "";
    const std::string word = word_of(query);
    switch (query.arity) {
    case query_arity::one: break;
    case query_arity::ratio:
        if (query.metric == detail::metrics::peak_memory) return "memory_ratio" + load;
        return detail::is_written_with_metric(query) ? "speedup of " + word : "speedup";
    case query_arity::several:
        return query.metric == detail::metrics::complexity || query.module.named != 0 ? word : "speedups";
    }
    const std::string statistic = detail::name_of_statistic(query);
    return (statistic.empty() ? word : statistic) + load;
}

std::vector<std::pair<std::string, std::string>> distinguishing_settings(const subject& s,
                                                                         const std::vector<subject>& of) {
    std::vector<std::pair<std::string, std::string>> distinguishing;
    for (const auto& axis : s.state().axes) {
        const bool is_shared = std::ranges::all_of(of, [&](const subject& each) {
            return std::ranges::find(each.state().axes, axis) != each.state().axes.end();
        });
        const auto& settings = s.state().settings;
        if (!is_shared && std::ranges::find(settings, axis.first) != settings.end()) distinguishing.push_back(axis);
    }
    return distinguishing;
}

std::vector<std::pair<std::string, std::string>> united_axes(const std::vector<subject>& subjects) {
    std::vector<std::pair<std::string, std::string>> axes;
    for (const subject& s : subjects) {
        const auto distinguishing = distinguishing_settings(s, subjects);
        for (const auto& [name, value] : s.state().axes) {
            if (std::ranges::find(distinguishing, std::pair(name, value)) != distinguishing.end()) continue;
            const auto same = std::ranges::find(axes, name, &std::pair<std::string, std::string>::first);
            if (same == axes.end()) {
                axes.emplace_back(name, value);
            } else if (same->second != value) {
                throw input_error(
                    "axis \"" + name + "\" is \"" + same->second + "\" for one subject of the query and \"" + value +
                    "\" for another, but a query has only one value of each axis. Rename the axis on one of the "
                    "subjects");
            }
        }
    }
    std::ranges::sort(axes);
    return axes;
}

const char* to_string(comparison c) noexcept {
    constexpr const char* words[] = {"<", "<=", ">", ">=", "=="};  // in the order of `comparison`
    return words[static_cast<std::size_t>(c)];
}

const char* to_string(verification_code code) noexcept {
    constexpr const char* words[] = {// in the order of verification_code
                                     "PASS",
                                     "FAIL",
                                     "LOAD_FAILED",
                                     "EAGER_FAILED",
                                     "EAGER_OUT_OF_MEMORY",
                                     "EXCEPTION_RAISED",
                                     "OUT_OF_MEMORY",
                                     "NONDETERMINISTIC_EAGER_RUN",
                                     "VERIFIER_SKIPPED",
                                     "VERIFIER_DIDNT_RUN"};
    return words[static_cast<std::size_t>(code)];
}

}  // namespace perfspec::inline v0_2
