// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
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
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms, {undecided(pass)});
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
    CHECK_THROWS_WITH(
        program.context().resolve_plan({}),
        StartsWith(
            "--perf-baseline-dir or PERFSPEC_BASELINE_DIR names the folder of baselines /project/mistyped/baselines, "
            "which is not there: name one that is"));
    CHECK(program.evaluate(latency(program.takes("sort", 1ms)) < 3ms).verdict == verdict::invalid);
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

TEST_CASE("a project file that is wrong makes every assertion invalid", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/baselines/perfspec.json", "{\n  \"bugdet\": \"3s\"\n}");
    for (int i = 0; i < 2; ++i) {
        const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms);
        CHECK(r.verdict == verdict::invalid);
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
    CHECK_THAT(program.asked_of_child(0).plan, ContainsSubstring("margin=0.02;") && ContainsSubstring("iterations=3;"));

    scripted_run child;
    child.variables["PERFSPEC_CHILD"] = program.given_to_child(0, "PERFSPEC_CHILD");
    child.files.put("/project/baselines/perfspec.json", "broken meanwhile");
    CHECK_NOTHROW(child.context().resolve_plan({}));
    CHECK(child.context().resolve_plan({}).margin == 0.005);
}

}  // namespace perfspec
