// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The dry run: it finds the method that would judge a claim, and estimates the cost from one call of each body.

#include <perfspec/ask/cost.hpp>
#include <perfspec/ask/procedure.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Of a subject in another process it is the second call: the first one starts that process, and may compile.
inline double time_one_call(const question& asked, const subject& s) {
    clock& wall = asked.context.around().wall;
    const bodies_run_scope running(asked);
    if (!s.state().remote.empty()) run_untimed(s, 1);
    const std::int64_t started = wall.now();
    run_untimed(s, 1);
    return static_cast<double>(wall.now() - started);
}

/// The wall time of one call of each subject's body. A subject of several claims is called only once, unless its body threw.
inline std::vector<double> call_once(const question& asked) {
    std::map<std::uint64_t, double>& known = asked.context.called_ns();
    std::vector<double> calls_ns;
    for (const subject& s : asked.subjects) {
        const std::uint64_t id = s.state().id;
        if (!known.contains(id)) {
            const double call_ns = time_one_call(asked, s);
            known.emplace(id, call_ns);
        }
        calls_ns.push_back(known.at(id));
    }
    return calls_ns;
}

void estimate_cost(const question& asked, finding& found, const std::string& reason) {
    note_request(asked, found);
    claim_cost& total = found.cost.emplace();
    // Calls only the bodies that the run would call: none of a claim that an update skips.
    const bool measures = asked.plan.mode == evaluation_mode::measure && (reason.empty() || asked.plan.update == baseline_update::none);
    const bool calls = measures || asked.plan.mode == evaluation_mode::smoke;
    const unit_costs unit(asked, calls ? call_once(asked) : std::vector<double>{});
    if (reason.empty()) {
        const procedure& by = procedure_for(asked);
        total.method = by.method;
        by.estimate_cost(asked, unit, total);
        const std::string left_out = total.max_seconds > 0.0 ? left_out_of_estimate(asked) : "";
        total.amount += total.amount.empty() && !left_out.empty() ? left_out.substr(2) : left_out;  // it begins with a comma
    } else {
        total.method = "no judging: " + reason;
        set_cost(total, unit.all_calls_ns(), unit.all_calls_ns());
    }
    set_verdict(found, verdict::not_judged, "dry run");
}

}  // namespace perfspec::detail
