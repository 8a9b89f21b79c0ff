// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Relative claims over fresh processes, `launches(n)`: the centre of each launch's pairs goes into the sequential test (stats/README.md, "Launches"). For unlike
// subjects, whose ratio is another in every process.

#include <perfspec/run/conclude.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/launch_interval.hpp>
#include <perfspec/run/least_evidence.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace perfspec::detail {

void judge_launches(evaluation& e) {
    const double bound = e.tree().bound == bound_kind::query ? e.tree().factor : e.tree().value;
    e.out.bound = bound;
    if (!is_usable_ratio_bound(e, bound)) return;
    const auto [settings, fewest] = limits_of_launches(e);
    sequential test(settings);
    e.out.evidence.approximate = true;  // no coin decides on which side of the bound a process is
    e.out.evidence.method = "centres of fresh launches, " + std::string(sequential::method);
    std::vector<double> values;
    while (test.decided() == decision::none && !test.exhausted() && allows_another_launch(e, test, fewest)) {
        const auto launch = take_launch(e);
        if (!launch) return;
        values.push_back(std::log(launch->value));
        test.add(sign_of(e.tree().compared) * (values.back() - std::log(bound)));
    }
    const centre_interval interval = interval_of_launches(e, values);
    e.out.measured =
        estimate{std::exp(interval.centre), std::exp(median(values)), std::exp(interval.low), std::exp(interval.high), interval.level};
    const std::size_t most = settings.most;
    conclude(e, test.progress(), {"launches", e.out.evidence.seconds / static_cast<double>(test.size()), most, most});
}

}  // namespace perfspec::detail
