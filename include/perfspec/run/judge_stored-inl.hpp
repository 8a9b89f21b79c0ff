// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on stored launches: fresh launches against them, by ranks (stats/README.md, "Stored launches").

#include <perfspec/quantity/error.hpp>
#include <perfspec/run/commands.hpp>
#include <perfspec/run/counting.hpp>
#include <perfspec/run/record_baseline-inl.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/stats/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Takes the launches that a baseline would need besides those that were judged, so that `perfspec accept` can store them where nobody owns this
/// machine. The verdict stands: what goes wrong here ends the taking and is told.
inline void complete_launches(evaluation& e) {
    if (e.plan.policy != missing_baseline_policy::ci) return;
    record judged = e.out;
    std::vector<stored_launch>& taken = judged.baseline.value().taken;
    const std::size_t wanted = wanted_launches(e);
    try {
        while (taken.size() < wanted) {
            auto more = take_launch(e);
            if (!more) break;
            taken.push_back(std::move(*more));
        }
    } catch (const input_error& failure) { e.out.reason = failure.what(); }
    judged.evidence.seconds = e.out.evidence.seconds;
    judged.evidence.shared_seconds = e.out.evidence.shared_seconds;
    if (taken.size() < std::min(wanted, stored_rank_test::fewest_stored))
        judged.advice.push_back("only " + std::to_string(taken.size()) + " launches could be taken, too few to accept: " + e.out.reason);
    e.out = std::move(judged);
}

inline std::optional<stored_launch> take_launch_to_judge(evaluation& e) {
    auto launch = take_launch(e);
    if (!launch) return {};
    e.out.baseline->now.push_back(launch->value);
    e.out.baseline->taken.push_back(*launch);
    return launch;
}

inline void describe_now(evaluation& e) {
    const std::vector<double>& now = e.out.baseline->now;
    note_value_of_key(e, median(now));
    const auto [low, high] = std::ranges::minmax(now);
    e.out.measured = estimate{median(now), median(now), low, high, 0.0};
}

inline void violate_stored(evaluation& e) {
    set_verdict(e, verdict::violated);
    complete_launches(e);
}

/// So many fresh launches in a row, at most two, whose count is not on the claimed side of the bound. Nothing where one could not be measured, or
/// where a count that varies leaves it to ranks.
inline std::optional<std::size_t> launches_beyond(evaluation& e, double bound) {
    const bool equality = e.tree().compared == comparison::equal;
    for (std::size_t beyond = 0; beyond < 2; ++beyond) {
        if (!take_launch_to_judge(e)) return {};
        const bool exact = launches_of(e).launches.at(e.out.evidence.launches - 1).exact;
        if (!exact && !equality) return {};
        if (exact && satisfies(e, e.out.baseline->now.back(), bound)) return beyond;
    }
    return 2;
}

/// Counts that repeat, or values of a metric that all agree, stored and fresh: one launch shows that the claim holds, two that it is violated. False where they vary, so that ranks
/// have to tell, beginning with the launches that were taken here.
inline bool compare_counts(evaluation& e, const std::vector<double>& bounds) {
    const bool equality = e.tree().compared == comparison::equal;
    const auto [low, high] = std::ranges::minmax(bounds);
    if (low != high && !equality) return false;
    if (low != high) {
        set_verdict(e, verdict::invalid, "the stored launches differ, so that nothing can be equal to all of them: claim <= or >=");
        return true;
    }
    const auto beyond = launches_beyond(e, low);
    if (!e.out.reason.empty()) return true;  // a launch could not be measured
    if (!equality && (!beyond || beyond == 1)) return false;
    describe_exact(e, e.out.baseline->now.back(), low);
    e.out.evidence.method = "exact comparison of fresh launches with stored ones";
    if (beyond == 0) set_verdict(e, verdict::holds);
    else if (beyond == 2) violate_stored(e);
    else set_verdict(e, verdict::undecided, "of two fresh launches one is equal to the stored ones");
    return true;
}

