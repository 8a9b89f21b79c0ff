// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/operators.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

/// Writes microseconds with three decimals, to the nanosecond.
inline std::string trace_time(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

/// The event with the title above the threads in a viewer.
inline std::string trace_title(std::string_view subject) {
    json_members arguments;
    arguments.add("name", subject);
    json_members event;
    event.add("name", "process_name");
    event.add("ph", "M");
    event.add("pid", 1);
    event.add_raw("args", arguments.object());
    return event.object();
}

}  // namespace detail

std::string chrome_trace(std::string_view subject, std::span<const operator_event> events) {
    std::vector<operator_event> order(events.begin(), events.end());
    // Of two calls that begin at the same time, the longer one called the other.
    std::ranges::stable_sort(order, [](const operator_event& a, const operator_event& b) {
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    std::map<std::uint64_t, std::size_t> threads;
    std::string text = "{\"traceEvents\":[\n" + detail::trace_title(subject);
    for (const operator_event& e : order) {
        detail::json_members event;
        event.add("name", e.name);
        event.add("ph", "X");
        event.add_raw("ts", detail::trace_time(e.start_ns - order.front().start_ns));
        event.add_raw("dur", detail::trace_time(e.end_ns - e.start_ns));
        event.add("pid", 1);
        event.add("tid", threads.try_emplace(e.thread, threads.size() + 1).first->second);
        text += ",\n" + event.object();
    }
    return text + "\n]}\n";
}

std::string operator_table(std::span<const operator_event> events) {
    std::string text = fmt::format("{:>12}{:>12}{:>9}   operator\n", "self", "total", "calls");
    for (const operator_times& o : tabulate(events))
        text += fmt::format("{:>12}{:>12}{:>9}   {}\n", format_value(o.self_ns, dimension::time),
                            format_value(o.total_ns, dimension::time), o.calls, o.name);
    return text;
}

}  // namespace perfspec::inline v0_2

// trace=DIR: records operators of the subjects of a violated claim, in extra runs after the verdict.

namespace perfspec::inline v0_2::detail {

inline bool wants_traces(const claim_context& context, const claim_result& result) {
    if (context.plan.trace.empty() || context.is_of_outputs) return false;
    return result.verdict == verdict::violated ||
           (context.query.metric == metrics::profile && result.verdict == verdict::measured);
}

/// The folder of this repetition within the claim's folder: the first free number.
inline std::string trace_folder(const claim_context& context) {
    std::string folder = context.plan.trace + "/" + path_component(context.run.suite()) + "/" +
                         path_component(context.position.test) + "/";
    for (const std::string& section : context.position.sections) folder += path_component(section) + "/";
    folder += path_component(context.text) + "/";
    std::size_t repetition = 1;
    while (context.run.system().files.is_folder(folder + std::to_string(repetition))) ++repetition;
    return folder + std::to_string(repetition);
}

/// Writes the trace of a subject into a folder. Returns why there is none; empty after success.
inline std::string trace_subject(const claim_context& context, operator_recorder& recorder, std::size_t index,
                                 const std::string& folder) {
    const subject& x = context.subjects[index];
    const std::string& name = context.names[index];
    if (const std::string& hidden = model_of(x).hidden_operators; !hidden.empty())
        return "no trace of " + name + ": " + hidden;
    run_untimed(x, 1);  // not recorded, because the first run is slow
    const auto events =
        record_operators(recorder, x, is_by_shape(context) ? input_shapes::recorded : input_shapes::ignored);
    const std::string stem = folder + "/" + path_component(name);
    context.run.system().files.write_atomically(stem + ".trace.json", chrome_trace(name, events));
    context.run.system().files.write_atomically(stem + ".operators.txt", operator_table(named_by_shape(events)));
    return {};
}

inline explanation write_traces(const claim_context& context, const claim_result& result) {
    explanation traces;
    if (!wants_traces(context, result)) return traces;
    try {
        operator_recorder* const recorder = context.run.system().counts.recorder<operator_recorder>();
        if (recorder == nullptr) throw input_error("this program cannot record operators. Link perfspec::libtorch");
        const machine_scope machine(context);
        traces.disturbed = machine.disturbed();
        const std::string folder = trace_folder(context);
        context.run.system().files.create_folders(folder);
        traces.advice.push_back("traces of the subjects, which ui.perfetto.dev opens, and tables of their operators: " +
                                folder);
        for (std::size_t i = 0; i < context.subjects.size(); ++i)
            if (std::string reason = trace_subject(context, *recorder, i, folder); !reason.empty())
                traces.advice.push_back(std::move(reason));
    } catch (const std::exception& failure) { traces.advice.push_back(std::string("no trace: ") + failure.what()); }
    return traces;
}

}  // namespace perfspec::inline v0_2::detail
