// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// `perfspec judge`: judges the claims of another process, which runs their subjects: pytest, or an experiment on a
// model.
//
// It reads lines of JSON from the standard input, and answers each by one on the standard output:
//
//     {"request": "start", "executable": …, "again": ["-m", "pytest", …], "command": …, …}        {"answer": "ready"}
//     {"request": "claim", "test": …, "effect": "require", "query": {…}, …}       {"answer": "judged", "verdict": …, …}
//     {"request": "finish"}                                {"answer": "finished", "text": the table of all claims}
//
// Its answer to other lines is {"answer": "refused", "reason": …}. While it judges, it requests samples from that
// process by the protocol of workers (include/perfspec/python/PROTOCOL.md), and begins with `hello`. A fresh process is
// `executable` with the arguments of `again` and the claim's `node`, both relative to the working directory. For the
// other checkout it is `executable` of `baseline_build`, in its `folder`. It starts a judge, too, which serves this
// one. People repeat a test by `command`, with the whole path of its file, `code`. `patience`, in seconds, is how long
// an answer may take. Advice has the `words` of the tests (`detail::advice_words`).

#include "../program.hpp"
#include "attached_worker.hpp"
#include "claims.hpp"

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/python/worker_body-inl.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/report/shell.hpp>
#include <perfspec/session/session.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

template <>
inline constexpr std::tuple perfspec::detail::fields_of<perfspec::detail::advice_words>{
    field{"unverified", &advice_words::unverified},   field{"fresh_input", &advice_words::fresh_input},
    field{"in_setup", &advice_words::in_setup},       field{"before_value", &advice_words::before_value},
    field{"after_value", &advice_words::after_value}, field{"before_word", &advice_words::before_word},
    field{"after_word", &advice_words::after_word},
};

namespace perfspec::tool {
namespace {

using detail::json_members;
using detail::json_value;
using detail::required;

/// The test framework of the other process.
class remote_host final : public host {
public:
    explicit remote_host(const json_value& start) : command_(text_of(start, "command")) {
        if (const json_value* const words = start.member("words")) detail::read_field(*words, words_, {});
        for (const json_value& each : required(start, "again").items) again_.push_back(each.text);
    }

    /// Returns whether another test begins, or the same one again.
    bool enter(const json_value& claim) {
        const std::uint64_t pass = at_.pass;
        at_ = {.test = text_of(claim, "test"),
               .sections = {},
               .pass = static_cast<std::uint64_t>(number_of(claim, "pass")),
               .declared_at = text_of(claim, "declared_at")};
        node_ = text_of(claim, "node");
        from_any_folder_ = text_of(claim, "code") + node_.substr(std::min(node_.find("::"), node_.size()));
        return at_.pass != pass;
    }

    [[nodiscard]] test_position position() const override { return at_; }
    [[nodiscard]] std::vector<std::string> child_arguments(const test_position&) const override {
        std::vector<std::string> arguments = again_;
        arguments.push_back(node_);
        return arguments;
    }
    [[nodiscard]] std::string test_filter(const test_position&) const override { return node_; }
    [[nodiscard]] std::string command(const test_position&) const override {
        return command_ + ' ' + shell_quoted(from_any_folder_);
    }
    [[nodiscard]] detail::advice_words words() const override { return words_; }
    void report(const site&, std::string_view, const evaluation&, const std::exception_ptr&) override {}
    void unexpected_exception(const site&) override {}
    void measuring_starts(const site&, std::string_view) override {}
    void measuring_ends() override {}

private:
    std::string command_;
    std::vector<std::string> again_;
    std::string node_;
    std::string from_any_folder_;
    detail::advice_words words_{};
    test_position at_{};
};

effect effect_of(const std::string& word) {
    static const std::map<std::string_view, effect> all{
        {"require", effect::require}, {"check", effect::check}, {"warn", effect::warn}, {"measure", effect::measure}};
    const auto known = all.find(word);
    if (known != all.end()) return known->second;
    throw input_error(fmt::format("\"{}\" is no effect, expected require, check, warn or measure", word));
}

/// Starts processes of this run. Those of the other checkout (`--perf-baseline-build`) run its Python in its folder.
class launcher_of_checkouts final : public process_launcher {
public:
    launcher_of_checkouts(process_launcher& real, const json_value& start) : real_(real) {
        own_ = text_of(start, "executable");
        if (const json_value* const other = start.member("baseline_build"))
            executable_ = text_of(*other, "executable"), folder_ = text_of(*other, "folder");
    }
    child_end run(const child_command& command, const wait_callback& tell) override {
        return real_.run(placed(command), tell);
    }
    std::unique_ptr<running_process> start(const child_command& command) override {
        return real_.start(placed(command));
    }

private:
    [[nodiscard]] child_command placed(child_command command) const {
        const auto is_of_child = [](const auto& variable) { return variable.first == "PERFSPEC_CHILD"; };
        const bool measures = std::ranges::any_of(command.environment, is_of_child);  // git does not
        if (command.executable == own_ || executable_.empty() || !measures) return command;
        command.executable = executable_;
        command.working_directory = folder_;
        return command;
    }

