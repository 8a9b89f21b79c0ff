// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Judges one experiment of ci/models: a model under torch.compile beside the same model in eager mode, subjects of a
// Python file.
//
//   perfspec-judge FILE.py [--axis NAME=VALUE]… [--patience SECONDS] [--accuracy] [--performance]
//   perfspec-judge --interpreter          prints the Python that workers are run by
//
// Results go where PERFSPEC_OUTPUT says, a line a claim. Speed is measured where outputs agree. The exit code is that
// of a test program of perfspec: 0, 42 where something failed, 2 for wrong input.
#include <perfspec/perfspec.hpp>
#include <perfspec/process/program_start.hpp>
#include <perfspec/python.hpp>
#include <perfspec/python/worker_script.hpp>
#include <perfspec/quantity/error.hpp>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct experiment {
    std::string file;
    std::vector<std::pair<std::string, std::string>> axes;
    std::chrono::seconds patience{600};
    bool accuracy{};
    bool performance{};
};

std::chrono::seconds seconds_of(std::string_view text) {
    int seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (fault != std::errc{} || end != text.data() + text.size() || seconds <= 0)
        throw perfspec::input_error("--patience is \"" + std::string(text) +
                                    "\", expected whole seconds, such as --patience 600");
    return std::chrono::seconds(seconds);
}

std::pair<std::string, std::string> axis_of(const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
        throw perfspec::input_error("--axis is \"" + text +
                                    "\", expected a name and a value, such as --axis model=resnet18");
    return {text.substr(0, sign), text.substr(sign + 1)};
}

experiment read_experiment(const std::vector<std::string>& words) {
    experiment asked;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (word == "--accuracy") asked.accuracy = true;
        else if (word == "--performance") asked.performance = true;
        else if (word == "--axis" && at + 1 < words.size()) asked.axes.push_back(axis_of(words[++at]));
        else if (word == "--patience" && at + 1 < words.size()) asked.patience = seconds_of(words[++at]);
        else if (!word.starts_with("--") && asked.file.empty()) asked.file = std::filesystem::absolute(word).string();
        else
            throw perfspec::input_error(
                "\"" + word +
                "\" is no option, or lacks its value: write FILE.py, --axis, --patience, --accuracy, --performance");
    }
    if (asked.file.empty())
        throw perfspec::input_error(
            "there is no file: name one with the subjects eager and compiled, such as models.py");
    if (!asked.accuracy && !asked.performance)
        throw perfspec::input_error("nothing is asked for: write --accuracy, --performance, or both");
    return asked;
}

perfspec::subject with_axes(perfspec::subject x, const experiment& asked) {
    for (const auto& [name, value] : asked.axes) x.axis(name, value);
    return x;
}

/// Whether to go on. Prints what kept a claim from holding.
bool went_well(const perfspec::record& r) {
    if (!r.reason.empty() && r.verdict != perfspec::verdict::holds)
        std::printf("%s: %s: %s\n", r.query.c_str(), perfspec::to_string(r.verdict), r.reason.c_str());
    std::fflush(stdout);
    return r.verdict == perfspec::verdict::holds;
}

perfspec::record memory_of(const perfspec::python_subjects& py, std::string_view name, const experiment& asked) {
    return perfspec::evaluate(
        metric("bytes", perfspec::less_is_better, with_axes(py("memory of " + std::string(name)), asked)));
}

/// Speed first: counts are those of the subject that was timed, and memory is that of calls after compiling.
void measure(const perfspec::python_subjects& py, const experiment& asked) {
    const perfspec::subject compiled = with_axes(py("compiled"), asked);
    if (!went_well(perfspec::evaluate(speedup(with_axes(py("eager"), asked), compiled)))) return;
    went_well(perfspec::evaluate(compile_time(compiled)));
    went_well(perfspec::evaluate(graphs(compiled)));
    went_well(perfspec::evaluate(graph_breaks(compiled)));
    went_well(perfspec::evaluate(recompilations(compiled)));
    went_well(memory_of(py, "eager", asked));
    went_well(memory_of(py, "compiled", asked));
}

void judge(const experiment& asked) {
    const perfspec::python_subjects py(asked.file, {.patience = asked.patience});
    if (asked.accuracy) {
        const auto same = same_output(with_axes(py("eager"), asked), with_axes(py("compiled"), asked));
        if (!went_well(perfspec::evaluate(same))) return;
    }
    if (asked.performance) measure(py, asked);
}

void print_interpreter() {
    const perfspec::program_start_environment variables;
    std::puts(perfspec::detail::python_to_use("", perfspec::detail::python_of_build, variables).c_str());
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count == 2 && std::string_view(words[1]) == "--interpreter") return print_interpreter(), 0;
        perfspec::init(count, words);
        judge(read_experiment({words + 1, words + count}));
        return perfspec::exit_code();
    } catch (const perfspec::input_error& e) {
        std::fprintf(stderr, "perfspec-judge: %s\n", e.what());
        return 2;
    }
}
