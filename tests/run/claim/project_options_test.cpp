// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

namespace perfspec {
namespace {

using namespace testing;
using origins = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("a project file gives options to every assertion, after the call, the command line and the environment",
          "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_ROUNDS"] = "50";
    program.files.put(
        "/project/baselines/perfspec.json",
        "{\n  \"margin\": \"2%\",\n  \"rounds\": 90,\n  \"undecided\": \"fail\",\n  \"cap\": \"7s\"\n}\n");
    program.context().set_option(option_id::cap, "9s");
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) <= 3ms, {undecided::pass});
    CHECK(r.margin == 0.02);
    CHECK(r.origins == origins{{"cap", "command line"},
                               {"margin", "/project/baselines/perfspec.json:2"},
                               {"rounds", "environment"},
                               {"undecided", "call"}});
    const plan p = program.context().resolve_plan({});
    CHECK(p.margin == 0.02);
    CHECK(p.rounds == 50);
    CHECK(p.undecided == undecided_effect::fail);
    CHECK(p.cap == 9s);
}

TEST_CASE("a project file is looked for where the committed baselines are", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/baselines/perfspec.json", "{\"margin\": \"2%\"}");
    program.files.put("/elsewhere/perfspec.json", "{\"margin\": \"3%\"}");
    program.files.put("/compiled/in/perfspec.json", "{\"margin\": \"4%\"}");
    CHECK(program.context().resolve_plan({}).margin == 0.02);
    program.context().set_project({.suite = {}, .baselines = "/compiled/in", .build = {}, .prefix = {}});
    CHECK(program.context().resolve_plan({}).margin == 0.04);
    program.context().set_option(option_id::baseline_dir, "/elsewhere");
    CHECK(program.context().resolve_plan({}).margin == 0.03);
    program.files.put_folder("/without");
    program.context().set_option(option_id::baseline_dir, "/without");
    CHECK(program.context().resolve_plan({}).margin == 0.005);
}

TEST_CASE("a folder of baselines that is named and not there is refused, unless an update makes it", "[run][unit]") {
    scripted_run program;
    program.context().set_option(option_id::baseline_dir, "mistyped/baselines");
    CHECK_THROWS_AS(program.context().resolve_plan({}), input_error);
    CHECK_THROWS_RECORDED(std::exception, program.context().resolve_plan({}));
    CHECK(program.evaluate(latency(program.takes("sort", 1ms)) < 3ms).verdict == verdict::error);
    program.context().set_option(option_id::update_baselines, "missing");
    CHECK(program.context().resolve_plan({}).baseline_dir == "mistyped/baselines");
}

TEST_CASE("a project file is read once", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/baselines/perfspec.json", "{\"margin\": \"2%\"}");
    CHECK(program.context().resolve_plan({}).margin == 0.02);
    program.files.put("/project/baselines/perfspec.json", "broken meanwhile");
    CHECK(program.context().resolve_plan({}).margin == 0.02);
}

TEST_CASE("a project file that is wrong makes every assertion an error", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/baselines/perfspec.json", "{\n  \"bugdet\": \"3s\"\n}");
    for (int i = 0; i < 2; ++i) {
        const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms);
        CHECK(r.verdict == verdict::error);
        CHECK(r.failed);
        CHECK_THAT(
            r.reason,
            StartsWith(
                "/project/baselines/perfspec.json:2: \"bugdet\" is not an option of perfspec; did you mean \"budget\""));
    }
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a child has the options of the project file in its plan, and does not read the file", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    program.files.put("/project/baselines/perfspec.json", "{\"margin\": \"2%\", \"iterations\": 3}");
    CHECK(program.evaluate(speedup(program.takes("fast", 1ms), program.takes("slow", 2ms)) > 1).verdict ==
          verdict::violated);
    CHECK_RECORDED(detail::json(program.request_of_child(0).plan.set));
    CHECK_RECORDED(detail::json(program.request_of_child(0).plan.defaults));

    scripted_run child;
    child.variables["PERFSPEC_CHILD"] = program.variable_of_child(0, "PERFSPEC_CHILD");
    child.files.put("/project/baselines/perfspec.json", "broken meanwhile");
    CHECK_NOTHROW(child.context().resolve_plan({}));
    CHECK(child.context().resolve_plan({}).margin == 0.005);
}

namespace {

/// Gives a subject settings: it takes every batch up to 8.
subject with_settings(const subject& s) {
    static body_functions adapter;
    adapter = *s.state().functions;
    adapter.take_settings = [](const subject&, const requested_settings& requested) {
        return requested.batch.value_or(1) > 8 ? std::string("it takes at most 8") : std::string();
    };
    s.state().functions = &adapter;
    return s;
}

}  // namespace

