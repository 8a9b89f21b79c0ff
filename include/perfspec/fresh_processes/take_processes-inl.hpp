// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {
namespace {

std::vector<std::string> arguments_for(const claim_context& context) {
    test_position where = context.position;
    // Running only this path of sections saves time. If this process left a pass early, the fresh one must run every
    // pass, or it would count passes differently.
    if (!context.run.abandoned_claims_in(where.test).empty()) where.sections.clear();
    std::vector<std::string> arguments = context.framework.child_arguments(where);
    if (arguments.empty()) arguments = context.run.arguments().value_or(std::vector<std::string>{});
    const auto& extra = context.run.extra_arguments();
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    return arguments;
}

/// A child repeats the test case up to the claim, so it may take much longer than its own measurement.
std::chrono::nanoseconds time_out_for(const plan& p) { return 2 * std::max(p.cap, p.budget) + std::chrono::minutes(2); }

/// The plan for a child, which measures; the parent reports and stores.
plan_message plan_for_child(plan p) {
    p.key.clear();  // the child finds the claim by its address; claims before it have keys of their own
    p.output.clear();
    p.update = baseline_update::none;
    p.baseline_build.clear();
    p.only.clear();
    p.trace.clear();
    return message_of(p);
}

/// The environment without options that a build of an older version would refuse.
variable_list without_new_options(variable_list variables) {
    for (const char* const name : {"PERFSPEC_BASELINE_BUILD", "PERFSPEC_ONLY", "PERFSPEC_TRACE", "PERFSPEC_WITH"})
        variables = with_variable(std::move(variables), name, "");
    return variables;
}

/// Sets the heap thresholds for a steady heap, except those that the user has set.
variable_list with_steady_heap(variable_list variables) {
    for (const auto& [name, value] : steady_heap_variables) {
        const auto found = std::ranges::find(variables, name, &variable_list::value_type::first);
        if (found == variables.end()) variables.emplace_back(name, value);
    }
    return variables;
}

/// The seed of a child. Fixed if a module counts: then requests have the same length, and the child's memory is the
/// same.
std::uint64_t seed_of_child(const claim_context& context) {
    return traits_of(context.query.metric).from == reading::module ? context.plan.seed.value_or(1)
                                                                   : context.run.system().draw_seed();
}

}  // namespace

bool can_start_again(const claim_context& context) {
    if (context.run.system().start.executable.empty()) return false;
    return !context.position.test.empty() || context.run.arguments().has_value();
}

child_command command_of_child(const claim_context& context, child_task task, const std::string& executable) {
    const system_access& system = context.run.system();
    child_request request{.address = {context.key, context.occurrence},
                          .task = task,
                          .seed = seed_of_child(context),
                          .plan = plan_for_child(context.plan)};
    request.side = context.side;
    if (task == child_task::confirm) request.end = context.end;
    request.abandoned_claims = context.run.abandoned_claims_in(context.position.test);
    variable_list environment = without_new_options(child_environment(system.start.environment, request));
    if (traits_of(context.query.metric).from == reading::peak_of_first_run)
        environment = with_steady_heap(std::move(environment));
    child_command command{.executable = executable,
                          .arguments = arguments_for(context),
                          .environment = std::move(environment),
                          .working_directory = system.start.working_directory,
                          .time_out = time_out_for(context.plan)};
    if (const module_metric* const module = module_of(context.query)) module->prepare(command, context);
    return command;
}

child_evidence run_child_process(const claim_context& context, child_task task) {
    const system_access& system = context.run.system();
    if (!can_start_again(context)) {
        return {.answer = {},
                .fault =
                    "this program cannot start itself again: call perfspec::init(argc, argv) at the start of main"};
    }
    const machine_guard lock(context);  // first, so the child's time-out excludes the wait for the lock
    const child_command command = command_of_child(context, task, system.start.executable);
    const child_end end = system.launcher.run(command, [&](std::chrono::nanoseconds so_far) {
        context.run.status().wait("a fresh process measures " + context.text, {so_far, command.time_out});
    });
    const child_answer answer = parse_answer(end);
    evidence_counts spent{.seconds = end.seconds};
    if (!answer.payload) return {{}, answer.fault, answer.kind, spent, lock.disturbed()};
    try {
        auto [kind, answered] = read_json_line(*answer.payload);
        if (kind != json_line_kind::result)
            throw input_error(
                "a fresh process sent the line \"started\" instead of its result: let bodies write only to descriptors "
                "that they opened");
        const disturbances disturbed = joined(lock.disturbed(), answered.disturbed);
        spent.starting_seconds = std::max(end.seconds - answered.evidence.measuring_seconds(), 0.0);
        return {.answer = std::move(answered), .fault = {}, .spent = spent, .disturbed = disturbed};
    } catch (const input_error& broken) {
        return {.answer = {}, .fault = broken.what(), .spent = spent, .disturbed = lock.disturbed()};
    }
}

