// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

/// A sweep over batches, with one claim that has no axis.
struct sweep : stored_program {
    using stored_program::stored_program;

    std::string verdicts() {
        std::string text;
        for (const char* batch : {"1", "8", "16"}) text += judged(subject(takes("f", 1ms)).axis("batch", batch));
        return text + judged(takes("g", 1ms));
    }

private:
    std::string judged(const subject& s) {
        const record r = evaluate(latency(s) < 3ms);
        return r.verdict == verdict::holds ? "h" : r.verdict == verdict::not_judged ? "-" : "?";
    }
};

}  // namespace

TEST_CASE("only evaluates the claims that have its axes, and counts the others", "[run][unit]") {
    sweep program;
    program.variables["PERFSPEC_ONLY"] = "batch=8,batch=16";
    CHECK(program.verdicts() == "-hh-");
    CHECK(program.context().records().size() == 2);
    CHECK_THAT(program.context().summary(),
               ContainsSubstring("perfspec: 2 assertions: 2 hold") &&
                   ContainsSubstring("perfspec: 2 assertions left out by only=batch=8,batch=16\n"));
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("an assertion that only leaves out runs nothing, is told to no file and says why", "[run][unit]") {
    stored_program program;
    program.variables["PERFSPEC_ONLY"] = "batch=8";
    program.variables["PERFSPEC_OUTPUT"] = "results.jsonl";
    const assertion_outcome left = program.outcome(latency(program.sort) < 1.05 * baseline());
    CHECK(left.left_out);
    CHECK(left.result.verdict == verdict::not_judged);
    CHECK(left.result.on_request);
    CHECK(left.result.reason == "left out by only=batch=8");
    CHECK_FALSE(left.result.failed);
    CHECK(program.bodies_run == 0);
    CHECK(program.launcher.commands().empty());
    CHECK_FALSE(program.files.has("results.jsonl"));
}

TEST_CASE("a claim that only leaves out keeps its turn among those of its key", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    program.variables["PERFSPEC_ONLY"] = "batch=8";
    const subject slow = program.takes("slow", 2ms);
    const subject fast = program.takes("fast", 1ms);
    static_cast<void>(program.evaluate(speedup(fast, slow) > 1, {key("same")}));
    CHECK(program.context().keys().size() == 1);
    const record r = program.evaluate(speedup(subject(fast).axis("batch", 8), subject(slow).axis("batch", 8)) > 1);
    CHECK(r.verdict == verdict::violated);
    CHECK(program.given_to_child(0, "PERFSPEC_ONLY").empty());
    CHECK_THAT(program.asked_of_child(0).plan, ContainsSubstring(";?only=;"));
}

TEST_CASE("a filter that leaves out everything does not pass silently", "[run][unit]") {
    sweep program;
    program.variables["PERFSPEC_ONLY"] = "batch=9";
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    CHECK(program.verdicts() == "----");
    CHECK(program.context().summary() == "perfspec: all 4 assertions left out by only=batch=9: nothing was judged\n");
    CHECK(program.context().exit_code(0) == 77);
    CHECK(program.context().exit_code(42) == 42);
}

TEST_CASE("updating baselines with only leaves the other entries as they are, byte for byte", "[run][unit]") {
    stored_program program(launches_of(2e6, 10));
    program.variables["PERFSPEC_ONLY"] = "batch=8";
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "all";
    program.files.put_folder("/project/baselines");
    program.store("sorting / latency(sort)", about(1e6, 10));
    const std::string before = program.files.text(program.path());
    CHECK(program.outcome(latency(program.sort) < 1.05 * baseline()).left_out);
    CHECK(program.files.text(program.path()) == before);
    const record r = program.evaluate(latency(subject(program.sort).axis("batch", 8)) < 1.05 * baseline());
    CHECK(r.baseline.value().action == baseline_action::recorded);
    const std::string after = program.files.text(program.path());
    const std::string entry = before.substr(before.find("    \"sorting / latency(sort)\""),
                                            before.rfind("\n  }\n}") - before.find("    \"sorting"));
    CHECK_THAT(after, ContainsSubstring(entry));
    CHECK_THAT(after, ContainsSubstring("latency(sort) / batch=8"));
    CHECK(program.context().exit_code(0) == 0);
}

}  // namespace perfspec
