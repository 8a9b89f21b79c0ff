// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// perfspec_live_calibration: judges true claims, claims at their bounds and false ones on this machine, by the whole
// product with its fresh processes, and prints how often each verdict came as JSON.

#include "../calibration_program.hpp"
#include "live_claims.hpp"
#include "live_load.hpp"
#include "live_report.hpp"

#include <perfspec/perfspec.hpp>

#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/session/program.hpp>
#include <perfspec/session/session.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>

namespace perfspec::testing {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// All claims of one workload in turn, always of the workload that has had the least time: slow ones do not crowd out
/// the others.
std::vector<live_result> judge_for(double seconds, const std::vector<live_workload>& workloads) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<double> spent(workloads.size());
    std::vector<std::size_t> turns(workloads.size());
    std::vector<live_result> results;
    while (milliseconds_since(begin) < 1e3 * seconds) {
        const auto next = static_cast<std::size_t>(std::ranges::min_element(spent) - spent.begin());
        const live_workload& workload = workloads[next];
        for (const live_claim& claim : live_claims) {
            const auto start = std::chrono::steady_clock::now();
            const record r = judge_live(workload, claim, turns[next]);
            const double took = milliseconds_since(start);
            spent[next] += took;
            results.push_back(
                {workload.name, workload.in_cache, claim, r.verdict, r.evidence.confirming_rounds > 0, took});
        }
        ++turns[next];
    }
    return results;
}

const live_load& load_called(const std::string& name) { return *std::ranges::find(live_loads, name, &live_load::name); }

int live_calibration(int argc, char** argv) {
    double seconds = 60.0;
    std::string load = "none";
    CLI::App app(
        "Judges claims that are true, at their bounds and false, on this machine and under a load of its own, and prints the counts of\n"
        "verdicts as JSON. Nothing else should run meanwhile.",
        "perfspec_live_calibration");
    app.add_option("--seconds", seconds, "how long  [60]")->type_name("N")->check(CLI::Range(1.0, 86400.0));
    app.add_option("--load", load, "none; short: two threads busy for 60 of 200 ms; long: for 0.7 of 2.2 s  [none]")
        ->type_name("KIND")
        ->check(CLI::IsMember({"none", "short", "long"}));
    if (const auto code = exit_code_of_command_line(app, argc, argv)) return *code;
    init(argc, argv);
    const auto workloads = live_workloads();
    if (const auto& child = this_session().child()) repeat_claim(workloads, child->address.key);
    const running_load busy(load_called(load));
    const auto results = judge_for(seconds, workloads);
    std::cout << live_report(results, load, seconds, read_machine_counters().load) << '\n';
    return 0;
}

}  // namespace
}  // namespace perfspec::testing

int main(int argc, char** argv) {
    return perfspec::testing::run_calibration_program("perfspec_live_calibration", perfspec::testing::live_calibration,
                                                      argc, argv);
}
