// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on stored launches: fresh launches against them, by ranks (stats/README.md, "Stored launches").

#include <perfspec/ask/commands.hpp>
#include <perfspec/ask/procedures.hpp>
#include <perfspec/judge/counting.hpp>
#include <perfspec/judge/drive.hpp>
#include <perfspec/judge/sharing.hpp>
#include <perfspec/launch/take_launches.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stored/find_baseline.hpp>
#include <perfspec/stored/record_baseline-inl.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Takes the launches that a baseline would need besides those that were judged, so that `perfspec accept` can store them where nobody owns this
/// machine. The verdict stands: what goes wrong here ends the taking and is told.
inline void complete_launches(const question& asked, finding& found) {
    if (asked.plan.policy != missing_baseline_policy::ci) return;
    finding more = found;  // the further launches are no part of what was judged
    std::vector<stored_launch>& taken = found.baseline.value().taken;
    const std::size_t wanted = wanted_launches(asked);
    std::string fault;
    try {
        while (taken.size() < wanted) taken.push_back(take_launch(asked, more));
    } catch (const input_error& failure) { fault = failure.what(); } catch (const measurement_failure& failure) {
        fault = failure.what();
    }
    found.evidence.seconds = more.evidence.seconds;
    found.evidence.shared_seconds = more.evidence.shared_seconds;
    if (taken.size() < std::min(wanted, stored_rank_test::min_stored))
        found.advice.push_back("only " + std::to_string(taken.size()) + " launches could be taken, too few to accept: " + fault);
}

inline double take_launch_to_judge(const question& asked, finding& found) {
    stored_launch launch = take_launch(asked, found);
    found.baseline->now.push_back(launch.value);
    found.baseline->taken.push_back(std::move(launch));
    return found.baseline->now.back();
}

inline void describe_now(const question& asked, finding& found) {
    const std::vector<double>& now = found.baseline->now;
    note_value_of_key(asked, median(now));
    const auto [low, high] = std::ranges::minmax(now);
    found.estimate = estimate{median(now), median(now), low, high, 0.0};
}

inline void violate_stored(const question& asked, finding& found) {
    set_verdict(found, verdict::violated);
    complete_launches(asked, found);
}

/// So many fresh launches in a row, at most two, whose count is not on the claimed side of the bound. Nothing where a count that varies leaves it to
/// ranks.
inline std::optional<std::size_t> launches_beyond(const question& asked, finding& found, double bound) {
    const bool equality = asked.compared() == comparison::equal;
    for (std::size_t beyond = 0; beyond < 2; ++beyond) {
        const double value = take_launch_to_judge(asked, found);
        const bool exact = launches_of(asked).launches.at(found.evidence.launches - 1).exact;
        if (!exact && !equality) return {};
        if (exact && satisfies(asked.compared(), value, bound)) return beyond;
    }
    return 2;
}

/// Counts that repeat, or values of a metric that all agree, stored and fresh: one launch shows that the claim holds, two that it is violated. False where they vary, so that ranks
/// have to tell, beginning with the launches that were taken here.
inline bool compare_counts(const question& asked, finding& found, const std::vector<double>& bounds) {
    const bool equality = asked.compared() == comparison::equal;
    const auto [low, high] = std::ranges::minmax(bounds);
    if (low != high && !equality) return false;
    if (low != high) {
        set_verdict(found, verdict::invalid, "the stored launches differ, so that nothing can be equal to all of them: claim <= or >=");
        return true;
    }
    require_bound_of_counts(asked, low);
    const auto beyond = launches_beyond(asked, found, low);
    if (!equality && (!beyond || beyond == 1)) return false;
    describe_exact(asked, found, found.baseline->now.back(), low);
    found.evidence.method = "exact comparison of fresh launches with stored ones";
    if (beyond == 0) set_verdict(found, verdict::holds);
    else if (beyond == 2) violate_stored(asked, found);
    else set_verdict(found, verdict::undecided, "of two fresh launches one is equal to the stored ones");
    return true;
}

