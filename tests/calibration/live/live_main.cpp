// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// perfspec_live_calibration: judges true claims, claims at their bounds and false ones on this machine, by the whole
// product with its fresh processes, and prints how often each verdict came as JSON.

#include "../calibration_program.hpp"
#include "live_workloads.hpp"

#include <perfspec/perfspec.hpp>

#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/stats/summary.hpp>

#include <CLI/CLI.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace perfspec::testing {
namespace {

/// Where the true ratio lies: the claim is true, at its bound, or false.
enum class truth : std::uint8_t { inside, at_bound, beyond };

/// `speedup(usual, changed) > bound`, and the units of the changed work.
struct live_claim {
    std::string_view name;
    std::size_t units;
    double bound;
    truth is;
};

/// The claims whose limits are in calibration/README.md, "perfspec_live_calibration".
inline constexpr std::array<live_claim, 9> live_claims{{{"unchanged > 1.00", 100, 1.00, truth::at_bound},
                                                        {"unchanged > 0.99", 100, 0.99, truth::inside},
                                                        {"unchanged > 0.98", 100, 0.98, truth::inside},
                                                        {"unchanged > 0.95", 100, 0.95, truth::inside},
                                                        {"2 % slower > 0.97", 102, 0.97, truth::inside},
                                                        {"1 % slower > 1.00", 101, 1.00, truth::beyond},
                                                        {"2 % slower > 0.99", 102, 0.99, truth::beyond},
                                                        {"5 % slower > 0.97", 105, 0.97, truth::beyond},
                                                        {"10 % slower > 0.95", 110, 0.95, truth::beyond}}};

std::string name_of(const live_workload& workload, const live_claim& claim) {
    return workload.name + " / " + std::string(claim.name);
}

record judge_key(const live_workload& workload, const live_claim& claim, const std::string& key) {
    const auto usual =
        subject("usual", [&workload, units = live_workload::usual_units] { return workload.work(units); });
    const auto changed = subject("changed", [&workload, units = claim.units] { return workload.work(units); });
    return detail::record_of(evaluate(language::speedup(usual, changed) > claim.bound, language::key(key.c_str())));
}

const char* to_string(truth t) noexcept {
    switch (t) {
    case truth::inside: return "true";
    case truth::at_bound: return "at the bound";
    case truth::beyond: return "false";
    }
    return "?";
}

/// The key of the nth evaluation of a claim on a workload.
std::string key_of(const live_workload& workload, const live_claim& claim, std::size_t nth) {
    return name_of(workload, claim) + " #" + std::to_string(nth);
}

/// Judges the claim by the whole product: calibration, rounds, sequential test, and a fresh process if violated.
record judge_live(const live_workload& workload, const live_claim& claim, std::size_t nth) {
    return judge_key(workload, claim, key_of(workload, claim, nth));
}

/// In a process that repeats a violated claim: judges the claim with this key, and does not return. Throws input_error
/// if no claim has it.
void repeat_claim(const std::vector<live_workload>& workloads, const std::string& key) {
    for (const live_workload& workload : workloads) {
        for (const live_claim& claim : live_claims) {
            if (key.starts_with(name_of(workload, claim) + " #")) (void)judge_key(workload, claim, key);
        }
    }
    throw input_error("the key \"" + key + "\" belongs to no live claim, expected one such as \"" +
                      key_of(workloads[0], live_claims[0], 0) + "\"");
}

/// Other work on the machine: threads that work for `on` and sleep for `off`, in turns.
struct live_load {
    std::string_view name;
    int threads;
    std::chrono::milliseconds on;
    std::chrono::milliseconds off;
};

/// none, short (60 ms of each 200 ms) and long (0.7 s of each 2.2 s), two threads each.
inline constexpr live_load live_loads[] = {
    {"none", 0, std::chrono::milliseconds{0}, std::chrono::milliseconds{0}},
    {"short", 2, std::chrono::milliseconds{60}, std::chrono::milliseconds{140}},
    {"long", 2, std::chrono::milliseconds{700}, std::chrono::milliseconds{1500}}};

/// The threads of a load, while it lives.
class running_load {
public:
    explicit running_load(const live_load& load) {
        for (int i = 0; i < load.threads; ++i) {
            threads_.emplace_back([load](const std::stop_token& stop) {
                while (!stop.stop_requested()) {
                    const auto until = std::chrono::steady_clock::now() + load.on;
                    std::uint64_t x = 1;
                    while (std::chrono::steady_clock::now() < until) do_not_optimize(x *= 6364136223846793005ULL);
                    std::this_thread::sleep_for(load.off);
                }
            });
        }
    }

private:
    std::vector<std::jthread> threads_;
};

/// One evaluation.
struct live_result {
    std::string workload;
    bool in_cache;
    live_claim claim;
    verdict judged;
    bool repeated;  ///< the first stage was violated
    double milliseconds;
};

using json = nlohmann::ordered_json;
using chosen = std::function<bool(const live_result&)>;

/// The one-sided upper 95 % bound of a rate of violations (Clopper and Pearson, Biometrika 1934): none in 300 runs is a
/// rate of at most 1 %.
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
        {"error", judged(verdict::error)},
        {"skipped", judged(verdict::skipped)},
        {"first_stage_violated", number([](const live_result& r) { return r.repeated; })},
        {"not_confirmed", number([](const live_result& r) { return r.repeated && r.judged == verdict::undecided; })}};
    of["violated_at_most_percent"] =
        times.empty() ? json(nullptr) : json(100 * greatest_rate(of["violated"], static_cast<double>(times.size())));
    of["median_ms"] = times.empty() ? json(nullptr) : json(median(times));
    return of;
}

/// The counts of the results as JSON: all claims of each truth together, then each claim on each workload.
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

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Judges all claims of the workload with the least time so far, again and again: slow workloads get no larger share.
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
