// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/plan/plan_text.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/report/json_lines.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {
namespace {

std::vector<std::string> arguments_for(const claim_context& context) {
    test_position where = context.position;
    // Running only this path of sections saves time. Where this process left a pass, the fresh one must run every pass,
    // or it would count other passes.
    if (!context.run.abandoned_claims_in(where.test).empty()) where.sections.clear();
    std::vector<std::string> arguments = context.framework.child_arguments(where);
    if (arguments.empty()) arguments = context.run.arguments().value_or(std::vector<std::string>{});
    const auto& extra = context.run.extra_arguments();
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    return arguments;
}

/// A child repeats the test case up to the claim, so it may take much longer than its own measurement.
std::chrono::nanoseconds time_out_for(const plan& p) { return 2 * std::max(p.cap, p.budget) + std::chrono::minutes(2); }

/// The plan for a child: it measures the same; the parent reports and stores.
std::string plan_for_child(plan p) {
    p.key.clear();  // the child finds the claim by its address; claims before it have keys of their own
    p.output.clear();
    p.update = baseline_update::none;
    p.against.clear();
    p.only.clear();
    p.trace.clear();
    return to_text(p);
}

/// Sets the heap thresholds for a steady heap, except those that the user has set.
variable_list with_steady_heap(variable_list variables) {
    for (const auto& [name, value] : steady_heap_variables) {
        const auto given = std::ranges::find(variables, name, &variable_list::value_type::first);
        if (given == variables.end()) variables.emplace_back(name, value);
    }
    return variables;
}

/// The seed of a child. Nothing is drawn where a module counts, and a request of the same length keeps its memory the
/// same.
std::uint64_t seed_of_child(const claim_context& context) {
    return module_counter_of(context) != nullptr ? context.plan.seed.value_or(1) : context.run.system().draw_seed();
}

}  // namespace

bool can_start_again(const claim_context& context) {
    if (context.run.system().start.executable.empty()) return false;
    return !context.position.test.empty() || context.run.arguments().has_value();
}

bool can_be_repeated(const claim_context& context) {
    return context.plan.confirm == confirmation::on && (context.is_child() || can_start_again(context));
}

variable_list without_new_options(variable_list variables) {
    for (const char* const name : {"PERFSPEC_AGAINST", "PERFSPEC_ONLY", "PERFSPEC_TRACE", "PERFSPEC_WITH"})
        variables = with_variable(std::move(variables), name, "");
    return variables;
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
    if (const module_counter* const by = module_counter_of(context)) by->prepare(command, context);
    return command;
}

child_evidence ask_child(const claim_context& context, child_task task) {
    const system_access& system = context.run.system();
    if (!can_start_again(context)) {
        return {
            {}, "this program cannot start itself again: call perfspec::init(argc, argv) at the start of main", 0.0};
    }
    const machine_hold hold(context);  // taken first, so the child's time-out does not include the wait for it
    const child_command command = command_of_child(context, task, system.start.executable);
    const child_end end = system.launcher.run_and_tell(command, [&](std::chrono::nanoseconds so_far) {
        show_wait(context, "a fresh process", {so_far, command.time_out});
    });
    const child_answer answer = parse_answer(end);
    if (!answer.payload) return {{}, answer.fault, end.seconds, hold.disturbed()};
    try {
        record found_there = from_json_line(*answer.payload);
        const disturbances disturbed = joined(hold.disturbed(), found_there.disturbed);
        return {std::move(found_there), {}, end.seconds, disturbed};
    } catch (const input_error& broken) { return {{}, broken.what(), end.seconds, hold.disturbed()}; }
}

/// What the fresh process makes of a violation.
inline judgement confirmed(const child_evidence& again) {
    if (!again.answer || again.answer->verdict == verdict::invalid)
        return {verdict::invalid,
                "violated here, but cannot be repeated in a fresh process: " +
                    (again.answer ? again.answer->reason : again.fault),
                {"add confirm(off) to judge in this process alone, or give the claim its own test case"},
                again.answer ? again.answer->failure : kind_of_fault(again.fault)};
    if (again.answer->verdict == verdict::violated) return {verdict::violated};
    return {verdict::undecided,
            "violated here, but a fresh process did not confirm it and found: " +
                std::string(to_string(again.answer->verdict)),
            {"the two processes differ: move the bound farther away, or judge over several launches"}};
}

claim_result confirm_violation(const claim_context& context, claim_result result) {
    const child_evidence again = knowing(result, [&] { return ask_child(context, child_task::confirm); });
    result.evidence.seconds += again.seconds;
    result.disturbed = joined(std::move(result.disturbed), again.disturbed);
    if (again.answer && again.answer->verdict != verdict::invalid)
        result.evidence.confirming_rounds = again.answer->evidence.rounds;
    return judged(std::move(result), confirmed(again));
}

}  // namespace perfspec::detail