inline bool process_values_are_times(const claim_context& context) {
    const metric_kind m = context.query.metric;
    return unit_of_samples(context) == dimension::time && !needs_fresh_process(m) && !reports_own_value(m) &&
           traits_of(m).from != reading::sizes;
}

/// Without the waiting for a processor, as the value of a process.
inline double shortest_call_ns(const claim_context& context, const subject& x) {
    constexpr int calls = 3;
    const clocks time = clocks_for(context, metrics::latency);
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < calls; ++i)
        shortest =
            std::min(shortest, take_metered_sample(x, 1, warm_call::yes, time, metered_waiting::none).working().ns);
    return shortest;
}

inline bool takes_much_longer(double ns, double process_ns) {
    constexpr double factor = 3.0;
    constexpr double negligible_ns = 10'000.0;
    return ns > factor * process_ns && ns - process_ns > negligible_ns;
}

/// Whether a fresh process takes about as long as this one if it first runs the bodies of the assertions before this
/// one. If not, what other tests left in this process makes it slower, and the processes are right.
inline bool needs_bodies_before(const claim_context& context, std::size_t subject, double local_ns) {
    const child_evidence child = run_child_process(context, child_task::measure_later);
    return child.answer && subject < child.answer->subjects.size() &&
           !takes_much_longer(local_ns, child.answer->subjects[subject].median);
}

/// Compares a fresh process with calls in this one. Throws measurement_failure if these take much longer because of the
/// assertions before this one. Returns their disturbances.
inline disturbances compare_with_local_calls(const claim_context& context, const process_result& process) {
    if (!context.run.has_measured_before() || !process_values_are_times(context)) return {};
    const machine_scope machine(context);
    for (std::size_t i = 0; i < std::min(context.subjects.size(), process.answer.subjects.size()); ++i) {
        const double process_ns = process.answer.subjects[i].median;
        const double local_ns = shortest_call_ns(context, context.subjects[i]);
        if (!takes_much_longer(local_ns, process_ns) || !needs_bodies_before(context, i, local_ns)) continue;
        throw measurement_failure(
            failure_kind::worker_failed,
            "a call of \"" + context.names.at(i) + "\" takes " + format_seconds(local_ns) + " here and " +
                format_seconds(process_ns) +
                " in a fresh process. The fresh process skips the assertions before this one, so what they or their "
                "bodies create is missing there: create it before the first assertion, or " +
                context.framework.words().in_setup);
    }
    return machine.disturbed();
}

/// The quartiles, p90 and p99 of the query's values in one process, in rising order. A ratio's last summary is that of
/// the pairs. A rate's upper quantiles come from its short times.
inline std::tuple<double, double, double, double> quantiles_of(const claim_context& context, const sample_summary& s) {
    if (!is_rate(context.query.metric) || s.unit == dimension::ratio) return {s.q1, s.q3, s.p90, s.p99};
    const std::vector<double> times = s.strip.empty() ? std::vector{s.minimum, s.q1, s.median, s.q3} : s.strip;
    const auto rate = [&](double p) { return value_from_time(context, quantile_of_sorted(times, 1.0 - p)); };
    return {rate(0.25), rate(0.75), rate(0.9), rate(0.99)};
}

/// A process in its stored form, made from the fresh process's record.
inline stored_process process_from(const claim_context& context, const record& answer,
                                   const std::string& recording_session) {
    stored_process l;
    l.value = answer.estimate->value;
    l.time = answer.time;
    l.commit = context.run.origin().commit;
    l.run = context.run.origin().run_id;
    l.recording_session = recording_session;
    l.samples = answer.evidence.rounds;
    l.processor_ns = answer.evidence.processor_ns;
    if (answer.subjects.empty()) return l;
    l.iterations = answer.subjects.front().iterations;
    std::tie(l.q1, l.q3, l.p90, l.p99) = quantiles_of(context, answer.subjects.back());
    return l;
}

/// Why a fresh process measured nothing: its own reason, otherwise the way it ended.
inline failure_kind kind_of(const child_evidence& child) {
    if (!child.answer) return child.kind;
    if (child.answer->verdict == verdict::skipped) return failure_kind::unavailable;
    return child.answer->failure.value_or(failure_kind::worker_failed);
}

process_series& processes_of(const claim_context& context) {
    return context.samples->processes[static_cast<std::size_t>(context.side)];
}

/// The processes of this claim; empty unless one side of its tolerance was judged.
inline process_series& series_of_processes(const claim_context& context) {
    process_series& series = processes_of(context);
    if (series.recording_session.empty())
        series.recording_session = context.time + "/" + std::to_string(context.run.system().draw_seed());
    return series;
}

