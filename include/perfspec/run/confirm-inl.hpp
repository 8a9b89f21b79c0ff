// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/peak_memory.hpp>
#include <perfspec/plan/plan_text.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/measuring.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace perfspec::detail {
namespace {

std::vector<std::string> arguments_for(const evaluation& e) {
    test_position where = e.position;
    // Sections save time. Where this process left a pass, the fresh one must see every pass, or it would count other ones.
    if (!e.context.departures_from(where.test).empty()) where.sections.clear();
    std::vector<std::string> arguments = e.framework.child_arguments(where);
    if (arguments.empty()) arguments = e.context.arguments().value_or(std::vector<std::string>{});
    const auto& extra = e.context.extra_arguments();
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    return arguments;
}

/// A child repeats what the test case does before the claim, so that it may take much longer than its own measuring.
std::chrono::nanoseconds time_out_for(const plan& p) { return 2 * std::max(p.cap, p.budget) + std::chrono::minutes(2); }

/// The plan for a child: what to measure is the same; the parent reports and keeps.
std::string plan_for_child(plan p) {
    p.output.clear();
    p.update = baseline_update::none;
    p.against.clear();
    p.only.clear();
    p.trace.clear();
    return to_text(p);
}

/// Thresholds of the heap that the user gives stay as they are given.
variable_list with_steady_heap(variable_list variables) {
    for (const auto& [name, value] : steady_heap_variables) {
        const auto given = std::ranges::find(variables, name, &variable_list::value_type::first);
        if (given == variables.end()) variables.emplace_back(name, value);
    }
    return variables;
}

}  // namespace

bool can_start_again(const evaluation& e) {
    if (e.context.around().start.executable.empty()) return false;
    return !e.position.test.empty() || e.context.arguments().has_value();
}

bool can_be_repeated(const evaluation& e) { return e.plan.confirm == confirmation::on && (e.is_child() || can_start_again(e)); }

child_command command_of_child(const evaluation& e, child_task task, const std::string& executable) {
    const surroundings& around = e.context.around();
    child_request request{.address = {e.out.key, e.occurrence}, .task = task, .seed = around.draw_seed(), .plan = plan_for_child(e.plan)};
    if (e.side != 0) request.side = compared_side::second;
    if (e.judged_side && task == child_task::confirm) request.end = e.judged_side->end;
    request.departures = e.context.departures_from(e.position.test);
    auto environment = child_environment(around.start.environment, request);
    // A build that does not know the options would refuse them.
    for (const char* const name : {"PERFSPEC_AGAINST", "PERFSPEC_ONLY", "PERFSPEC_DRY_RUN", "PERFSPEC_TRACE"})
        environment = with_variable(std::move(environment), name, "");
    if (e.query().measured == metric_kind::peak_memory) environment = with_steady_heap(std::move(environment));
    return {.executable = executable,
            .arguments = arguments_for(e),
            .environment = std::move(environment),
            .working_directory = around.start.working_directory,
            .time_out = time_out_for(e.plan)};
}

child_evidence ask_child(evaluation& e, child_task task) {
    const surroundings& around = e.context.around();
    if (!can_start_again(e)) {
        return {{}, "this program cannot be started again for it: call perfspec::init(argc, argv) at the start of main", 0.0};
    }
    const machine_hold hold(e);  // before the child's time runs
    const child_end end = around.launcher.run(command_of_child(e, task, around.start.executable));
    const child_answer answer = parse_answer(end);
    if (!answer.payload) return {{}, answer.fault, end.seconds};
    try {
        return {from_json_line(*answer.payload), {}, end.seconds};
    } catch (const input_error& broken) { return {{}, broken.what(), end.seconds}; }
}

void add_disturbances(evaluation& e, const disturbances& part) {
    disturbances& all = e.out.disturbed;
    all.load = std::max(all.load, part.load);
    all.cores = std::max(all.cores, part.cores);
    all.runnable = std::max(all.runnable, part.runnable);
    all.steal_seconds += part.steal_seconds;
    all.involuntary_switches += part.involuntary_switches;
    all.page_faults += part.page_faults;
    all.migrations += part.migrations;
    if (std::abs(part.frequency_change) >= std::abs(all.frequency_change)) {
        all.frequency_change = part.frequency_change;
        all.frequency_mhz = part.frequency_mhz;
    }
    for (const std::string& note : part.notes)
        if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
}

void confirm_violation(evaluation& e) {
    const child_evidence again = ask_child(e, child_task::confirm);
    e.out.evidence.seconds += again.seconds;
    if (again.answer) add_disturbances(e, again.answer->disturbed);
    if (!again.answer || again.answer->verdict == verdict::invalid) {
        const std::string why = again.answer ? again.answer->reason : again.fault;
        set_verdict(e, verdict::invalid, "violated here, and cannot be repeated in a fresh process: " + why);
        e.out.advice.emplace_back("add confirm(off) to judge in this process alone, or give the claim a test case of its own");
        return;
    }
    e.out.evidence.confirming_rounds = again.answer->evidence.rounds;
    if (again.answer->verdict == verdict::violated) return;
    set_verdict(e, verdict::undecided,
                "violated here, not confirmed by a fresh process, which found: " + std::string(to_string(again.answer->verdict)));
    e.out.advice.emplace_back("the two processes differ: leave more distance to the bound, or judge over several launches");
}

}  // namespace perfspec::detail
