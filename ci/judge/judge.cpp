// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Judges one experiment of ci/models: a model under torch.compile beside the same model in eager mode, subjects of a
// Python file.
//
//   perfspec-judge FILE.py [--axis NAME=VALUE]… [--patience SECONDS] [--accuracy] [--performance]
//   perfspec-judge --interpreter          prints the Python that workers are run by
//   perfspec-judge --fault KIND REASON [--axis NAME=VALUE]…
//                                         prints the result of an experiment that came to no end: timed_out or unfinished
//
// Results go where PERFSPEC_OUTPUT says, a line a claim. Speed is measured where outputs agree. The exit code is that
// of a test program of perfspec: 0, 42 where something failed, 2 for wrong input.
#include <perfspec/perfspec.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/python.hpp>
#include <perfspec/python/worker_script.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/session/system_access.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct experiment {
    std::string file{};
    std::vector<std::string> axes{};  ///< "model=resnet18"
    int patience = 600;               ///< in seconds
    bool accuracy{};
    bool performance{};
    bool interpreter{};
    std::vector<std::string> fault{};  ///< its kind and its reason
};

/// Throws CLI::ParseError.
experiment read_experiment(int count, char** words) {
    experiment asked;
    CLI::App app;
    app.add_option("FILE", asked.file, "with the subjects eager and compiled");
    app.add_option("--axis", asked.axes)->allow_extra_args(false);
    app.add_option("--patience", asked.patience)->check(CLI::PositiveNumber);
    app.add_flag("--accuracy", asked.accuracy);
    app.add_flag("--performance", asked.performance);
    app.add_flag("--interpreter", asked.interpreter);
    app.add_option("--fault", asked.fault)->expected(2);
    app.parse(count, words);
    return asked;
}

perfspec::subject with_axes(perfspec::subject x, const experiment& asked) {
    for (const std::string& axis : asked.axes) x.axis(axis.substr(0, axis.find('=')), axis.substr(axis.find('=') + 1));
    return x;
}

/// Whether to go on. Prints what kept a claim from holding.
bool went_well(const perfspec::evaluation& found) {
    if (!found.reason.empty() && found.verdict != perfspec::verdict::holds)
        std::printf("%s: %s: %s\n", found.query.c_str(), perfspec::to_string(found.verdict), found.reason.c_str());
    std::fflush(stdout);
    return found.verdict == perfspec::verdict::holds;
}

perfspec::evaluation memory_of(const perfspec::python_subjects& py, std::string_view name, const experiment& asked) {
    return perfspec::evaluate(
        metric("bytes", perfspec::less_is_better, with_axes(py("memory of " + std::string(name)), asked)));
}

/// Speed first: counts are those of the subject that was timed, and memory is that of calls after compiling.
void measure(const perfspec::python_subjects& py, const experiment& asked) {
    const perfspec::subject compiled = with_axes(py("compiled"), asked);
    if (!went_well(perfspec::evaluate(speedup(with_axes(py("eager"), asked), compiled)))) return;
    went_well(perfspec::evaluate(compile_time(compiled)));
    went_well(perfspec::evaluate(worker_count(compiled, "graphs")));
    went_well(perfspec::evaluate(graph_breaks(compiled)));
    went_well(perfspec::evaluate(recompilations(compiled)));
    went_well(memory_of(py, "eager", asked));
    went_well(memory_of(py, "compiled", asked));
}

void judge(const experiment& asked) {
    const perfspec::python_subjects py(std::filesystem::absolute(asked.file).string(),
                                       {.patience = std::chrono::seconds(asked.patience)});
    if (asked.accuracy) {
        const auto same = same_output(with_axes(py("eager"), asked), with_axes(py("compiled"), asked));
        if (!went_well(perfspec::evaluate(same))) return;
    }
    if (asked.performance) measure(py, asked);
}

void print_fault(const experiment& asked) {
    using namespace perfspec;
    record r;
    r.time = real_system().utc_now();
    r.suite = "perfspec-judge";
    r.macro = "evaluate";
    r.key = r.claim = r.query = "speedup(eager, compiled)";
    r.unit = dimension::ratio;
    r.direction = better::more;
    for (const std::string& axis : asked.axes) {
        r.axes.emplace_back(axis.substr(0, axis.find('=')), axis.substr(axis.find('=') + 1));
        r.key += " / " + axis;
    }
    r.verdict = verdict::invalid;
    r.failed = true;
    r.failure = asked.fault[0] == "timed_out" ? failure_kind::timed_out : failure_kind::unfinished;
    r.reason = asked.fault[1];
    std::puts(to_json_line(r).c_str());
}

void print_interpreter() {
    const perfspec::program_start_environment variables;
    std::puts(perfspec::detail::python_to_use("", perfspec::detail::python_of_build, variables).c_str());
}

}  // namespace

int main(int count, char** words) {
    try {
        const experiment asked = read_experiment(count, words);
        if (asked.interpreter) return print_interpreter(), 0;
        if (!asked.fault.empty()) return print_fault(asked), 0;
        perfspec::init(count, words);
        judge(asked);
        return perfspec::exit_code();
    } catch (const CLI::ParseError& e) {
        std::fprintf(stderr, "perfspec-judge: %s\n", e.what());
        return 2;
    } catch (const perfspec::input_error& e) {
        std::fprintf(stderr, "perfspec-judge: %s\n", e.what());
        return 2;
    }
}
