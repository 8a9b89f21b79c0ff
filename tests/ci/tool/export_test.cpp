// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

#include <nlohmann/json.hpp>

namespace perfspec {
namespace {

using namespace testing;

struct exported_results {
    tool::program_end end;
    std::string text;
};

exported_results export_as(const std::string& format, const std::vector<record>& records) {
    scripted_tool tool;
    tool.put_records("r.jsonl", records);
    auto end = tool.run({"export", "r.jsonl", "--format", format, "-o", "out"});
    return {std::move(end), tool.files.text("out")};
}

nlohmann::json json_as(const std::string& format, const std::vector<record>& records) {
    return nlohmann::json::parse(export_as(format, records).text);
}

record time_of_processes(const std::string& key, std::vector<double> now) {
    record r = stored_result(key, 1e6, verdict::holds, 2);
    r.baseline->now = std::move(now);
    return r;
}

sample_summary samples_of(const std::string& name, double median) {
    sample_summary s;
    s.subject = name;
    s.median = median;
    s.iterations = 7;
    return s;
}

record ratio_of(const std::string& key) {
    record r = stored_result(key, 1.25, verdict::violated, 2);
    r.baseline.reset();
    r.unit = dimension::ratio;
    r.query = "speedup(eager, inductor)";
    r.metric = "speedup";
    r.names = {"eager", "inductor"};
    r.subjects = {samples_of("eager", 5e6), samples_of("inductor", 4e6)};
    r.failed = true;
    return r;
}

record without_value(const std::string& key) {
    record r = stored_result(key, 1e6, verdict::skipped, 2);
    r.estimate.reset();
    r.subjects.clear();
    r.baseline.reset();
    r.reason = "no baselines for this hardware are committed";
    return r;
}

}  // namespace

TEST_CASE("export says how many results a format has no place for", "[ci][unit]") {
    const auto done = export_as("pytorch", {time_of_processes("a", {1e6}), without_value("b"), without_value("c")});
    CHECK(done.end.code == 0);
    CHECK_RECORDED(done.end.out);
}

TEST_CASE("export to PyTorch's database has model, metric and commit of each value", "[ci][unit]") {
    record r = ratio_of("model / speedup(eager, inductor)");
    r.axes = {{"model", "resnet50"}, {"dtype", "float32"}, {"dynamo", "inductor"}, {"test", "train"}};
    r.commit = "3f2c1ab";
    r.branch = "main";
    r.bound = 1.4;
    CHECK_RECORDED(nlohmann::json::parse(export_as("pytorch", {r, without_value("c")}).text).dump(2));
}

TEST_CASE("export has the newest run of each key, and all runs on request", "[ci][unit]") {
    record before = time_of_processes("a", {1e6}), now = time_of_processes("a", {2e6});
    before.run_id = "1";
    now.run_id = "2";
    now.time = "2099-01-01T00:00:00Z";
    scripted_tool tool;
    tool.put_results("1.jsonl", {line_of(before)});
    tool.put_results("2.jsonl", {line_of(now)});
    tool.ends(0, "export 1.jsonl 2.jsonl --format csv -o o");
    tool.ends(0, "export 1.jsonl 2.jsonl --all-runs --format csv -o o");
}

TEST_CASE("export to XML has no character that XML cannot hold", "[ci][unit]") {
    record r = time_of_processes("a\x01 b\uFFFE c\uFFFF d\uFFFD", {1e6});
    const std::string text = export_as("junit", {r}).text;
    CHECK_THAT(text, ContainsSubstring("a\uFFFD b\uFFFD c\uFFFD d\uFFFD"));
    CHECK(text.find("\uFFFE") == std::string::npos);
    CHECK(text.find("\uFFFF") == std::string::npos);
}

TEST_CASE("export to CSV keeps spreadsheets from computing cells that begin with a blank", "[ci][unit]") {
    record tab = without_value("t"), line = without_value("l");
    tab.reason = "\t=1+1";
    line.reason = "\r=1+1";
    const std::string text = export_as("csv", {tab, line}).text;
    CHECK_THAT(text, ContainsSubstring("'\t=1+1") && ContainsSubstring("\"'\r=1+1\""));
}

TEST_CASE("export to CSV has a line for each result, and no cell that a spreadsheet computes", "[ci][unit]") {
    record r = without_value("=1+1");
    r.reason = "it said \"no\",\nand ended";
    const std::string text = export_as("csv", {time_of_processes("a", {1e6}), r}).text;
    CHECK_RECORDED(text);
}

TEST_CASE("export to JUnit has the numbers of claims that hold, too", "[ci][unit]") {
    record failed = ratio_of("b");
    failed.claim = "speedup(a, b) > \"1.4\" & <more>";
    record warned = ratio_of("c");
    warned.failed = false;
    const std::string text =
        export_as("junit", {time_of_processes("a", {1e6}), failed, warned, without_value("d")}).text;
    CHECK_RECORDED(text);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("export refuses a format that it does not know, and names those that it knows", "[ci][unit]") {
    scripted_tool tool;
    tool.ends_on(2, {time_of_processes("a", {1e6})}, "export --format xml -o out");
}

TEST_CASE("export to PyTorch/XLA's results has model, experiment and metrics of the judged subject", "[ci][unit]") {
    record r = ratio_of("model / speedup(eager, inductor)");
    r.suite = "vision";
    r.direction = better::more;
    r.axes = {{"suite", "timm"}, {"model", "resnet18"}, {"device", "cuda:0"}, {"batch", "8"}};
    r.subjects[1].strip = {2e9};
    r.subjects[1].iterations = 3;
    const auto line = json_as("xla", {r});
    CHECK(line["model"] == nlohmann::json{{"suite_name", "timm"}, {"model_name", "resnet18"}});
    CHECK(line["experiment"]["accelerator"] == "cuda");
    CHECK(line["experiment"]["batch_size"] == 8);
    CHECK(line["experiment"]["dynamo"] == nullptr);
    CHECK(line["metrics"]["per_iter_time"] == nlohmann::json::array({2.0}));
    CHECK_THAT(line["metrics"]["total_time"][0].get<double>(), WithinRel(6.0, 1e-12));
    CHECK(line["iterations_per_run"] == 3);
    r.direction = better::less;  // latency(b) < 0.8 * latency(a): the numerator is judged
    r.subjects[0].strip = {1e9};
    CHECK(json_as("xla", {r})["metrics"]["per_iter_time"] == nlohmann::json::array({1.0}));
    CHECK(json_as("xla", {r})["verification_code"] == "VERIFIER_SKIPPED");
    r.time = GENERATE("", "yesterday", "2026-13-01T00:00:00Z", "2026-11-19 10:20:30");  // of another form
    CHECK(json_as("xla", {r})["timestamp"] == nullptr);
}

TEST_CASE("export to PyTorch/XLA's results says what happened in the words of benchmarks/dynamo", "[ci][unit]") {
    struct row {
        std::optional<verification_code> code;
        std::optional<failure_kind> failure;
        nlohmann::json accuracy;
    };
    using enum verification_code;
    const auto given = GENERATE(values<row>({
        {pass, {}, "pass"},
        {pass, failure_kind::timed_out, "pass"},
        {fail, {}, "fail_accuracy"},
        {load_failed, {}, "model_fail_to_load"},
        {eager_failed, {}, "eager_1st_run_fail"},
        {eager_out_of_memory, {}, "eager_1st_run_OOM"},
        {verification_code::out_of_memory, {}, "OOM"},
        {exception_raised, {}, "fail_to_run"},
        {nondeterministic_eager_run, {}, "eager_two_runs_differ"},
        {verifier_skipped, {}, "pass_due_to_skip"},
        {verifier_didnt_run, {}, nullptr},
        {{}, failure_kind::out_of_memory, "OOM"},
        {{}, failure_kind::timed_out, "timeout"},
        {{}, failure_kind::load_threw, "model_fail_to_load"},
        {{}, failure_kind::body_threw, "fail_to_run"},
        {{}, failure_kind::worker_failed, "infra_error"},
        {{}, failure_kind::too_slow, nullptr},
        {{}, {}, nullptr},
    }));
    record r = without_value("x");
    r.failure = given.failure;
    if (given.code) r.verified = verification{*given.code, {}, {}};
    CHECK(json_as("xla", {r})["accuracy"] == given.accuracy);
}

}  // namespace perfspec