    process_launcher& real_;
    std::string own_, executable_, folder_;
};

/// This machine, but with another program to start again: the process of the tests.
system_access system_that_starts(const program_start& start, process_launcher& launcher) {
    const system_access real = real_system();
    return {real.variables,
            real.files,
            real.wall,
            real.cpu,
            real.rest,
            launcher,
            start,
            real.utc_now,
            real.draw_seed,
            real.under_debugger,
            real.counts,
            real.annotations,
            real.console,
            real.cores,
            real.move_to_core,
            real.instrumented_by,
            real.usage,
            real.devices,
            real.live_console};
}

json_members answer_called(const char* word, const char* name = nullptr, const std::string& text = {}) {
    json_members answer;
    answer.add("answer", word);
    if (name != nullptr) answer.add(name, text);
    return answer;
}

class judge_of_process {
public:
    judge_of_process(const json_value& start, worker_descriptors worker)
        : start_(at_program_start()), starter_(real_system().launcher, start),
          system_(system_that_starts(start_, starter_)), launcher_(worker), session_(system_), host_(start) {
        start_.executable = text_of(start, "executable");
        if (const json_value* const seconds = start.member("patience"))
            patience_ = std::chrono::seconds(std::llround(seconds->number));
        session_.set_project({text_of(start, "suite"), text_of(start, "baselines"), text_of(start, "build"), ""});
        if (session& own = this_session(); own.child()) {
            own.set_project(session_.project());
            if (own.child()->result_descriptor == child_result_descriptor) own.become_child();
            session_.share_child_of(own);
        }
    }

    /// The answer to a line that describes a claim. Does not return in a fresh process that was started for the claim.
    [[nodiscard]] json_members judge(const json_value& claim) {
        if (host_.enter(claim) || !worker_) begin_test(claim);
        std::list<std::string> texts;
        const auto keep = [&](std::string_view name) { return texts.emplace_back(text_of(claim, name)).c_str(); };
        const std::string word = text_of(claim, "effect"), written = text_of(claim, "claim");
        const std::string macro = "perf." + word;
        const site where(macro.c_str(), written.c_str(), keep("file"), static_cast<int>(number_of(claim, "line")),
                         effect_of(word), build_kind::optimized);
        const auto find = [&](const std::string& name) { return subject_named(name, claim); };
        const detail::expression tree = expression_of(claim, find);
        const std::vector<option> options = options_of(required(claim, "options"), texts);
        return answer_of(evaluate_assertion(session_, host_, {tree.node(), where, written, options}));
    }

    [[nodiscard]] std::string summary() const { return session_.summary(); }

private:
    /// Subjects are those of one test.
    void begin_test(const json_value& claim) {
        subjects_.clear();
        session_.forget_occurrences();
        const detail::worker_recipe recipe{
            .who = "the test's process", .runs = text_of(claim, "code"), .patience = patience_};
        worker_.emplace(recipe, launcher_, system_.wall);
    }

    subject subject_named(const std::string& name, const json_value& claim) {
        const auto known = subjects_.find(name);
        if (known != subjects_.end()) return known->second;
        subject made = detail::worker_subject(*worker_, name);
        for (const json_value& axis : required(claim, "axes").items) made.axis(axis.name, axis.text);
        for (const json_value& each : required(claim, "unverified").items)
            if (each.text == name) made.unverified();
        if (const json_value* const work = required(claim, "work").member(name)) declare_work(made, *work);
        return subjects_.emplace(name, made).first->second;
    }

    static void declare_work(subject& made, const json_value& work) {
        for (const json_value& each : work.items) {
            if (each.name == "items") made.items(each.number);
            else if (each.name == "bytes") made.bytes(each.number);
            else made.flops(each.number);
        }
    }

    static json_members answer_of(const assertion_outcome& done) {
        json_members answer = answer_called("judged");
        answer.add("skipped", done.skipped || done.left_out);
        answer.add("failed", done.result.failed);
        answer.add("is_judged", done.result.verdict != verdict::skipped || done.result.on_request);
        answer.add("verdict", std::string(to_string(done.result.verdict)));
        answer.add("skips_test", detail::skips_test(done.result));
        answer.add("is_worth_a_note", detail::deserves_a_word(done.result));
        answer.add("place", done.result.file + ":" + std::to_string(done.result.line));
        record shown = done.result;
        shown.file.clear();  // the other process says where it was
        answer.add("text", render_console(shown, {}));
        answer.add_raw("record", to_json_line(done.result));
        return answer;
    }

    program_start start_;
    std::chrono::nanoseconds patience_ = detail::worker_recipe{}.patience;
    launcher_of_checkouts starter_;
    system_access system_;
    attaching_launcher launcher_;
    session session_;
    remote_host host_;
    std::optional<detail::subject_worker> worker_{};
    std::map<std::string, subject> subjects_{};
};

json_members answer_to(const std::string& line, worker_descriptors worker, std::optional<judge_of_process>& judge) {
    try {
        const json_value message = detail::read_message(line);
        const std::string request = text_of(message, "request");
        if (request == "claim" && judge) return judge->judge(message);
        if (request == "finish" && judge) return answer_called("finished", "text", judge->summary());
        if (request != "start") throw input_error("\"" + request + "\" came, expected start, claim or finish");
        judge.emplace(message, worker);
        return answer_called("ready");
    } catch (const std::runtime_error& wrong) { return answer_called("refused", "reason", wrong.what()); }
}

void judge_lines(worker_descriptors worker) {
    std::optional<judge_of_process> judge;
    for (std::string line; std::getline(std::cin, line);)
        std::cout << answer_to(line, worker, judge).object() << std::endl;
}

}  // namespace

void add_judge(CLI::App& app, command_context&) {
    auto* const command =
        app.add_subcommand("judge", "Judges claims of a process that runs their subjects, such as pytest.");
    command->group("");  // people start pytest, which starts it
    const auto worker = std::make_shared<worker_descriptors>();
    command->add_option("--answers", worker->answers, "descriptor of its answers")->required();
    command->add_option("--requests", worker->requests, "descriptor of requests to it")->required();
    command->callback([worker] { judge_lines(*worker); });
}

}  // namespace perfspec::tool
