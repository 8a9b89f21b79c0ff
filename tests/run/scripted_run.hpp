// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/options.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/quantity/json_fields.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <support/scripted_counters.hpp>
#include <support/scripted_environment.hpp>
#include <support/scripted_file_system.hpp>
#include <support/scripted_launcher.hpp>
#include <support/test.hpp>

namespace perfspec::testing {

/// Moves while a body works or a thread sleeps, and by a tick at each of the first thousand readings, which inspect it.
class working_clock : public clock {
public:
    [[nodiscard]] std::int64_t now() override { return now_ += readings_++ < 1000 ? 1 : 0; }
    void advance(std::chrono::nanoseconds d) { now_ += d.count(); }

private:
    std::int64_t now_{};
    int readings_{};
};

/// The processor's time, which moves as the other clock does.
class working_cpu_clock final : public working_clock {
public:
    [[nodiscard]] detail::remote_reading remote_kind() const noexcept override {
        return detail::remote_reading::processor_time;
    }
};

class working_sleeper final : public sleeper {
public:
    explicit working_sleeper(working_clock& time) : time_(time) {}
    void sleep(std::int64_t ns) override {
        meanwhile();
        time_.advance(std::chrono::nanoseconds(ns));
    }

    std::function<void()> meanwhile = [] {};  ///< the work of other threads while this one sleeps

private:
    working_clock& time_;
};

/// A test framework at a scripted position.
class scripted_host final : public host {
public:
    test_position at{.test = "sorting", .sections = {}, .pass = 1, .failed_before = false};
    bool measuring{};
    int measured{};
    detail::advice_words advice{};

    scripted_host();
    ~scripted_host() override;

    [[nodiscard]] test_position position() const override { return at; }
    [[nodiscard]] std::vector<std::string> child_arguments(const test_position& where) const override;
    [[nodiscard]] std::string test_filter(const test_position& where) const override { return where.test; }
    [[nodiscard]] detail::advice_words words() const override { return advice; }
    void report(const site&, std::string_view, const evaluation&, const std::exception_ptr&) override {}
    void unexpected_exception(const site&) override {}
    void measuring_starts(const site&, std::string_view) override { measuring = true; }
    void measuring_ends() override { measured += std::exchange(measuring, false) ? 1 : 0; }
};

/// How an assertion is written.
struct written {
    std::string claim{};
    perfspec::effect effect = perfspec::effect::check;
    build_kind build = build_kind::optimized;
    int line = 0;  ///< 0: where the test writes it
    const char* flags = "";
    detail::compiler_version compiler{};
};

/// A program in scripted surroundings. It reads nothing of the machine but its counters and name.
class scripted_run {
public:
    std::map<std::string, std::string> variables{
        {"TMPDIR", "/nonexistent"}};  // the machine's lock is not for scripted time
    scripted_file_system files;
    working_clock wall;
    working_cpu_clock cpu;
    working_sleeper rest{wall};
    scripted_counters counts;
    scripted_launcher launcher;
    program_start start{
        .executable = "/build/sort_test", .working_directory = "/project", .environment = {{"HOME", "/nonexistent"}}};
    scripted_host framework;
    bool (*under_debugger)() = [] { return false; };
    std::FILE* annotations = stderr;
    std::FILE* console = stderr;
    std::vector<std::uint32_t> cores{};
    void (*move_to_core)(std::uint32_t) noexcept = [](std::uint32_t) noexcept {};
    const char* (*instrumented_by)() noexcept = []() noexcept { return ""; };
    usage_meter* usage{};
    device_machine* devices{};
    bool live_console = false;
    std::chrono::nanoseconds patience_for_turn =
        std::chrono::seconds(10);  ///< of a body that waits for another assertion

    /// children: the ends of the fresh processes, in order.
    explicit scripted_run(std::vector<child_end> children = {});
    explicit scripted_run(std::function<child_end(const child_command&)> children);
    ~scripted_run();

    /// Made by the first call. Later changes of the script take effect, except those of variables.
    [[nodiscard]] session& context();

    assertion_outcome outcome(const detail::expression& tree, const std::vector<option>& options = {},
                              const written& how = {}, int line = __builtin_LINE());
    record evaluate(const detail::expression& tree, const std::vector<option>& options = {}, const written& how = {},
                    int line = __builtin_LINE());

    /// The reason of a claim with an error, which fails, or of one that is skipped, which does not.
    std::string error(const detail::expression& tree, const std::vector<option>& options = {}, const written& how = {},
                      int line = __builtin_LINE());
    std::string skipped(const detail::expression& tree, const std::vector<option>& options = {},
                        const written& how = {}, int line = __builtin_LINE());

    /// A body that takes so long in each call, on both clocks.
    [[nodiscard]] subject takes(const char* name, std::chrono::nanoseconds call);
    /// A body whose calls take these times in turn.
    [[nodiscard]] subject takes(const char* name, std::vector<std::chrono::nanoseconds> calls);
    /// A body of 1 ms whose calls have these counts in turn.
    [[nodiscard]] subject counts_in_calls(const char* name, metric_kind m, std::vector<std::int64_t> calls);
    void work(std::chrono::nanoseconds d);
    std::size_t bodies_run{};

    /// A variable of the n-th child.
    [[nodiscard]] std::string variable_of_child(std::size_t n, const std::string& name) const;

    /// The request to the n-th child.
    [[nodiscard]] child_request request_of_child(std::size_t n) const;
    [[nodiscard]] static child_request request_in(const child_command& command);

private:
    void put_cpu();

    std::optional<scripted_environment> environment_;
    std::optional<session> session_;
};

/// A fresh process that repeated a claim.
[[nodiscard]] child_end confirms(verdict v, std::string reason = {}, std::optional<double> value = {});

/// A fresh process that measured this value; a time, or a ratio.
[[nodiscard]] child_end process_of(double value);

/// `count` processes of about this value, 0.1 % apart.
[[nodiscard]] std::vector<child_end> processes_of(double value, std::size_t count);

[[nodiscard]] child_end crashed();

}  // namespace perfspec::testing