TEST_CASE("a subject takes what the run asks for, and its key says so", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_WITH"] = "batch=8,threads=2";
    const subject model = with_settings(program.takes("model", 1ms));
    const record r = program.evaluate(latency(model) < 3ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.key == "sorting / latency(model) / batch=8 / threads=2");
    CHECK(program.evaluate(latency(model) < 4ms).key == r.key);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("subjects that would be compared at unlike settings are skipped, and are named by them", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_WITH"] = "batch=8";
    const subject loop = program.takes("loop", 2ms);
    const subject model = with_settings(program.takes("model", 1ms));
    const record r = program.evaluate(speedup(loop, model) > 1.5);
    CHECK(r.key == "sorting / speedup(loop, model batch=8)");
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
    CHECK(program.bodies_run == 0);
    CHECK(program.evaluate(latency(loop) < 3ms).verdict == verdict::holds);  // the claim itself did not change
    CHECK(program.evaluate(speedup(program.takes("rows", 2ms).axis("batch", 8), model) > 1.5).verdict ==
          verdict::holds);
}

TEST_CASE("a setting that cannot be applied makes its claim an error, with the reason", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_WITH"] = "batch=8";
    static body_functions adapter;
    const subject model = program.takes("model", 1ms);
    adapter = *model.state().functions;
    adapter.take_settings = [](const subject&, const requested_settings&) -> std::string {
        throw std::runtime_error("out of memory range\nframe #0");
    };
    model.state().functions = &adapter;
    const record r = program.evaluate(latency(model) < 3ms);
    CHECK(r.verdict == verdict::error);
    CHECK(r.reason == "the settings of this run cannot be applied to \"model\": out of memory range");
    CHECK(r.failure == failure_kind::setup_threw);  // the kind is not read from a text
}

TEST_CASE("a body that searches gets the time of its claim, and one that stops is skipped", "[run][unit]") {
    scripted_run program;
    static std::int64_t longest_ns;
    static body_functions adapter;
    const subject model = program.takes("model", 1ms);
    adapter = *model.state().functions;
    adapter.limit_search = [](void*, clock&, std::int64_t told_ns) { longest_ns = told_ns; };
    model.state().functions = &adapter;
    CHECK(program.evaluate(latency(model) < 3ms, {cap(40s)}).verdict == verdict::holds);
    CHECK(longest_ns == 40'000'000'000);
    CHECK(program.evaluate(latency(model) < 3ms, {budget(2s), cap(2s)}).verdict == verdict::holds);
    CHECK(longest_ns == 2'000'000'000);
    adapter.run = [](void*, std::uint64_t) {
        throw measurement_failure(failure_kind::not_countable, "stopped at a batch of 8");
    };
    CHECK(program.skipped(latency(model) < 3ms, {cap(41s)}) == "stopped at a batch of 8");
}

TEST_CASE("a record notes what an adapter saw in the samples of a subject", "[run][unit]") {
    scripted_run program;
    const subject model = program.takes("model", 1ms);
    model.state().caveat = [](void*) { return std::string("2 of 6 steps were left out"); };
    const record r = program.evaluate(latency(model) < 3ms);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.notes.size() == 1);
    CHECK(r.notes.front() == "\"model\": 2 of 6 steps were left out");
}

TEST_CASE("a subject that cannot take a setting is skipped, and is never run", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_WITH"] = "batch=16";
    const record r = program.evaluate(latency(with_settings(program.takes("model", 1ms))) < 3ms);
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.on_request);
    CHECK(r.reason == "\"model\": it takes at most 8");
    CHECK(r.key == "sorting / latency(model) / batch=16");
    CHECK(program.bodies_run == 0);
    CHECK(program.context().exit_code(0) == 77);
}

TEST_CASE("what the code says of a setting stays, and is skipped where the run asks for another value", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_WITH"] = "batch=8";
    const record other = program.evaluate(latency(with_settings(program.takes("model", 1ms)).axis("batch", 4)) < 3ms);
    CHECK(other.verdict == verdict::skipped);
    CHECK(other.key == "sorting / latency(model) / batch=4");
    CHECK_RECORDED(other.reason);
    CHECK(program.bodies_run == 0);
    CHECK(program.evaluate(latency(program.takes("loop", 1ms).axis("batch", 4)) < 3ms).verdict == verdict::skipped);
    CHECK(program.evaluate(latency(program.takes("rows", 1ms).axis("batch", 8)) < 3ms).verdict == verdict::holds);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("a device is any of its kind where the run names no number", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_WITH"] = "device=cuda";
    CHECK(program.evaluate(latency(program.takes("first", 1ms).axis("device", "cuda:0")) < 3ms).verdict ==
          verdict::holds);
    scripted_run second;
    second.variables["PERFSPEC_WITH"] = "device=cuda:1";
    CHECK(second.evaluate(latency(second.takes("first", 1ms).axis("device", "cuda:0")) < 3ms).verdict ==
          verdict::skipped);
}

TEST_CASE("fresh processes get the same settings", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["PERFSPEC_WITH"] = "threads=2";
    const record r = program.evaluate(latency(with_settings(program.sort)) < 1.05 * baseline());
    CHECK(r.key == "sorting / latency(sort) / threads=2");
    CHECK(program.request_of_child(0).address.key == r.key);
    CHECK_THAT(detail::json(program.request_of_child(0).plan.set), ContainsSubstring(R"("with":"threads=2")"));
    const auto again = std::ranges::find(r.commands, "again", &std::pair<std::string, std::string>::first);
    REQUIRE(again != r.commands.end());
    CHECK_THAT(again->second, StartsWith("PERFSPEC_WITH=threads=2 "));
    CHECK(program.variable_of_child(0, "PERFSPEC_WITH").empty());
}

}  // namespace perfspec