inline void compare_with(const question& asked, finding& found, const baseline_store& store, const baseline_entry& entry) {
    if (entry.unit != asked.unit_name() || entry.polarity != asked.query.direction) {
        set_verdict(found, verdict::invalid,
                    "the baseline of this key is in " + entry.unit + ", the query in " + asked.unit_name() +
                        ": give the query another key(\"…\"), or record it anew with " + update_variables(asked, store.path(), "all") +
                        " (" + store.path() + ")");
        return;
    }
    describe_origin(asked, found, store.path(), entry, baseline_action::compared);
    baseline_origin& origin = *found.baseline;
    origin.differences = describe_difference(entry.recorded_on, machine_of(asked));
    if (!stored_rank_test::can_judge(entry.launches.size())) {
        set_verdict(found, verdict::invalid,
                    "the baseline has " + std::to_string(entry.launches.size()) + " launches, and at least " +
                        std::to_string(stored_rank_test::min_stored) + " are needed: record more with " +
                        update_variables(asked, store.path(), "append"));
        return;
    }
    std::vector<double> bounds = origin.values;
    for (double& b : bounds) b = positive_of_launch(asked, bound_of(asked, b));
    const bool may_agree = may_repeat_exactly(asked.query.metric);
    if (may_agree && compare_counts(asked, found, bounds)) return;
    if (std::ranges::any_of(bounds, [&](double b) { return !(b > 0.0) && !may_agree; })) {
        set_verdict(found, verdict::invalid, "the bound is not positive for the stored value: the offset is larger than the baseline");
        return;
    }
    const claim_sides sides = asked.has_tolerance() ? claim_sides::two : claim_sides::one;
    stored_rank_test test(bounds, asked.claims_less() ? direction::less : direction::more, asked.plan.margin, sides);
    found.evidence.method = std::string(stored_rank_test::method);
    found.evidence.false_failure = test.limits().exact.violated * (sides == claim_sides::two ? 2.0 : 1.0);
    for (const double value : origin.now) test.add(positive_of_launch(asked, value));
    drive(test, [&](std::size_t) { return std::optional(positive_of_launch(asked, take_launch_to_judge(asked, found))); });
    describe_now(asked, found);
    switch (test.decided()) {
    case decision::holds: set_verdict(found, verdict::holds); break;
    case decision::violated: violate_stored(asked, found); break;
    case decision::none:
        set_verdict(found, verdict::undecided,
                    std::to_string(test.size()) + " fresh launches show neither that the claim holds nor that it is violated");
        found.advice.push_back("this baseline can see " + detectable_text(asked, origin.detectable) +
                               " beyond the bound: leave more distance, compare in one run with speedup(a, b), or add launches of the "
                               "code that the baseline stands for: " +
                               update_variables(asked, store.path(), "append") + " " + run_again(asked));
        break;
    }
}

void judge_stored(const question& asked, finding& found) {
    if (asked.plan.update != baseline_update::none) {
        update_baseline(asked, found);
        return;
    }
    const auto kept = find_baseline(asked);
    if (kept.is_broken()) return set_verdict(found, verdict::invalid, kept.lookup.reason);
    if (!kept.is_found()) return without_baseline(asked, found, kept.hardware_is_known);
    if (kept.is_own && asked.context.has_recorded(kept.store->path(), asked.key))
        return keep_recorded(asked, found, *kept.store, *kept.lookup.entry, baseline_action::recorded,
                             "the first run on this machine: an earlier assertion of this run recorded the launches");
    compare_with(asked, found, *kept.store, *kept.lookup.entry);
}

inline std::string stored_text(const question& asked, const baseline_entry& entry, const std::string& file) {
    return std::to_string(entry.launches.size()) + " launches, median " + format_value(median(values_of(entry.launches)), asked.unit) +
           ", in " + file;
}

inline void estimate_cost_of_update(const question& asked, const unit_costs& unit, claim_cost& total, bool is_stored) {
    const bool is_kept = is_stored && asked.plan.update == baseline_update::missing;
    const std::size_t recorded = is_kept ? 0 : std::max(wanted_launches(asked), launches_to_record);
    if (total.baseline.empty()) total.baseline = "none";
    total.method = is_kept ? "nothing, it has a baseline" : "recording";
    estimate_cost_of_launches(unit, total, recorded, recorded);
}

inline void estimate_cost_without_baseline(const question& asked, const unit_costs& unit, claim_cost& total) {
    const bool local = asked.plan.policy == missing_baseline_policy::local;
    const std::size_t count = local ? std::max(wanted_launches(asked), launches_to_record) : wanted_launches(asked);
    total.method = local ? "recording" : "launches to accept";
    total.baseline = local ? "none: this run would record one, and judge nothing" : "none, and policy=ci records none";
    estimate_cost_of_launches(unit, total, count, count);
}

inline void estimate_cost_of_stored(const question& asked, const unit_costs& unit, claim_cost& total) {
    const auto kept = find_baseline(asked);
    if (kept.is_broken()) total.baseline = "cannot be used: " + kept.lookup.reason;
    if (kept.is_found()) total.baseline = stored_text(asked, *kept.lookup.entry, kept.store->path());
    if (asked.plan.update != baseline_update::none) return estimate_cost_of_update(asked, unit, total, kept.is_found());
    if (kept.is_found()) return estimate_cost_of_launches(unit, total, 1, 5);
    if (!kept.is_broken()) return estimate_cost_without_baseline(asked, unit, total);
    total.method = "nothing, the claim is invalid";
    estimate_cost_of_launches(unit, total, 0, 0);
}

const procedure stored_launches{"fresh launches against stored ones, by ranks",
                                [](const question& asked) { return asked.is_against_baseline() && asked.plan.against.empty(); },
                                judge_stored, estimate_cost_of_stored};

}  // namespace perfspec::detail