bool takes_wall_time(const claim_context& context) {
    const reading from = traits_of(context.query.metric).from;
    return from == reading::wall_clock || from == reading::first_run;
}

double usual_waiting(const claim_context& context, const claim_result& result) {
    if (!takes_wall_time(context)) return 1.0;
    return usual_of_processes(context, result, [](const process_result& l) {
        constexpr double least_share = 1e-6;
        return 1.0 / std::max(l.answer.disturbed.working_share, least_share);
    });
}

std::string waiting_text(double factor) {
    constexpr double unknown = 1000.0;
    const std::string what = "waiting for a processor may explain that: ";
    if (factor >= unknown) return what + "how long its threads waited is not known";
    return what + fmt::format("without this waiting it may be {:.2g} times shorter", factor);
}

disturbances usual_disturbances(const claim_context& context, const claim_result& result) {
    disturbances usual = result.disturbed;
    usual.others_cores =
        usual_of_processes(context, result, [](const process_result& l) { return l.answer.disturbed.others_cores; });
    return usual;
}

/// The disturbances of one process. It counts as lengthened or on a slow device only if that makes its value larger.
inline disturbances disturbances_of(const claim_context& context, const process_result& process) {
    const reading from = traits_of(context.query.metric).from;
    const bool is_wall_time = takes_wall_time(context);
    disturbances counted;
    const disturbances& reported = process.answer.disturbed;
    counted.runnable = reported.runnable;
    counted.cores = reported.cores;
    constexpr double nearly_all = 0.9;
    counted.lengthened = is_wall_time && reported.working_share < nearly_all ? 1 : 0;
    counted.slowed_device = (is_wall_time || from == reading::call) && slowdown_of(reported.devices) > 1.0 ? 1 : 0;
    counted.devices = reported.devices;
    return counted;
}

process_result process_source::process_once(const claim_context& context) {
    const child_evidence child = run_child_process(context, child_task::measure);
    totals_.evidence.add_time(child.spent);
    totals_.disturbed = joined(std::move(totals_.disturbed), child.disturbed);
    if (!child.answer || child.answer->verdict == verdict::error || !child.answer->estimate) {
        throw measurement_failure(kind_of(child), "a fresh process could not be measured: " +
                                                      (child.answer ? child.answer->reason : child.fault));
    }
    append(totals_.notes, notes_of_process(context, *child.answer));
    if (totals_.workers.empty()) totals_.workers = child.answer->workers;
    return {process_from(context, *child.answer, processes_of(context).recording_session), *child.answer, child.spent};
}

const process_result& process_source::next(compared_side side) {
    claim_context context = context_;
    context.side = side;
    process_series& series = series_of_processes(context);
    const std::size_t index = counts_[static_cast<std::size_t>(side)];
    if (index == series.processes.size()) {
        process_result fresh = process_once(context);
        const disturbances calls = index == 0 ? compare_with_local_calls(context, fresh) : disturbances{};
        totals_.disturbed = joined(std::move(totals_.disturbed), calls);
        series.processes.push_back(std::move(fresh));
    } else {
        totals_.evidence.add_time(series.processes[index].spent);
    }
    ++counts_[static_cast<std::size_t>(side)];
    const process_result& process = series.processes[index];
    disturbances added = disturbances_of(context, process);
    added.lengthened += totals_.disturbed.lengthened;  // `joined` takes the larger number
    added.slowed_device += totals_.disturbed.slowed_device;
    totals_.disturbed = joined(std::move(totals_.disturbed), added);
    totals_.subjects = process.answer.subjects;
    totals_.evidence.processes += 1;
    totals_.evidence.rounds += process.answer.evidence.rounds;
    return process;
}

std::span<const process_result> process_source::processes() const {
    return std::span(processes_of(context_).processes).first(counts_[static_cast<std::size_t>(context_.side)]);
}

bool is_patient(const process_source& processes) {
    return processes.seconds() < std::chrono::duration<double>(patience_for_processes).count();
}

std::vector<stored_process> take_processes(const claim_context& context, process_source& from,
                                           const process_range& range) {
    std::vector<stored_process> processes;
    while (processes.size() < range.minimum || (processes.size() < range.maximum && is_patient(from))) {
        processes.push_back(from.next().process);
        const double least =
            from.seconds() * static_cast<double>(range.minimum) / static_cast<double>(processes.size());
        const double patience = std::chrono::duration<double>(patience_for_processes).count();
        show_progress(context, {.done = processes.size(),
                                .most = range.maximum,
                                .seconds = from.seconds(),
                                .longest = std::max(least, patience)});
    }
    return processes;
}

}  // namespace perfspec::inline v0_2::detail
