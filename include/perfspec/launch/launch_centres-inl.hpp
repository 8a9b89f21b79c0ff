// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Judges relative claims over fresh processes, `launches(n)`: the centre of each launch's pairs goes into the
// sequential test (stats/README.md, "Launches"). It is for unlike subjects, where the ratio differs from process to
// process.

#include <perfspec/ask/procedures.hpp>
#include <perfspec/ask/question.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/drive.hpp>
#include <perfspec/judge/least_evidence.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/judge/undecided.hpp>
#include <perfspec/launch/launch_interval.hpp>
#include <perfspec/launch/take_launches.hpp>
#include <perfspec/stats/sequential/sequential.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace perfspec::detail {

void judge_launches(const question& asked, finding& found) {
    const double bound = asked.ratio_bound();
    found.bound = bound;
    const auto [settings, minimum] = limits_of_launches(asked);
    sequential test(settings);
    found.evidence.approximate = true;  // no coin decides on which side of the bound a process falls
    found.evidence.method = "centres of fresh launches, " + std::string(sequential::method);
    const std::size_t maximum = settings.max_size;
    std::vector<double> values;
    drive(test, [&, at_least = minimum](std::size_t taken) -> std::optional<double> {
        if (!allows_another_launch(asked, found, taken, at_least)) return {};
        values.push_back(std::log(take_launch(asked, found).value));
        show_progress(asked, {.done = taken + 1,
                              .most = maximum,
                              .seconds = found.evidence.seconds,
                              .is_capped = true,
                              .test = test.progress()});
        return asked.sign() * (values.back() - std::log(bound));
    });
    found.estimate = estimate_of_launches(found, values);
    conclude(asked, found, test.progress(),
             {"launches", found.evidence.seconds / static_cast<double>(test.size()), maximum, maximum});
}

const procedure centres_of_launches{"centres of fresh launches",
                                    [](const question& asked) {
                                        return is_clocked_pair(asked) && over_launches(asked) &&
                                               !needs_single_iterations(asked.query);
                                    },
                                    judge_launches};

}  // namespace perfspec::detail
