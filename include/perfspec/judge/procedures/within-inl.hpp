// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// `query == within(bound, tolerance)`: two claims, that the query is not worse than the one end nor better than the other, over the same samples.
// Each is judged by the procedure for its kind at half the rate of false failures. Violated where one of them is: by the union bound at most at
// the whole rate, also where the tolerance is so narrow that the truth lies at both ends. Holds where both do: no end's rate has to be smaller
// for that (Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982).

#include <perfspec/ask/commands.hpp>
#include <perfspec/ask/procedure.hpp>
#include <perfspec/language/one_side.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace perfspec::detail {

/// The bound of a finding is that in the middle, whichever side was judged.
inline void describe_tolerance(const question& side, finding& found) {
    if (!found.bound) return;
    const claim_terms& within = side.written.value();
    const better direction = side.query.direction;
    const double middle = middle_of(within, direction, side.end.value(), *found.bound);
    const auto [low, high] = std::minmax(
        {bound_of_side(within, direction, tolerance_end::loss, middle), bound_of_side(within, direction, tolerance_end::gain, middle)});
    found.bound = middle;
    found.tolerated = tolerated_range{low, high};
}

/// What was better than claimed is no fault of the code, but of the bound.
inline void explain_gain(const question& asked, finding& found) {
    if (asked.is_against_query()) {
        found.reason = "better than the tolerance allows, against the other query";
        return;
    }
    if (!asked.is_against_baseline()) {
        found.reason = "better than the tolerance allows: the bound is stale, move it to what is measured now";
        return;
    }
    if (!asked.plan.against.empty()) {
        found.reason = "better than the tolerance allows: this build is better than the reference build";
        return;
    }
    found.reason = "better than the tolerance allows: the baseline is stale";
    const std::string file = found.baseline ? found.baseline->file : std::string{};
    found.advice.push_back("where the gain is meant, accept it as the new baseline: " + update_variables(asked, file, "1") + " " +
                           run_again(asked));
}

inline void judge_side(const question& side, finding& found) {
    judge_by_procedure(side, found);
    describe_tolerance(side, found);
    if (found.verdict != verdict::violated) return;
    if (side.end == tolerance_end::gain) explain_gain(side, found);
    else found.reason = "worse than the tolerance allows";
}

/// Whether a given budget has to last for two series: pairs of values that bodies tell are not shared between claims.
inline bool shares_budget(const question& asked) {
    return asked.plan.budget_given && asked.is_relative() && reports_own_value(asked.query.metric);
}

inline std::chrono::nanoseconds what_is_left(std::chrono::nanoseconds budget, double spent_seconds) {
    const std::chrono::duration<double> spent(spent_seconds);
    return std::max(std::chrono::nanoseconds{1}, budget - std::chrono::duration_cast<std::chrono::nanoseconds>(spent));
}

/// Whether one side leaves it to the other.
inline bool leaves_open(const finding& f) { return f.verdict == verdict::holds || f.verdict == verdict::undecided; }

/// Whether the loss's finding tells more about a claim of which no side is violated: what is undecided, else what took more.
inline bool tells_more(const finding& loss, const finding& gain) {
    if (loss.verdict != gain.verdict) return loss.verdict == verdict::undecided;
    return loss.evidence.rounds > gain.evidence.rounds;
}

/// What both sides took; the second shares the samples of the first.
inline void add_first_side(finding& both, const finding& first) {
    both.evidence.seconds += first.evidence.seconds - both.evidence.shared_seconds;
    both.evidence.shared_seconds = first.evidence.shared_seconds;
    add_disturbances(both, first.disturbed);
}

/// The other side after the first one, whose finding is in `found`. What is found of both shows the side that tells more.
inline void judge_second_side(const question& side, finding& found, const finding& before) {
    finding loss = std::exchange(found, before);
    try {
        judge_side(side, found);
    } catch (...) {
        add_first_side(found, loss);
        throw;
    }
    const bool shows_loss = leaves_open(found) && tells_more(loss, found);
    add_first_side(found, loss);
    if (!shows_loss) return;
    loss.evidence.seconds = found.evidence.seconds;
    loss.evidence.shared_seconds = found.evidence.shared_seconds;
    loss.disturbed = std::move(found.disturbed);
    found = std::move(loss);
}

/// The lower end of a tolerance around a number; nothing around something else.
inline std::optional<double> lower_end(const question& asked) {
    const value_bound* const around = std::get_if<value_bound>(&asked.written.value().bound);
    if (around == nullptr) return {};
    const auto at = [&](tolerance_end end) { return bound_of_side(*asked.written, asked.query.direction, end, around->value); };
    return std::min(at(tolerance_end::loss), at(tolerance_end::gain));
}

void require_two_sides(const question& asked) {
    if (const auto low = lower_end(asked); low && !(*low > 0.0))
        throw input_error("the tolerance reaches down to " + format_value(*low, asked.unit) +
                          ", below which nothing is, so that it has one side: claim <= its upper end");
}

void judge_within(const question& asked, finding& found) {
    require_two_sides(asked);
    const plan& p = asked.plan;
    // A child is at the rate of the side that its parent found violated already.
    if (asked.is_child())
        return judge_side(at_end(asked, asked.context.child()->end.value_or(tolerance_end::loss), p.false_failure, p.budget), found);
    const finding before = found;
    const double rate = p.false_failure / 2.0;
    judge_side(at_end(asked, tolerance_end::loss, rate, shares_budget(asked) ? p.budget / 2 : p.budget), found);
    if (!leaves_open(found)) return;
    const auto left = shares_budget(asked) ? what_is_left(p.budget, found.evidence.seconds) : p.budget;
    judge_second_side(at_end(asked, tolerance_end::gain, rate, left), found, before);
}

}  // namespace perfspec::detail
