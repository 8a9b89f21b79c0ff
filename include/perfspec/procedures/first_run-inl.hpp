// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The first run of a subject in a process: cold starts, first calls, loading, peaks of memory.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The first run of a subject in this process.
struct first_run {
    const char* method{};
    double value{};
    std::vector<part_value> parts{};
    std::vector<std::string> notes{};
};

inline std::vector<std::string> note_of_memory(const claim_context& context, const counter& memory) {
    std::string caveat = memory.caveat();
    return caveat.empty() ? std::vector<std::string>{} : note_once(context, "memory", std::move(caveat));
}

inline first_run peak_of_first_run(const claim_context& context, const subject& x) {
    counter& memory = context.run.system().counts.of({context.query.metric});
    const counting begun(memory);
    if (!begun.fault().empty()) throw measurement_failure(failure_kind::not_countable, begun.fault());
    const auto peak = static_cast<double>(take_sample(x, 1, warm_call::no, memory).elapsed_ns);
    return {"peak of the resident set in a first run, above the level before it",
            peak,
            {},
            note_of_memory(context, memory)};
}

/// The parts of a peak of memory with loading. A peak while loading has a share only if it is the value.
inline std::vector<part_value> parts_of(const loaded_memory& memory) {
    const double total = memory.total();
    std::vector<part_value> parts;
    const auto add = [&](const char* part, double bytes, double share) {
        parts.push_back({part, "with load", dimension::bytes, without_interval(bytes), share, {}});
    };
    const bool peaks_in_load = memory.load && memory.load->peak >= memory.load->after + memory.call;
    const auto share = [&](double bytes, bool counts) { return counts && total > 0.0 ? bytes / total : 0.0; };
    if (memory.held > 0.0) add("parameters in memory before", memory.held, share(memory.held, true));
    if (memory.load) add("peak of loading", memory.load->peak, share(memory.load->peak, peaks_in_load));
    if (memory.load) add("after loading", memory.load->after, share(memory.load->after, !peaks_in_load));
    add("first call", memory.call, share(memory.call, !peaks_in_load));
    return parts;
}

inline first_run peak_with_load(const claim_context& context, const subject& x) {
    counter& memory = context.run.system().counts.of({context.query.metric});
    const loaded_memory measured_memory = take_loaded_memory(x, memory);
    return {"peak of the resident set while a process loads and runs once, above the level before it",
            measured_memory.total(), parts_of(measured_memory), note_of_memory(context, memory)};
}

/// The parts of a cold start. Only the parts from loading to the first steady call have a share of the total.
inline std::vector<part_value> parts_of(const cold_start_times& cold) {
    const double total = cold.total_ns();
    std::vector<part_value> parts;
    const auto add = [&](const char* part, double ns, double share) {
        parts.push_back({part, "cold start", dimension::time, without_interval(ns), share, {}});
    };
    if (cold.load_ns > 0.0) add("load", cold.load_ns, cold.load_ns / total);
    add("first call", cold.calls_ns.front(), cold.calls_ns.front() / total);
    const double later = total - cold.load_ns - cold.calls_ns.front();
    add("calls until steady", later,
        later / total);  // also without such calls, so all processes have the same parts
    add("a steady call", cold.steady_ns, 0.0);
    return parts;
}

inline first_run read_first_run(const claim_context& context, const subject& x) {
    constexpr const char* method = "first run in a process";
    clock& wall = context.run.system().wall;
    const metric_kind m = context.query.metric;
    if (m == metrics::peak_memory)
        return counts_load(context.query) ? peak_with_load(context, x) : peak_of_first_run(context, x);
    if (m == metrics::load_time) return {method, time_load(x, wall)};
    if (m != metrics::cold_start) return {method, time_first_call(x, wall)};
    const cold_start_times cold = time_cold_start(x, wall);
    std::vector<part_value> parts = parts_before_start != nullptr ? parts_before_start(x) : std::vector<part_value>{};
    return {method, cold.total_ns(), joined(std::move(parts), parts_of(cold))};
}

/// Measures the first run of one subject in this process.
inline claim_result measure_first_run(const claim_context& context) {
    const metric_kind m = context.query.metric;
    claim_result result = empty_result(context);
    if (m == metrics::first_call || m == metrics::cold_start) result.notes = note_of_first_run(context);
    const std::size_t index = subject_of_this_process(context);
    first_run run = with_partial_result(result, [&] { return read_first_run(context, context.subjects[index]); });
    append(result.notes, std::move(run.notes));
    result.parts = std::move(run.parts);
    result.estimate = without_interval(run.value);
    result.evidence.rounds = 1;
    result.evidence.method = run.method;
    result.subjects = {summary_of(context.names.at(index), {run.value}, 1, unit_of_samples(context))};
    return result;
}

}  // namespace perfspec::inline v0_2::detail
