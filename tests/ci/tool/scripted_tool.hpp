// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tool/program.hpp>

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/recorded.hpp>
#include <support/scripted_environment.hpp>
#include <support/scripted_file_system.hpp>

#include <catch2/catch_test_macros.hpp>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// The tool on files in memory: /project is the working directory, 2026-11-20 is today.
class scripted_tool {
public:
    scripted_file_system files;
    std::map<std::string, std::string> variables;
    console_color color = console_color::never;
    gpu_machine* gpus{};

    /// Puts a file of results.
    void put_results(const std::string& path, const std::vector<std::string>& lines) {
        std::string text;
        for (const std::string& line : lines) text += line + '\n';
        files.put(path, text);
    }
    void put_records(const std::string& path, const std::vector<record>& records) {
        std::vector<std::string> lines;
        for (const record& r : records) lines.push_back(to_json_line(r));
        put_results(path, lines);
    }
    /// Puts a baseline file at its path.
    void put_baselines(const baseline_file& file, const std::string& folder = "/project/baselines") {
        const std::string path = path_of({folder, file.hardware, file.variant, file.suite});
        files.put(path, render_baseline_file(file));
        baselines_.push_back(path);
    }
    void put_baseline_text(const std::string& path, const std::string& text) {
        files.put(path, text);
        baselines_.push_back(path);
    }
    [[nodiscard]] tool::program_end run(std::vector<std::string> arguments) {
        const scripted_environment environment(variables);
        const auto listed = [this](const std::string& folder) {
            std::vector<std::string> found;
            for (const std::string& path : baselines_)
                if (path.starts_with(folder + "/")) found.push_back(path);
            return found;
        };
        const auto write = [this](const std::string& path, std::string_view text) {
            files.write_atomically(path, text);
        };
        return tool::run_program(std::move(arguments),
                                 {files, environment, listed, write, "/project", "2026-11-20T08:00:00Z", color, gpus,
                                  [] { return std::string("perfspec doctor: a report\n"); }});
    }
    /// Runs a command with its options on a file of these results, r.jsonl.
    tool::program_end run_on(const std::vector<record>& results, std::vector<std::string> command) {
        put_records("r.jsonl", results);
        command.insert(command.begin() + 1, "r.jsonl");
        return run(std::move(command));
    }
    /// Runs the tool: it ends with this code, and writes what is recorded for these words and this label.
    tool::program_end ends(int code, const std::string& words, const std::string& label = {},
                           const char* test_file = __builtin_FILE()) {
        std::istringstream stream(words);
        tool::program_end end = run({std::istream_iterator<std::string>(stream), {}});
        INFO(words << '\n' << end.out << end.err);
        CHECK(end.code == code);
        const std::string errors = end.err.empty() ? "" : "--- errors\n" + end.err;
        check_recorded(words + (label.empty() ? "" : ", " + label), end.out + errors, test_file);
        return end;
    }
    /// The same with these results in r.jsonl, the first file after the command.
    tool::program_end ends_on(int code, const std::vector<record>& results, const std::string& words,
                              const std::string& label = {}, const char* test_file = __builtin_FILE()) {
        put_records("r.jsonl", results);
        const std::size_t command = std::min(words.find(' '), words.size());
        return ends(code, words.substr(0, command) + " r.jsonl" + words.substr(command), label, test_file);
    }
    [[nodiscard]] baseline_file stored(const std::string& path) const {
        return parse_baseline_file(files.text(path), path);
    }

private:
    std::vector<std::string> baselines_;
};

/// `count` processes of about this value, 0.1 % apart.
[[nodiscard]] inline std::vector<stored_process> processes_about(double value, std::size_t count,
                                                                 const std::string& day = "2026-11-19") {
    std::vector<stored_process> processes;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = value * (1.0 + 0.001 * static_cast<double>(i % 5));
        stored_process l;
        l.value = v;
        l.q1 = 0.99 * v;
        l.q3 = 1.01 * v;
        l.p90 = 1.02 * v;
        l.p99 = 1.03 * v;
        l.samples = 30;
        l.time = day + "T10:00:0" + std::to_string(i % 10) + "Z";
        l.commit = "3f2c1ab";
        l.recording_session = day;
        processes.push_back(std::move(l));
    }
    return processes;
}

[[nodiscard]] inline baseline_entry entry_about(const std::string& key, double value,
                                                const std::string& day = "2026-11-18") {
    return {.key = key,
            .unit = "ns",
            .direction = better::less,
            .recorded_on = {},
            .processes = processes_about(value, 10, day)};
}

/// The file of the suite "sorts" on "test-cpu-4c".
[[nodiscard]] inline baseline_file file_of(std::vector<baseline_entry> entries) {
    return {.hardware = "test-cpu-4c", .variant = {}, .suite = "sorts", .entries = std::move(entries)};
}

inline const std::string file_of_sorts = "/project/baselines/test-cpu-4c/sorts.json";

/// A claim `< 1.06 * baseline()` on this key, with processes of about this value.
[[nodiscard]] inline record stored_result(const std::string& key, double value, verdict v, std::size_t processes = 10) {
    record r;
    r.time = "2026-11-19T10:00:00Z";
    r.suite = "sorts";
    r.test = "sorting";
    r.key = key;
    r.claim = "latency(sort) < 1.06 * baseline()";
    r.file = "sort_test.cpp";
    r.line = 12;
    r.verdict = v;
    r.failed = v == verdict::violated || v == verdict::error;
    r.query = "latency(sort)";
    r.metric = "latency";
    r.names = {"sort"};
    r.comparison = "<";
    r.hardware_key = "test-cpu-4c";
    r.commit = "9a8b7c6";
    r.estimate = estimate{value, 0.99 * value, 1.01 * value, 0.0};
    r.baseline = baseline_origin{};
    r.baseline->key = key;
    r.baseline->action =
        v == verdict::violated || v == verdict::holds ? baseline_action::compared : baseline_action::would_be_recorded;
    r.baseline->taken = processes_about(value, processes);
    r.baseline->headroom = 0.06;
    return r;
}

/// A claim with two processes of 1 ms: above its bound, at it where it is undecided.
[[nodiscard]] inline record judged(const std::string& key, verdict v, bool failed) {
    record r = stored_result(key, 1e6, v, 2);
    r.failed = failed;
    r.bound = v == verdict::undecided ? 1e6 : 9e5;
    return r;
}

[[nodiscard]] inline std::string line_of(const record& r) { return to_json_line(r); }

/// A time of this key, with an interval of 1 % on both sides.
[[nodiscard]] inline std::string time_of(const std::string& key, double value) {
    return line_of(stored_result(key, value, verdict::holds, 2));
}

}  // namespace perfspec::testing
