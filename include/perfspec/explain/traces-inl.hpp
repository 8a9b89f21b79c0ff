// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// trace=DIR: shows where the subjects of a violated claim spend their time. It records extra runs, after the verdict.

#include <perfspec/ask/question.hpp>
#include <perfspec/baseline/path_component.hpp>
#include <perfspec/explain/chrome_trace.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/counters/operator_events.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>

#include <exception>
#include <string>

namespace perfspec::detail {

/// A trace explains a violated claim; a profile that ran always gets one.
inline bool wants_traces(const question& asked, const finding& found) {
    if (asked.plan.trace.empty() || asked.is_of_outputs) return false;
    return found.verdict == verdict::violated ||
           (asked.query.metric == metric_kind::profile && found.verdict == verdict::holds);
}

/// The folder of this repetition within the folder of the claim. Its name is the first free number.
inline std::string trace_folder(const question& asked) {
    std::string of_claim = asked.plan.trace + "/" + path_component(asked.context.suite()) + "/" +
                           path_component(asked.position.test) + "/";
    for (const std::string& section : asked.position.sections) of_claim += path_component(section) + "/";
    of_claim += path_component(asked.text) + "/";
    std::size_t repetition = 1;
    while (asked.context.around().files.is_folder(of_claim + std::to_string(repetition))) ++repetition;
    return of_claim + std::to_string(repetition);
}

inline void trace_subject(const question& asked, operator_recorder& recorder, const subject& x, const std::string& stem,
                          const std::string& name) {
    run_untimed(x, 1);  // not recorded, because the first run is slow
    const auto events =
        record_operators(recorder, x, is_by_shape(asked) ? input_shapes::recorded : input_shapes::ignored);
    asked.context.around().files.write_atomically(stem + ".trace.json", chrome_trace(name, events));
    asked.context.around().files.write_atomically(stem + ".operators.txt", operator_table(named_by_shape(events)));
}

inline void trace_subjects(const question& asked, finding& found, operator_recorder& recorder) {
    const machine_scope machine(asked, found);
    const std::string folder = trace_folder(asked);
    asked.context.around().files.create_folders(folder);
    found.advice.push_back("operators of its subjects, also for ui.perfetto.dev: " + folder);
    for (std::size_t i = 0; i < asked.subjects.size(); ++i) {
        const std::string& name = asked.names[i];
        const std::string& hidden = asked.subjects[i].state().hidden_operators;
        if (hidden.empty())
            trace_subject(asked, recorder, asked.subjects[i], folder + "/" + path_component(name), name);
        else found.advice.push_back("no trace of " + name + ": " + hidden);
    }
}

inline void write_traces(const question& asked, finding& found) {
    if (!wants_traces(asked, found)) return;
    try {
        operator_recorder* const recorder = asked.context.around().counts.operators();
        if (recorder == nullptr) throw input_error("this program records no operators: link perfspec::libtorch");
        trace_subjects(asked, found, *recorder);
    } catch (const std::exception& failure) { found.advice.push_back(std::string("no trace: ") + failure.what()); }
}

}  // namespace perfspec::detail
