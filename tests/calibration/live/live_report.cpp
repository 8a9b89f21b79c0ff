// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "live_report.hpp"

#include <perfspec/stats/summary.hpp>

#include <boost/math/distributions/binomial.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace perfspec::testing {
namespace {

using json = nlohmann::ordered_json;
using chosen = std::function<bool(const live_result&)>;

/// The greatest rate that so many violations in so many runs do not exclude at 95 %, one-sided (Clopper and Pearson,
/// Biometrika 1934): none in 300 runs is a rate of at most 1 %.
double greatest_rate(double violated, double runs) {
    return boost::math::binomial_distribution<>::find_upper_bound_on_p(runs, violated, 0.05);
}

json counts(const std::vector<live_result>& results, const chosen& is_chosen) {
    const auto number = [&](const chosen& also) {
        return std::ranges::count_if(results, [&](const live_result& r) { return is_chosen(r) && also(r); });
    };
    const auto judged = [&](verdict v) { return number([v](const live_result& r) { return r.judged == v; }); };
    std::vector<double> times;
    for (const live_result& r : results)
        if (is_chosen(r)) times.push_back(r.milliseconds);
    json of{
        {"runs", times.size()},
        {"violated", judged(verdict::violated)},
        {"holds", judged(verdict::holds)},
        {"undecided", judged(verdict::undecided)},
        {"invalid", judged(verdict::invalid)},
        {"not_judged", judged(verdict::not_judged)},
        {"first_stage_violated", number([](const live_result& r) { return r.repeated; })},
        {"not_confirmed", number([](const live_result& r) { return r.repeated && r.judged == verdict::undecided; })}};
    of["violated_at_most_percent"] =
        times.empty() ? json(nullptr) : json(100 * greatest_rate(of["violated"], static_cast<double>(times.size())));
    of["median_ms"] = times.empty() ? json(nullptr) : json(median(times));
    return of;
}

}  // namespace

std::string live_report(const std::vector<live_result>& results, const std::string& load, double seconds,
                        double machine_load) {
    json report{{"load", load}, {"seconds", seconds}, {"machine_load_average", machine_load}};
    for (const truth t : {truth::inside, truth::at_bound, truth::beyond}) {
        json& of = report["claims"][to_string(t)];
        of["all"] = counts(results, [t](const live_result& r) { return r.claim.is == t; });
        of["in_cache"] = counts(results, [t](const live_result& r) { return r.claim.is == t && r.in_cache; });
    }
    for (const live_workload& workload : live_workloads()) {
        for (const live_claim& claim : live_claims) {
            report["each"][workload.name][std::string(claim.name)] = counts(results, [&](const live_result& r) {
                return r.workload == workload.name && r.claim.name == claim.name;
            });
        }
    }
    return report.dump(2);
}

}  // namespace perfspec::testing
