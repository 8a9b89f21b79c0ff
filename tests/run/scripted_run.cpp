// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_run.hpp"

#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec::testing {

std::vector<std::string> scripted_host::child_arguments(const test_position& where) const {
    if (where.test.empty()) return {};
    std::vector<std::string> arguments{"--only", where.test};
    arguments.insert(arguments.end(), where.sections.begin(), where.sections.end());
    return arguments;
}

scripted_host::scripted_host() = default;
scripted_host::~scripted_host() = default;

scripted_run::scripted_run(std::vector<child_end> children) : launcher(std::move(children)) { put_cpu(); }
scripted_run::scripted_run(std::function<child_end(const child_command&)> children) : launcher(std::move(children)) {
    put_cpu();
}
scripted_run::~scripted_run() = default;

session& scripted_run::context() {
    if (!session_) {
        environment_.emplace(variables);
        session_.emplace(system_access{*environment_,
                                       files,
                                       wall,
                                       cpu,
                                       rest,
                                       launcher,
                                       start,
                                       [] { return std::string("2026-11-18T09:12:44Z"); },
                                       [] { return std::uint64_t{7}; },
                                       under_debugger,
                                       counts,
                                       annotations,
                                       console,
                                       cores,
                                       move_to_core,
                                       instrumented_by,
                                       usage,
                                       devices,
                                       live_console,
                                       patience_for_turn});
    }
    return *session_;
}

assertion_outcome scripted_run::outcome(const detail::expression& tree, const std::vector<option>& options,
                                        const written& how, int line) {
    const site where{"PERF_CHECK", "",        "sort_test.cpp", how.line != 0 ? how.line : line,
                     how.effect,   how.build, how.flags,       how.compiler};
    return evaluate_assertion(context(), framework, {tree.node(), where, how.claim, options});
}

record scripted_run::evaluate(const detail::expression& tree, const std::vector<option>& options, const written& how,
                              int line) {
    return outcome(tree, options, how, line).result;
}

std::string scripted_run::error(const detail::expression& tree, const std::vector<option>& options, const written& how,
                                int line) {
    const record r = evaluate(tree, options, how, line);
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    return r.reason;
}

std::string scripted_run::skipped(const detail::expression& tree, const std::vector<option>& options,
                                  const written& how, int line) {
    const record r = evaluate(tree, options, how, line);
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.failed);
    return r.reason;
}

subject scripted_run::takes(const char* name, std::chrono::nanoseconds call) { return takes(name, std::vector{call}); }

subject scripted_run::takes(const char* name, std::vector<std::chrono::nanoseconds> calls) {
    return {name,
            [this, calls = std::move(calls), next = std::size_t{0}]() mutable { work(calls[next++ % calls.size()]); }};
}

subject scripted_run::counts_in_calls(const char* name, metric_kind m, std::vector<std::int64_t> calls) {
    return {name, [this, m, calls = std::move(calls), next = std::size_t{0}]() mutable {
                work(std::chrono::milliseconds(1));
                counts.of(m).add(calls[next++ % calls.size()]);
            }};
}

void scripted_run::work(std::chrono::nanoseconds d) {
    wall.advance(d);
    cpu.advance(d);
    ++bodies_run;
}

std::string scripted_run::variable_of_child(std::size_t n, const std::string& name) const {
    return scripted_environment::of(launcher.commands().at(n).environment).get(name).value_or("<none>");
}

child_request scripted_run::request_of_child(std::size_t n) const { return request_in(launcher.commands().at(n)); }

child_request scripted_run::request_in(const child_command& command) {
    return read_child_request(scripted_environment::of(command.environment)).value();
}

void scripted_run::put_cpu() {
    files.put("/proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\nmodel name : Test CPU\ncpu cores : 4\n");
}

child_end confirms(verdict v, std::string reason, std::optional<double> value) {
    record r;
    r.verdict = v;
    r.reason = std::move(reason);
    r.evidence.rounds = 12;
    if (value) r.estimate = estimate{*value, *value, *value, 0.0};
    return answered(to_json_line(r));
}

child_end process_of(double value) {
    record r;
    r.verdict = verdict::holds;
    r.time = "2026-11-18T10:00:00Z";
    r.estimate = estimate{value, 0.99 * value, 1.01 * value, 0.0};
    r.evidence.rounds = 33;
    r.subjects = {{.subject = "x",
                   .minimum = 0.98 * value,
                   .q1 = 0.99 * value,
                   .median = value,
                   .q3 = 1.01 * value,
                   .p90 = 1.02 * value,
                   .p99 = 1.03 * value,
                   .maximum = 1.1 * value,
                   .samples = 33,
                   .iterations = 10,
                   .strip = {}}};
    return answered(to_json_line(r));
}

std::vector<child_end> processes_of(double value, std::size_t count) {
    std::vector<child_end> ends;
    for (std::size_t i = 0; i < count; ++i)
        ends.push_back(process_of(value * (1.0 + 0.001 * static_cast<double>(i % 5))));
    return ends;
}

child_end crashed() {
    return {.how = child_outcome::signalled,
            .code = 11,
            .result = {},
            .last_words = "while measuring PERF_CHECK",
            .seconds = 0.5};
}

}  // namespace perfspec::testing
