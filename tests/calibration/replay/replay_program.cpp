// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "replay_program.hpp"

#include "replay_notes.hpp"
#include "replay_options.hpp"
#include "replay_report.hpp"
#include "trace.hpp"

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <map>
#include <ostream>

namespace perfspec::testing {
namespace {

std::vector<double> times_of(const trace& from, const std::string& workload) {
    if (from.has("workload")) return times_of_workload(from, "wall_ns", workload);
    if (!workload.empty())
        throw input_error(from.name() + ":1: column workload: is not there, needs it for --workload " + workload);
    return from.times("wall_ns");
}

recorded_launches launches_of(const replay_options& o) {
    const trace from = trace::read(o.launches);
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
    if (samples.empty()) (void)times_of(from, o.workload);  // says which workloads there are
    recorded_launches launches;
    for (const std::string& name : order) {
        const auto& values = samples[name];
        launches.push_back({median(values), values});
    }
    return launches;
}

std::vector<recorded_process> processes_of(const replay_options& o) {
    std::vector<recorded_process> processes;
    for (const std::string& file : o.traces) {
        const trace from = trace::read(file);
        if (from.has("launch"))
            throw input_error(
                file + ":1: column launch: found many processes in one trace, needs --claim stored --launches " + file);
        processes.push_back(settled(times_of(from, o.workload)));
    }
    return processes;
}

slot_source slots_of(const replay_options& o) {
    if (o.noise) return synthetic_slots(*o.noise, o.request);
    return recorded_slots(processes_of(o), o.request);
}

std::string absolute(const replay_options& o) {
    const auto processes = processes_of(o);
    return report_of(replay_absolute(processes, reference_of(processes), o.request), "blocks");
}

std::string absolute_percentile(const replay_options& o) {
    const auto processes = processes_of(o);
    const double reference_ns = percentile_reference_of(processes, o.request.level);
    return report_of(replay_percentile(processes, reference_ns, o.request), "blocks");
}

std::string replayed(const replay_options& o) {
    switch (o.claim) {
    case claim_kind::absolute: return absolute(o);
    case claim_kind::p99_absolute: return absolute_percentile(o);
    case claim_kind::stored: return report_of(replay_stored(launches_of(o), o.request), "launches");
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
