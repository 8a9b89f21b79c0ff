// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Compares counts and metrics with the reference build, exactly where they repeat. For a count, one launch pair shows
// that the claim holds; two show that it is violated. A metric can differ from process to process, so the test needs as
// many equal launch pairs as the sequential test has before its first look.

#include <perfspec/judge/against_baseline/reference_build-inl.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/readings.hpp>

#include <optional>

namespace perfspec::detail {

inline void describe_counted_builds(const claim_context& context, claim_result& result, const reference_series& series,
                                    std::size_t used) {
    describe_reference(context, result,
                       {series.pairs.begin(), series.pairs.begin() + static_cast<std::ptrdiff_t>(used)});
    const launch_pair& last = series.pairs[used - 1];
    describe_exact(context, result, last.head, bound_of(context, last.reference));
    result.bound_text = bound_formula(context, last.reference) + ", the reference build";
    result.evidence.method = "exact comparison of launches with the reference build's";
}

/// The exact verdict on a count; nothing where the count varies and the centres of launch pairs have to decide.
inline std::optional<verdict> verdict_of_counts(const claim_context& context, claim_result& result,
                                                reference_series& series, random_order& order) {
    for (std::size_t index = 0; index < 2; ++index) {
        const launch_pair* pair = next_launch_pair(context, result, series, index, order);
        if (pair == nullptr) return verdict::not_judged;
        require_bound_of_counts(context, bound_of(context, pair->reference));
        if (!pair->exact && context.compared() != comparison::equal) return {};
        if (!pair->exact || !satisfies(context.compared(), pair->head, bound_of(context, pair->reference))) continue;
        describe_counted_builds(context, result, series, index + 1);
        return index == 0 ? verdict::holds : verdict::undecided;
    }
    describe_counted_builds(context, result, series, 2);
    return verdict::violated;
}

/// The exact verdict on a metric or on what a module counts; nothing where its values differ within a process or between
/// processes, or where too few launch pairs fit into the time.
inline std::optional<verdict> verdict_of_values(const claim_context& context, claim_result& result,
                                                reference_series& series, random_order& order, std::size_t enough) {
    result.evidence.budget_seconds = longest_ns(context) * 1e-9;
    for (std::size_t index = 0; index < enough; ++index) {
        if (!allows_another_pair(context, result.evidence, index, enough)) return {};
        const launch_pair* pair = next_launch_pair(context, result, series, index, order);
        if (pair == nullptr) return verdict::not_judged;
        require_bound_of_counts(context, bound_of(context, pair->reference));
        const launch_pair& first = series.pairs.front();
        if (!pair->exact || pair->head != first.head || pair->reference != first.reference) return {};
    }
    describe_counted_builds(context, result, series, enough);
    const launch_pair& first = series.pairs.front();
    return satisfies(context.compared(), first.head, bound_of(context, first.reference)) ? verdict::holds
                                                                                         : verdict::violated;
}

/// The exact verdict; nothing where statistics have to decide.
inline std::optional<verdict> verdict_of_exact_builds(const claim_context& context, claim_result& result,
                                                      reference_series& series) {
    result.evidence.seed = seed_of(context);
    random_order order(result.evidence.seed);
    if (context.query.metric == metric_kind::module_count)
        return verdict_of_values(context, result, series, order, processes_that_agree(context.plan));
    const bool is_value = traits_of(context.query.metric).from == reading::body;
    constexpr std::size_t first_look = sequential_settings::for_launch_centres().first_look;
    return is_value ? verdict_of_values(context, result, series, order, first_look)
                    : verdict_of_counts(context, result, series, order);
}

inline void compare_counted_builds(const claim_context& context, claim_result& result) {
    reference_series& series = launch_pairs_of(context);
    if (series.head) return describe_new(context, result, *series.head);
    const evidence_counts before = result.evidence;
    const auto decided = verdict_of_exact_builds(context, result, series);
    if (series.head) return describe_new(context, result, *series.head);
    if (decided)
        return set_verdict(
            result, *decided,
            decided == verdict::undecided ? "one of two launch pairs is beyond the bound, the other is not" : "");
    const std::uint64_t seed = result.evidence.seed;
    result.evidence = before;
    result.evidence.seed = seed;  // of the pairs that were already taken
    compare_builds(context, result);
}

void judge_counted_builds(const claim_context& context, claim_result& result) {
    with_both_builds(context, result, compare_counted_builds);
}

const procedure counted_builds{"exact comparison of launch pairs of both builds; statistics where they vary",
                               [](const claim_context& context) {
                                   return context.is_against_baseline() && !context.plan.against.empty() &&
                                          may_repeat_exactly(context.query.metric);
                               },
                               judge_counted_builds};

}  // namespace perfspec::detail
