// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/session/not_judged.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("builds that are not the product's are not judged, and each body is run once", "[run][unit]") {
    struct row {
        build_kind build;
        const char* name;
    };
    const auto r = GENERATE(values<row>({
        {build_kind::not_optimised, "not optimised"},
        {build_kind::address_sanitizer, "AddressSanitizer"},
        {build_kind::thread_sanitizer, "ThreadSanitizer"},
        {build_kind::memory_sanitizer, "MemorySanitizer"},
    }));
    stored_program program;
    const record ratio =
        program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1, {}, {.build = r.build});
    CHECK(ratio.verdict == verdict::not_judged);
    CHECK_FALSE(ratio.failed);
    CHECK_FALSE(ratio.on_request);
    CHECK(ratio.build == r.name);
    CHECK_THAT(ratio.reason, ContainsSubstring("its times are not those of the product"));
    CHECK(program.bodies_run == 2);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline(), {}, {.build = r.build}).verdict ==
          verdict::not_judged);
    CHECK(program.bodies_run == 3);
    CHECK(program.evaluate(latency(program.sort) < 2 * latency(program.takes("c", 1ms)), {}, {.build = r.build})
              .verdict == verdict::not_judged);
    CHECK(program.bodies_run == 5);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a body that throws is told in builds that are not judged too", "[run][unit]") {
    scripted_run program;
    const subject throws("throws", [] { throw std::runtime_error("no"); });
    CHECK(program.evaluate(latency(throws) < 3ms, {}, {.build = build_kind::not_optimised}).verdict ==
          verdict::invalid);
}

TEST_CASE("nothing is judged under a debugger or Valgrind", "[run][unit]") {
    scripted_run debugged;
    debugged.under_debugger = [] { return true; };
    CHECK(debugged.evaluate(latency(debugged.takes("sort", 1ms)) < 3ms).reason == "a debugger is attached");
    scripted_run slow_motion;
    slow_motion.variables["LD_PRELOAD"] = "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so";
    const record r = slow_motion.evaluate(latency(slow_motion.takes("sort", 1ms)) < 3ms);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.reason == "the program runs under Valgrind");
}

TEST_CASE("mode=smoke runs every body once", "[run][unit]") {
    stored_program program;
    program.variables["PERFSPEC_MODE"] = "smoke";
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.on_request);
    CHECK_THAT(r.reason, StartsWith("mode=smoke"));
    CHECK(program.bodies_run == 2);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).on_request);
    CHECK(program.bodies_run == 3);
}

TEST_CASE("mode=verify and mode=off run nothing", "[run][unit]") {
    const char* mode = GENERATE("verify", "off");
    stored_program program;
    program.variables["PERFSPEC_MODE"] = mode;
    for (const record& r :
         {program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1),
          program.evaluate(latency(program.sort) < 3ms), program.evaluate(latency(program.sort) < 1.05 * baseline())}) {
        CHECK(r.verdict == verdict::not_judged);
        CHECK(r.on_request);
    }
    CHECK(program.bodies_run == 0);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("in CI nobody asks for what is not judged", "[run][unit]") {
    struct row {
        const char* name;
        const char* value;
    };
    const auto r = GENERATE(values<row>({{"PERFSPEC_MODE", "smoke"},
                                         {"PERFSPEC_MODE", "verify"},
                                         {"PERFSPEC_MODE", "off"},
                                         {"PERFSPEC_MODE", "dry-run"},
                                         {"PERFSPEC_UPDATE_BASELINES", "1"}}));
    stored_program program(launches_of(1e6, 10));
    program.variables["CI"] = "true";
    program.variables[r.name] = r.value;
    program.files.put_folder("/project/baselines");
    for (const record& one :
         {program.evaluate(latency(program.sort) < 3ms), program.evaluate(latency(program.sort) < 1.05 * baseline())}) {
        CHECK(one.verdict == verdict::not_judged);
        CHECK_FALSE(one.on_request);
    }
    CHECK(program.context().exit_code(0) == 77);
}

TEST_CASE("nothing is judged in a program with a file that is compiled with a sanitizer or for coverage",
          "[run][unit]") {
    scripted_run program;
    program.instrumented_by = []() noexcept { return "UndefinedBehaviorSanitizer"; };
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 3ms);
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.reason ==
          "a file of this program is compiled with UndefinedBehaviorSanitizer: its times are not those of the product");
}

TEST_CASE("mode=verify compares outputs", "[run][unit]") {
    static bool compared = false;
    static constexpr body_functions functions{.same_output = [](void*, void*) {
        compared = true;
        return verification{verification_code::fail, "differs", {}};
    }};
    compared = false;
    scripted_run program;
    program.variables["PERFSPEC_MODE"] = "verify";
    const subject a("a", functions, 1);
    const subject b("b", functions, 1);
    CHECK(program.evaluate(speedup(a, b) > 1).verdict == verdict::invalid);
    CHECK(compared);
    CHECK(program.evaluate(same_output(a, b)).verdict == verdict::violated);
}

TEST_CASE("mode=off compares no outputs", "[run][unit]") {
    static constexpr body_functions functions{.same_output = [](void*, void*) {
        return verification{verification_code::fail, "differs", {}};
    }};
    scripted_run program;
    program.variables["PERFSPEC_MODE"] = "off";
    const record r = program.evaluate(same_output(subject("a", functions, 1), subject("b", functions, 1)));
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.on_request);
}

}  // namespace perfspec
