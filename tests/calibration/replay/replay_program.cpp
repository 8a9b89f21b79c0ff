// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "replay_program.hpp"

#include "replay.hpp"
#include "trace.hpp"

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::testing {
namespace {

enum class claim_kind : std::uint8_t { paired, p99, absolute, p99_absolute, stored, trend };

/// The command line of perfspec_replay.
struct replay_options {
    claim_kind claim = claim_kind::paired;
    std::vector<std::string> traces;  ///< files, a process each
    std::string processes;            ///< a file
    std::string workload;             ///< selects rows by the column `workload`
    std::optional<noise_kind> noise;  ///< in place of a trace
    replay_request request;
};

/// Ends the program before it begins: a text for the user, and the exit code, 0 for --help.
struct command_line_end : std::runtime_error {
    command_line_end(int code, const std::string& text) : std::runtime_error(text), exit_code(code) {}
    int exit_code;
};

constexpr int misused = 2;

const std::map<std::string, claim_kind> claims{
    {"paired", claim_kind::paired},     {"p99", claim_kind::p99},       {"p99-absolute", claim_kind::p99_absolute},
    {"absolute", claim_kind::absolute}, {"stored", claim_kind::stored}, {"trend", claim_kind::trend}};
const std::map<std::string, pair_order> orders{
    {"random", pair_order::random}, {"fixed", pair_order::one_coin}, {"alternating", pair_order::alternating}};
const std::map<std::string, noise_kind> noises{{"gauss", noise_kind::gaussian},
                                               {"ar1", noise_kind::autoregressive},
                                               {"tick", noise_kind::tick},
                                               {"cauchy", noise_kind::cauchy},
                                               {"bursts", noise_kind::drift_and_bursts}};
const std::map<std::string, second_stage> places{{"elsewhere", second_stage::elsewhere},
                                                 {"at-once", second_stage::at_once}};

const std::map<std::string, stages> stage_counts{{"one", stages::one}, {"two", stages::two}};
const std::map<std::string, process_unit> process_units{{"process", process_unit::process},
                                                        {"sample", process_unit::sample}};

template <class Value> CLI::Validator one_of(const std::map<std::string, Value>& values) {
    return CLI::CheckedTransformer(&values).description("");
}

void add_inputs(CLI::App& app, replay_options& o) {
    app.add_option("--trace", o.traces, "FILE of consecutive samples of one process; again for a further process")
        ->type_name("FILE");
    app.add_option("--processes", o.processes, "FILE of processes (stored)")->type_name("FILE");
    app.add_option("--workload", o.workload, "only the rows whose column `workload` says so")->type_name("NAME");
    app.add_option("--noise", o.noise, "synthetic samples in place of a trace: gauss, ar1, tick, cauchy or bursts")
        ->type_name("KIND")
        ->transform(one_of(noises));
}

void add_claim(CLI::App& app, replay_options& o) {
    replay_request& r = o.request;
    app.add_option(
           "--claim", o.claim,
           "paired: speedup(a, b) > BOUND. p99: p99(b) < BOUND * p99(a). absolute, p99-absolute: latency(x), p99(x) < BOUND * "
           "reference. stored: latency(x) < BOUND * baseline(). trend: a note on times that rise BOUND times, on samples")
        ->type_name("KIND")
        ->required()
        ->transform(one_of(claims));
    app.add_option("--bound", r.bound, "of the claim  [1]")->type_name("RATIO")->check(CLI::PositiveNumber);
    app.add_option("--inject", r.inject,
                   "b (paired), x (absolute), the fresh processes (stored) take so many times as long as recorded  [1]")
        ->type_name("FACTOR")
        ->check(CLI::PositiveNumber);
    app.add_option("--inject-share", r.inject_share,
                   "so many of the calls of b are injected, drawn at random (paired, p99)  [1]")
        ->type_name("FRACTION")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--level", r.level, "of the percentile, 0.5 to 0.995  [0.99]")
        ->type_name("FRACTION")
        ->check(CLI::Range(0.5, 0.995));
    app.add_option("--margin", r.margin, "how much beyond the bound is let pass  [0.005]")
        ->type_name("FRACTION")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--false-failure", r.false_failure, "rate of the claim over both stages  [0.001]")
        ->type_name("RATE")
        ->check(CLI::Range(1e-12, 0.5));
}

void add_procedure(CLI::App& app, replay_options& o) {
    replay_request& r = o.request;
    app.add_option("--replays", r.replays, "how often the claim is judged  [2000]")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--budget-pairs", r.budget_pairs,
                   "most pairs of a stage; most samples of a trend  [paired: 500, p99: 20000]")
        ->type_name("N")
        ->check(CLI::Range(10, 100000));
    app.add_option("--budget-ms", r.budget_ms, "time of a stage (absolute, p99-absolute)  [1000]")
        ->type_name("MS")
        ->check(CLI::Range(100.0, 120000.0));
    app.add_option(
           "--order", r.order,
           "random: a coin for each pair, processes drawn from all. fixed: A B A B, processes in a row. alternating: A B B A  [random]")
        ->type_name("ORDER")
        ->transform(one_of(orders));
    app.add_option("--stages", r.confirm,
                   "two: a violated claim is looked at again. one: it is not, and has the whole rate  [two]")
        ->type_name("STAGES")
        ->transform(one_of(stage_counts));
    app.add_option("--second-stage", r.again,
                   "elsewhere: in another process. at-once: in the same one, 0.1 s later (absolute)  [elsewhere]")
        ->type_name("PLACE")
        ->transform(one_of(places));
    app.add_option("--stored", r.stored, "processes of the baseline, 10 to 40  [10]")
        ->type_name("N")
        ->check(CLI::Range(stored_rank_test::min_stored, stored_rank_test::max_stored));
    app.add_option(
           "--unit", r.unit,
           "process: medians of processes. sample: samples of one process as if they were processes (stored)  [process]")
        ->type_name("UNIT")
        ->transform(one_of(process_units));
    app.add_option("--seed", r.seed, "the same seed gives the same figures  [20]")->type_name("N");
}

[[noreturn]] void refuse(const std::string& text) {
    throw command_line_end(misused, text + "\n  perfspec_replay --help\n");
}

/// Throws if the inputs do not fit the claim.
void require_inputs(const replay_options& o) {
    const bool is_stored = o.claim == claim_kind::stored;
    if (is_stored && o.processes.empty())
        refuse("--claim stored: found no --processes, needs one such as --processes launches_q.csv");
    if (is_stored && (!o.traces.empty() || o.noise))
        refuse("--claim stored: found --trace or --noise, needs --processes alone");
    if (is_stored) return;
    if (!o.processes.empty()) refuse("--processes: found with another claim, needs --claim stored");
    if (o.traces.empty() == !o.noise)
        refuse("--trace: found neither or both of --trace and --noise, needs one such as --trace samples_q_arith.csv");
    const bool is_absolute = o.claim == claim_kind::absolute || o.claim == claim_kind::p99_absolute;
    if (is_absolute && o.noise) refuse("--noise: found with an absolute claim, needs --claim paired or p99");
    if (o.claim == claim_kind::p99 && o.noise == noise_kind::cauchy)
        refuse(
            "--noise cauchy: found with --claim p99, needs gauss, ar1, tick or bursts: no clock shows times so far apart");
}

/// Arguments without the program's name. Throws command_line_end.
replay_options parse_replay_options(std::vector<std::string> arguments) {
    replay_options o;
    CLI::App app(
        "Judges a claim over and over under recorded noise, by perfspec's own statistics, and prints how often it was found violated,\n"
        "holding or undecided, as JSON. Wrong input: exit code 2, and nothing on standard output.",
        "perfspec_replay");
    app.set_help_flag("--help", "this text");
    add_claim(app, o);
    add_inputs(app, o);
    add_procedure(app, o);
    try {
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 expects them
        app.parse(arguments);
    } catch (const CLI::CallForHelp&) { throw command_line_end(0, app.help()); } catch (const CLI::ParseError& e) {
        refuse(e.what());
    }
    require_inputs(o);
    if (o.claim == claim_kind::p99 && app.count("--budget-pairs") == 0)
        o.request.budget_pairs = sequential_settings::for_percentile_pairs().max_size;
    return o;
}

using json = nlohmann::ordered_json;

json fractions(std::span<const run_result> runs, decision run_result::*stage) {
    const auto of = [&](decision d) {
        return static_cast<double>(
                   std::count_if(runs.begin(), runs.end(), [&](const run_result& r) { return r.*stage == d; })) /
               static_cast<double>(runs.size());
    };
    return {{"violated", of(decision::violated)}, {"holds", of(decision::holds)}, {"undecided", of(decision::none)}};
}

/// Of the runs with that verdict, or of all runs.
template <class Cost>
json quantiles(std::span<const run_result> runs, Cost run_result::*cost, std::optional<decision> verdict) {
    std::vector<double> values;
    for (const run_result& r : runs)
        if (!verdict || r.confirmed == *verdict) values.push_back(static_cast<double>(r.*cost));
    if (values.empty()) return nullptr;
    std::sort(values.begin(), values.end());
    json q;
    for (const auto& [name, p] : {std::pair{"p10", 0.1}, {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}})
        q[name] = quantile_of_sorted(values, p);
    q["max"] = values.back();
    return q;
}

template <class Cost> json costs(std::span<const run_result> runs, Cost run_result::*cost) {
    return {{"all", quantiles(runs, cost, std::nullopt)},
            {"holds", quantiles(runs, cost, decision::holds)},
            {"violated", quantiles(runs, cost, decision::violated)}};
}

/// The shares of intervals that contain the long-run value, and the bound; null without intervals.
json figures(std::span<const run_result> runs) {
    const auto count = [&](bool figure_check::*what) {
        return std::count_if(runs.begin(), runs.end(), [&](const run_result& r) { return r.figure.*what; });
    };
    const auto all = static_cast<double>(count(&figure_check::has_interval));
    if (all == 0) return nullptr;
    return {{"intervals", all},
            {"cover", static_cast<double>(count(&figure_check::covers)) / all},
            {"contradict", static_cast<double>(count(&figure_check::contradicts)) / all}};
}

/// The results of many runs as JSON: {first_stage, confirmed: {violated, holds, undecided} as fractions of the runs;
/// `units` and milliseconds: quantiles of both stages together over all runs, those that hold, those that are violated
/// (confirmed), null for none}.
///
/// units: pairs, blocks or processes. Precondition: at least one run.
std::string report_of(std::span<const run_result> runs, const std::string& units) {
    const json report{{"replays", runs.size()},
                      {"first_stage", fractions(runs, &run_result::first_stage)},
                      {"confirmed", fractions(runs, &run_result::confirmed)},
                      {"figures", figures(runs)},
                      {units, costs(runs, &run_result::units)},
                      {"milliseconds", costs(runs, &run_result::milliseconds)}};
    return report.dump(2);
}

std::vector<double> times_of(const trace& from, const std::string& workload) {
    if (from.has("workload")) return times_of_workload(from, "wall_ns", workload);
    if (!workload.empty())
        throw input_error(from.name() + ":1: column workload: is not there, needs it for --workload " + workload);
    return from.times("wall_ns");
}

recorded_baselines processes_of(const replay_options& o) {
    const trace from(o.processes);
    const auto times = from.times("wall_ns");
    const auto names = from.words("launch");
    const auto workloads =
        from.has("workload") ? from.words("workload") : std::vector<std::string>(names.size(), o.workload);
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> samples;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (workloads[i] != o.workload) continue;
        if (samples[names[i]].empty()) order.push_back(names[i]);
        samples[names[i]].push_back(times[i]);
    }
    if (samples.empty()) (void)times_of(from, o.workload);  // throws with the names of the workloads
    recorded_baselines processes;
    for (const std::string& name : order) {
        const auto& values = samples[name];
        processes.push_back({median(values), values});
    }
    return processes;
}

