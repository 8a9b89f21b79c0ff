// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/format.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/outlook.hpp>

#include <cmath>
#include <string>

namespace perfspec::detail {

void explain_undecided(evaluation& e, const sequential& test, double seconds_a_unit, const char* unit) {
    const std::string spent = std::to_string(test.size()) + " " + unit + " in " + format_seconds(e.out.evidence.seconds * 1e9);
    set_verdict(e, verdict::undecided, spent + " show neither that the claim holds nor that it is violated");
    const outlook ahead = extrapolate(test);
    if (ahead.toward != decision::none && !test.exhausted()) {
        const double seconds = e.out.evidence.seconds + static_cast<double>(ahead.further) * seconds_a_unit;
        e.out.advice.push_back("about " + std::to_string(ahead.further) + " more " + unit + " would decide it: budget(" +
                               std::to_string(static_cast<long>(std::ceil(seconds * 1.5))) + "s)");
    } else {
        e.out.advice.emplace_back(
            "more time will not resolve this bound here: the measured value is too close to it for this machine's noise");
    }
    if (!e.out.measured || !e.out.bound || !(e.out.measured->centre > 0.0)) return;
    const double centre = std::log(e.out.measured->centre);
    const double noise = std::max(std::log(e.out.measured->high) - centre, centre - std::log(e.out.measured->low));
    if (std::isfinite(noise) && noise > 0.0) {
        e.out.advice.push_back("a bound " + format_value(100.0 * std::expm1(noise), dimension::ratio) + " % away from " +
                               format_value(e.out.measured->centre, e.out.unit) + " can be told from it with what was measured");
    }
}

}  // namespace perfspec::detail
