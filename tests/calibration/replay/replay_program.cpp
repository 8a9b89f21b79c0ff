// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "replay_program.hpp"

#include "replay_notes.hpp"
#include "replay_options.hpp"
#include "replay_report.hpp"
#include "trace.hpp"

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/summary.hpp>

#include <map>
#include <ostream>

namespace perfspec::testing {
namespace {

std::vector<double> times_of(const trace& from, const std::string& column, const std::string& workload) {
    if (from.has("workload")) return times_of_workload(from, column, workload);
    if (!workload.empty())
        throw input_error(from.name() + ":1: column workload: is not there, needs it for --workload " + workload);
    return from.times(column);
}

/// The columns asked for, else those that the trace has.
std::vector<std::string> columns_of(const trace& from, const replay_options& o) {
    if (!o.columns.empty()) return o.columns;
    if (from.has("a_ns") && from.has("b_ns")) return {"a_ns", "b_ns"};
    return {"wall_ns"};
}

/// Pairs become slots a, b, a, b, …
recorded_process process_of(const trace& from, const std::vector<std::string>& columns, const std::string& workload) {
    if (columns.size() == 1) return settled(times_of(from, columns[0], workload));
    const auto a = settled(times_of(from, columns[0], workload));
    const auto b = settled(times_of(from, columns[1], workload));
    recorded_process slots;
    for (std::size_t i = 0; i < a.size(); ++i) slots.insert(slots.end(), {a[i], b[i]});
    return slots;
}

recorded_launches launches_of(const std::string& file, const replay_options& o) {
    const trace from = trace::read(file);
    const auto times = from.times(o.columns.empty() ? "wall_ns" : o.columns.front());
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
    if (samples.empty()) (void)times_of(from, "wall_ns", o.workload);  // says which workloads there are
    recorded_launches launches;
    for (const std::string& name : order) {
        const auto& values = samples[name];
        launches.push_back({median(values), values});
    }
    return launches;
}

std::vector<recorded_process> processes_of(replay_options& o) {
    std::vector<recorded_process> processes;
    for (const std::string& file : o.traces) {
        const trace from = trace::read(file);
        if (from.has("launch"))
            throw input_error(
                file + ":1: column launch: found many processes in one trace, needs --claim stored --launches " + file);
        const auto columns = columns_of(from, o);
        if (columns.size() == 2) o.request.order = pair_order::recorded;
        processes.push_back(process_of(from, columns, o.workload));
    }
    return processes;
}

slot_source slots_of(replay_options& o) {
    if (o.noise) return synthetic_slots(*o.noise, o.request);
    auto processes = processes_of(o);
    return recorded_slots(std::move(processes), o.request);
}

/// One function at a time.
std::vector<recorded_process> single_processes_of(replay_options& o) {
    auto processes = processes_of(o);
    if (o.request.order == pair_order::recorded)
        throw input_error("--claim: found columns of pairs, needs --column a_ns or b_ns for an absolute one");
    return processes;
}

std::string absolute(replay_options& o) {
    const auto processes = single_processes_of(o);
    return report_of(replay_absolute(processes, o.reference_ns.value_or(reference_of(processes)), o.request), "blocks");
}

std::string absolute_percentile(replay_options& o) {
    const auto processes = single_processes_of(o);
    const double reference_ns = o.reference_ns.value_or(percentile_reference_of(processes, o.request.level));
    return report_of(replay_percentile(processes, reference_ns, o.request), "blocks");
}

std::string stored(const replay_options& o) {
    const auto baseline = launches_of(o.launches[0], o);
    const auto fresh = o.launches.size() == 2 ? launches_of(o.launches[1], o) : recorded_launches{};
    return report_of(replay_stored(baseline, fresh, o.request), "launches");
}

std::string replayed(replay_options& o) {
    switch (o.claim) {
    case claim_kind::absolute: return absolute(o);
    case claim_kind::p99_absolute: return absolute_percentile(o);
    case claim_kind::stored: return stored(o);
    case claim_kind::p99: return report_of(replay_percentile_paired(slots_of(o), o.request), "pairs");
    case claim_kind::trend: return report_of(replay_trend(slots_of(o), o.request), "samples");
    case claim_kind::paired: break;
    }
    return report_of(replay_paired(slots_of(o), o.request), "pairs");
}

}  // namespace

int replay_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
    try {
        replay_options options = parse_replay_options(arguments);
        out << replayed(options) << '\n';
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