std::vector<recorded_process> recorded_processes_of(const replay_options& o) {
    std::vector<recorded_process> processes;
    for (const std::string& file : o.traces) {
        const trace from(file);
        if (from.has("launch"))
            throw input_error(
                file + ":1: column launch: found many processes in one trace, needs --claim stored --processes " +
                file);
        processes.push_back(settled(times_of(from, o.workload)));
    }
    return processes;
}

slot_source slots_of(const replay_options& o) {
    if (o.noise) return synthetic_slots(*o.noise, o.request);
    return recorded_slots(recorded_processes_of(o), o.request);
}

std::string absolute(const replay_options& o) {
    const auto processes = recorded_processes_of(o);
    return report_of(replay_absolute(processes, reference_of(processes), o.request), "blocks");
}

std::string absolute_percentile(const replay_options& o) {
    const auto processes = recorded_processes_of(o);
    const double reference_ns = percentile_reference_of(processes, o.request.level);
    return report_of(replay_percentile(processes, reference_ns, o.request), "blocks");
}

std::string replayed(const replay_options& o) {
    switch (o.claim) {
    case claim_kind::absolute: return absolute(o);
    case claim_kind::p99_absolute: return absolute_percentile(o);
    case claim_kind::stored: return report_of(replay_stored(processes_of(o), o.request), "processes");
    case claim_kind::p99: return report_of(replay_percentile_paired(slots_of(o), o.request), "pairs");
    case claim_kind::trend: return report_of(replay_trend(slots_of(o), o.request), "samples");
    case claim_kind::paired: break;
    }
    return report_of(replay_paired(slots_of(o), o.request), "pairs");
}

}  // namespace

int replay_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
    try {
        out << replayed(parse_replay_options(arguments)) << '\n';
        return 0;
    } catch (const command_line_end& end) {
        (end.exit_code == 0 ? out : err) << end.what();
        return end.exit_code;
    } catch (const input_error& e) { err << e.what() << '\n'; } catch (const measurement_failure& e) {
        err << e.what() << '\n';
    }
    return 2;
}

}  // namespace perfspec::testing
