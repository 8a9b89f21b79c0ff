// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// `query == within(bound, tolerance)`: two claims, that the query is not worse than the one end nor better than the other, over the same samples.
// Each is judged by the procedure for its kind at half the rate of false failures. Violated where one of them is: by the union bound at most at
// the whole rate, also where the tolerance is so narrow that the truth lies at both ends. Holds where both do: no end's rate has to be smaller
// for that (Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982).

#include <perfspec/language/one_side.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/commands.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/stored_claim.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace perfspec::detail {

/// While it lives, the evaluation is of one side, at that side's rate and in its share of the budget.
class side_scope {
public:
    side_scope(evaluation& e, tolerance_end end, double false_failure, std::chrono::nanoseconds budget)
        : e_(e), rate_of_both_(std::exchange(e.plan.false_failure, false_failure)), budget_of_both_(std::exchange(e.plan.budget, budget)) {
        e.judged_side.emplace(side_of_tolerance{end, one_side(e.asked.tree, end)});
    }
    side_scope(const side_scope&) = delete;
    side_scope& operator=(const side_scope&) = delete;
    ~side_scope() {
        e_.judged_side.reset();
        e_.plan.false_failure = rate_of_both_;
        e_.plan.budget = budget_of_both_;
    }

private:
    evaluation& e_;
    double rate_of_both_;
    std::chrono::nanoseconds budget_of_both_;
};

/// The bound of a record is that in the middle, whichever side was judged.
inline void describe_tolerance(evaluation& e, tolerance_end end) {
    if (!e.out.bound) return;
    const expression_node& within = e.asked.tree;
    const double middle = middle_of(within, end, *e.out.bound);
    const auto [low, high] =
        std::minmax({bound_of_side(within, tolerance_end::loss, middle), bound_of_side(within, tolerance_end::gain, middle)});
    e.out.bound = middle;
    e.out.tolerated = tolerated_range{low, high};
}

/// What was better than claimed is no fault of the code, but of the bound.
inline void explain_gain(evaluation& e) {
    if (e.tree().bound == bound_kind::query) {
        e.out.reason = "better than the tolerance allows, against the other query";
        return;
    }
    if (e.tree().bound != bound_kind::baseline) {
        e.out.reason = "better than the tolerance allows: the bound is stale, move it to what is measured now";
        return;
    }
    if (!e.plan.against.empty()) {
        e.out.reason = "better than the tolerance allows: this build is better than the reference build";
        return;
    }
    e.out.reason = "better than the tolerance allows: the baseline is stale";
    const std::string file = e.out.baseline ? e.out.baseline->file : std::string{};
    e.out.advice.push_back("where the gain is meant, accept it as the new baseline: " + update_variables(e, file, "1") + " " +
                           run_again(e));
}

inline void judge_side(evaluation& e, tolerance_end end, double false_failure, std::chrono::nanoseconds budget) {
    const side_scope scope(e, end, false_failure, budget);
    judge_by_bound(e);
    describe_tolerance(e, end);
    if (e.out.verdict != verdict::violated) return;
    if (end == tolerance_end::gain) explain_gain(e);
    else e.out.reason = "worse than the tolerance allows";
}

/// The side that the parent found violated; it is at that side's rate already.
inline tolerance_end end_asked_for(const evaluation& e) { return e.context.child()->end.value_or(tolerance_end::loss); }

/// Whether a given budget has to last for two series: pairs of values that bodies tell are not shared between claims.
inline bool shares_budget(const evaluation& e) {
    const bool of_pairs = e.query().ratio || e.asked.tree.bound == bound_kind::query;
    return e.plan.budget_given && of_pairs && is_told_by_body(e.query().measured);
}

inline std::chrono::nanoseconds what_is_left(std::chrono::nanoseconds budget, double spent_seconds) {
    const std::chrono::duration<double> spent(spent_seconds);
    return std::max(std::chrono::nanoseconds{1}, budget - std::chrono::duration_cast<std::chrono::nanoseconds>(spent));
}

inline bool is_open(const record& r) { return r.verdict == verdict::holds || r.verdict == verdict::undecided; }

/// Whether the loss's record tells more about a claim of which no side is violated: what is undecided, else what took more.
inline bool tells_more(const record& loss, const record& gain) {
    if (loss.verdict != gain.verdict) return loss.verdict == verdict::undecided;
    return loss.evidence.rounds > gain.evidence.rounds;
}

/// What both sides took; the second shares the samples of the first.
inline void add_first_side(evaluation& e, const record& first) {
    evidence_counts& both = e.out.evidence;
    both.seconds += first.evidence.seconds - both.shared_seconds;
    both.shared_seconds = first.evidence.shared_seconds;
    add_disturbances(e, first.disturbed);
}

void judge_within(evaluation& e) {
    const expression_node& within = e.asked.tree;
    const double low = std::min(one_side(within, tolerance_end::loss).value, one_side(within, tolerance_end::gain).value);
    if (within.bound == bound_kind::value && !(low > 0.0))
        return set_verdict(e, verdict::invalid,
                           "the tolerance reaches down to " + format_value(low, e.out.unit) +
                               ", below which nothing is, so that it has one side: claim <= its upper end");
    if (e.is_child()) return judge_side(e, end_asked_for(e), e.plan.false_failure, e.plan.budget);
    const double rate_of_a_side = e.plan.false_failure / 2.0;
    const record before = e.out;
    const std::chrono::nanoseconds budget = e.plan.budget;
    judge_side(e, tolerance_end::loss, rate_of_a_side, shares_budget(e) ? budget / 2 : budget);
    if (!is_open(e.out)) return;
    record loss = std::exchange(e.out, before);
    try {
        judge_side(e, tolerance_end::gain, rate_of_a_side, shares_budget(e) ? what_is_left(budget, loss.evidence.seconds) : budget);
    } catch (...) {
        add_first_side(e, loss);
        throw;
    }
    const bool shows_loss = is_open(e.out) && tells_more(loss, e.out);
    add_first_side(e, loss);
    if (!shows_loss) return;
    loss.evidence.seconds = e.out.evidence.seconds;
    loss.evidence.shared_seconds = e.out.evidence.shared_seconds;
    loss.disturbed = std::move(e.out.disturbed);
    e.out = std::move(loss);
}

}  // namespace perfspec::detail
