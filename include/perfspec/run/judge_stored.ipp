// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on stored launches: fresh launches against them, by ranks (statistics.md 7).

#include <perfspec/run/commands.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/stats/stored_rank_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace perfspec::detail {

inline void compare_with(evaluation& e, const baseline_store& store, const baseline_entry& entry) {
    if (entry.unit != base_unit(e.out.unit) || entry.polarity != e.out.direction) {
        set_verdict(e, verdict::invalid,
                    "the baseline of this key is in " + entry.unit + ", the query in " + std::string(base_unit(e.out.unit)) +
                        ": give the query another key(\"…\"), or record it anew with " + update_variables(e, store.path(), "all") + " (" +
                        store.path() + ")");
        return;
    }
    describe_origin(e, store.path(), entry, "compared");
    baseline_origin& origin = *e.out.baseline;
    origin.differences = describe_difference(entry.recorded_on, e.context.machine());
    if (!stored_rank_test::can_judge(entry.launches.size())) {
        set_verdict(e, verdict::invalid,
                    "the baseline has " + std::to_string(entry.launches.size()) + " launches, and at least " +
                        std::to_string(stored_rank_test::fewest_stored) + " are needed: record more with " +
                        update_variables(e, store.path(), "append"));
        return;
    }
    std::vector<double> bounds = origin.values;
    for (double& b : bounds) b = bound_of(e, b);
    if (std::ranges::any_of(bounds, [](double b) { return !(b > 0.0); })) {
        set_verdict(e, verdict::invalid, "the bound is not positive for the stored value: the offset is larger than the baseline");
        return;
    }
    stored_rank_test test(bounds, claims_less(e) ? direction::less : direction::more, e.plan.margin);
    e.out.evidence.method = std::string(stored_rank_test::method);
    e.out.evidence.false_failure = test.limits().exact.violated;
    while (test.decided() == decision::none && !test.exhausted()) {
        const auto launch = take_launch(e);
        if (!launch) return;
        origin.now.push_back(launch->value);
        test.add(launch->value);
    }
    const auto [low, high] = std::ranges::minmax(origin.now);
    e.out.measured = estimate{median(origin.now), median(origin.now), low, high, 0.0};
    switch (test.decided()) {
    case decision::holds: set_verdict(e, verdict::holds); break;
    case decision::violated: set_verdict(e, verdict::violated); break;
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
    const baseline_lookup stored = committed ? committed->find(e.out.key) : baseline_lookup{};
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
        const baseline_lookup kept = own.find(e.out.key);
        if (kept.outcome == lookup_outcome::unreadable || kept.outcome == lookup_outcome::corrupt) {
            set_verdict(e, verdict::invalid, kept.reason);
            return;
        }
        if (kept.outcome == lookup_outcome::found && e.context.has_recorded(own.path(), e.out.key)) {
            describe_origin(e, own.path(), *kept.entry, "recorded");
            set_verdict(e, verdict::not_judged, "the first run on this machine: an earlier assertion of this run recorded the launches");
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