inline void compare_with(evaluation& e, const baseline_store& store, const baseline_entry& entry) {
    if (entry.unit != unit_name(e.out) || entry.polarity != e.out.direction) {
        set_verdict(e, verdict::invalid,
                    "the baseline of this key is in " + entry.unit + ", the query in " + unit_name(e.out) +
                        ": give the query another key(\"…\"), or record it anew with " + update_variables(e, store.path(), "all") + " (" +
                        store.path() + ")");
        return;
    }
    describe_origin(e, store.path(), entry, baseline_action::compared);
    baseline_origin& origin = *e.out.baseline;
    origin.differences = describe_difference(entry.recorded_on, machine_of(e));
    if (!stored_rank_test::can_judge(entry.launches.size())) {
        set_verdict(e, verdict::invalid,
                    "the baseline has " + std::to_string(entry.launches.size()) + " launches, and at least " +
                        std::to_string(stored_rank_test::fewest_stored) + " are needed: record more with " +
                        update_variables(e, store.path(), "append"));
        return;
    }
    std::vector<double> bounds = origin.values;
    for (double& b : bounds) b = positive_of_launch(e, bound_of(e, b));
    const bool may_agree = is_counted(e.query().measured) || e.query().measured == metric_kind::own;
    if (may_agree && compare_counts(e, bounds)) return;
    if (std::ranges::any_of(bounds, [&](double b) { return !(b > 0.0) && !may_agree; })) {
        set_verdict(e, verdict::invalid, "the bound is not positive for the stored value: the offset is larger than the baseline");
        return;
    }
    const claim_sides sides = e.asked.tree.tolerance ? claim_sides::two : claim_sides::one;
    stored_rank_test test(bounds, claims_less(e) ? direction::less : direction::more, e.plan.margin, sides);
    e.out.evidence.method = std::string(stored_rank_test::method);
    e.out.evidence.false_failure = test.limits().exact.violated * (sides == claim_sides::two ? 2.0 : 1.0);
    for (const double value : origin.now) test.add(positive_of_launch(e, value));
    while (test.decided() == decision::none && !test.exhausted()) {
        const auto launch = take_launch_to_judge(e);
        if (!launch) return;
        test.add(positive_of_launch(e, launch->value));
    }
    describe_now(e);
    switch (test.decided()) {
    case decision::holds: set_verdict(e, verdict::holds); break;
    case decision::violated: violate_stored(e); break;
    case decision::none:
        set_verdict(e, verdict::undecided,
                    std::to_string(test.size()) + " fresh launches show neither that the claim holds nor that it is violated");
        e.out.advice.push_back("this baseline can see " + sight_text(e, origin.detectable) +
                               " beyond the bound: leave more distance, compare in one run with speedup(a, b), or add launches of the "
                               "code that the baseline stands for: " +
                               update_variables(e, store.path(), "append") + " " + run_again(e));
        break;
    }
}

void judge_stored(evaluation& e) {
    if (e.plan.update != baseline_update::none) {
        update_baseline(e);
        return;
    }
    const auto committed = committed_store(e);
    const baseline_lookup stored = committed ? e.context.stored_in(*committed).find(e.out.key) : baseline_lookup{};
    if (stored.outcome == lookup_outcome::unreadable || stored.outcome == lookup_outcome::corrupt) {
        set_verdict(e, verdict::invalid, stored.reason);
        return;
    }
    if (stored.outcome == lookup_outcome::found) {
        compare_with(e, *committed, *stored.entry);
        return;
    }
    if (e.plan.policy == missing_baseline_policy::local) {
        const baseline_store own = local_store(e);
        const baseline_lookup kept = e.context.stored_in(own).find(e.out.key);
        if (kept.outcome == lookup_outcome::unreadable || kept.outcome == lookup_outcome::corrupt) {
            set_verdict(e, verdict::invalid, kept.reason);
            return;
        }
        if (kept.outcome == lookup_outcome::found && e.context.has_recorded(own.path(), e.out.key)) {
            keep_recorded(e, own, *kept.entry, baseline_action::recorded,
                          "the first run on this machine: an earlier assertion of this run recorded the launches");
            return;
        }
        if (kept.outcome == lookup_outcome::found) {
            compare_with(e, own, *kept.entry);
            return;
        }
    }
    without_baseline(e, stored);
}

}  // namespace perfspec::detail
