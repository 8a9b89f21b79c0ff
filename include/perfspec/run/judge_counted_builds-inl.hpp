// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts against the reference build: where both repeat, one launch pair shows that the claim holds, two that it is violated.

#include <perfspec/run/counting.hpp>
#include <perfspec/run/judge_reference-inl.hpp>

#include <optional>

namespace perfspec::detail {

inline void describe_counted_builds(evaluation& e, const reference_series& series, std::size_t used) {
    describe_reference(e, {series.pairs.begin(), series.pairs.begin() + static_cast<std::ptrdiff_t>(used)});
    const launch_pair& last = series.pairs[used - 1];
    describe_exact(e, last.head, bound_of(e, last.reference));
    e.out.bound_text = bound_formula(e, last.reference) + ", the reference build";
    e.out.evidence.method = "exact comparison of launches with the reference build's";
}

/// Nothing where a count varies, so that the centres of launch pairs have to tell.
inline std::optional<verdict> verdict_of_counted_builds(evaluation& e, reference_series& series) {
    e.out.evidence.seed = e.plan.seed.value_or(e.context.around().draw_seed());
    coin order(e.out.evidence.seed);
    for (std::size_t index = 0; index < 2; ++index) {
        const launch_pair* pair = next_launch_pair(e, series, index, order);
        if (pair == nullptr) return verdict::not_judged;
        if (!pair->exact && e.tree().compared != comparison::equal) return {};
        if (!pair->exact || !satisfies(e, pair->head, bound_of(e, pair->reference))) continue;
        describe_counted_builds(e, series, index + 1);
        return index == 0 ? verdict::holds : verdict::undecided;
    }
    describe_counted_builds(e, series, 2);
    return verdict::violated;
}

void judge_counted_builds(evaluation& e) {
    reference_series& series = series_of_builds(e);
    if (series.head) return describe_new(e, *series.head);
    const evidence_counts before = e.out.evidence;
    const auto found = verdict_of_counted_builds(e, series);
    if (series.head) return describe_new(e, *series.head);
    if (found) return set_verdict(e, *found, found == verdict::undecided ? "of two launch pairs one lies beyond the bound" : "");
    const std::uint64_t seed = e.out.evidence.seed;
    e.out.evidence = before;
    e.out.evidence.seed = seed;  // of the pairs that there are
    judge_reference(e);
}

}  // namespace perfspec::detail
