// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// trace=DIR: what a violated claim's subjects spend their time in, recorded by runs of their own, after the verdict.

#include <perfspec/baseline/path_component.hpp>
#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/operator_events.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/chrome_trace.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/measuring.hpp>

#include <exception>
#include <string>

namespace perfspec::detail {

/// Traces explain what was measured too slow; a profile asks for one by itself.
inline bool wants_traces(const evaluation& e) {
    if (e.plan.trace.empty() || e.tree().verification) return false;
    return e.out.verdict == verdict::violated || (e.query().measured == metric_kind::profile && e.out.verdict == verdict::holds);
}

/// A folder for each claim, in it one for each repetition: the first number that is free.
inline std::string trace_folder(const evaluation& e) {
    std::string of_claim = e.plan.trace + "/" + path_component(e.out.suite) + "/" + path_component(e.out.test) + "/";
    for (const std::string& section : e.out.sections) of_claim += path_component(section) + "/";
    of_claim += path_component(e.out.query) + "/";
    std::size_t repetition = 1;
    while (e.context.around().files.is_folder(of_claim + std::to_string(repetition))) ++repetition;
    return of_claim + std::to_string(repetition);
}

inline void trace_subject(evaluation& e, operator_recorder& recorder, const subject& x, const std::string& stem, const std::string& name) {
    run_untimed(x, 1);  // what is run for the first time is slow
    const auto events = record_operators(recorder, x);
    e.context.around().files.write_atomically(stem + ".trace.json", chrome_trace(name, events));
    e.context.around().files.write_atomically(stem + ".operators.txt", operator_table(events));
}

inline void trace_subjects(evaluation& e, operator_recorder& recorder) {
    const machine_scope machine(e);
    const std::string folder = trace_folder(e);
    e.context.around().files.create_folders(folder);
    e.out.advice.push_back("operators of its subjects, also for ui.perfetto.dev: " + folder);
    auto name = e.names.begin();
    for (const auto* side : {&e.query().subjects, &e.tree().other.subjects}) {
        for (const subject& x : *side) {
            const std::string& hidden = x.state().hidden_operators;
            if (hidden.empty()) trace_subject(e, recorder, x, folder + "/" + path_component(*name), *name);
            else e.out.advice.push_back("no trace of " + *name + ": " + hidden);
            ++name;
        }
    }
}

void write_traces(evaluation& e) {
    if (!wants_traces(e)) return;
    try {
        operator_recorder* const recorder = e.context.around().counts.operators();
        if (recorder == nullptr) throw input_error("nothing in this program records operators: link perfspec::libtorch");
        trace_subjects(e, *recorder);
    } catch (const std::exception& failure) { e.out.advice.push_back(std::string("no trace: ") + failure.what()); }
}

}  // namespace perfspec::detail
