// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Relative claims over fresh processes, `launches(n)`: the centre of each launch's pairs goes into the sequential test (statistics.md 8). For unlike
// subjects, whose ratio is another in every process.

#include <perfspec/run/conclude.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/launch_interval.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/sequential.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

namespace perfspec::detail {

inline sequential_settings settings_of_launches(const evaluation& e) {
    sequential_settings s = with_rates(sequential_settings::for_launch_centres(), e.plan);
    s.first_look = std::clamp<std::size_t>(e.plan.launches.value_or(0), s.first_look, s.most);
    return s;
}

/// Whether another launch may be started: as many as a first look takes, whatever they cost; more while they fit into the cap, or a budget beyond it.
inline bool allows_another_launch(evaluation& e, const sequential& test) {
    if (test.size() < test.settings().first_look) return true;
    const double longest = std::chrono::duration<double>(std::max(e.plan.cap, e.plan.budget)).count();
    const double one = e.out.evidence.seconds / static_cast<double>(test.size());
    if (e.out.evidence.seconds + one <= longest) return true;
    e.out.evidence.budget_seconds = longest;
    return false;
}

void judge_launches(evaluation& e) {
    const double bound = e.tree().bound == bound_kind::query ? e.tree().factor : e.tree().value;
    e.out.bound = bound;
    if (!is_usable_ratio_bound(e, bound)) return;
    sequential test(settings_of_launches(e));
    e.out.evidence.method = "centres of fresh launches, " + std::string(sequential::method);
    std::vector<double> values;
    while (test.decided() == decision::none && !test.exhausted() && allows_another_launch(e, test)) {
        const auto launch = take_launch(e);
        if (!launch) return;
        values.push_back(std::log(launch->value));
        test.add(sign_of(e.tree().compared) * (values.back() - std::log(bound)));
    }
    const centre_interval interval = interval_of_launches(e, values);
    e.out.measured =
        estimate{std::exp(interval.centre), std::exp(median(values)), std::exp(interval.low), std::exp(interval.high), interval.level};
    const std::size_t most = test.settings().most;
    conclude(e, test.progress(), {"launches", e.out.evidence.seconds / static_cast<double>(test.size()), most, most});
}

}  // namespace perfspec::detail
