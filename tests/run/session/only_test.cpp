// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace testing;

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
        return r.verdict == verdict::holds ? "h" : r.verdict == verdict::skipped ? "-" : "?";
    }
};

}  // namespace

TEST_CASE("only evaluates the claims that have its axes, and counts the others", "[run][unit]") {
    sweep program;
    program.variables["PERFSPEC_ONLY"] = "batch=8,batch=16";
    CHECK(program.verdicts() == "-hh-");
    CHECK(program.context().records().size() == 2);
    CHECK_RECORDED(program.context().summary());
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("an assertion that --perf-only excludes runs nothing, writes no record and says why", "[run][unit]") {
    stored_program program;
    program.variables["PERFSPEC_ONLY"] = "batch=8";
    program.variables["PERFSPEC_OUTPUT"] = "results.jsonl";
    const assertion_outcome left = program.outcome(latency(program.sort) < 1.05 * baseline());
    CHECK(left.left_out);
    CHECK(left.result.verdict == verdict::skipped);
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
    CHECK(program.evaluate(speedup(subject(fast).axis("batch", 8), subject(slow).axis("batch", 8)) > 1).verdict ==
          verdict::violated);
    CHECK(program.variable_of_child(0, "PERFSPEC_ONLY").empty());
    CHECK_THAT(detail::json(program.request_of_child(0).plan.defaults), ContainsSubstring(R"("only":"")"));
}

TEST_CASE("a filter that leaves out everything does not pass silently", "[run][unit]") {
    sweep program;
    program.variables["PERFSPEC_ONLY"] = "batch=9";
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    CHECK(program.verdicts() == "----");
    CHECK(program.context().summary() == "perfspec: all 4 claims left out by only=batch=9: nothing was judged\n");
    CHECK(program.context().exit_code(0) == 77);
    CHECK(program.context().exit_code(42) == 42);
}

TEST_CASE("updating baselines with only leaves the other entries as they are, byte for byte", "[run][unit]") {
    stored_program program(processes_of(2e6, 10));
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

namespace {

/// Assertions at one place of the source, and at another.
const written here{.line = 42};
const written elsewhere{.line = 43};

}  // namespace

TEST_CASE("two queries under one key(\"...\") are errors, and both places are named", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 2ms, {key("k")}, here).verdict == verdict::holds);
    const record second = program.evaluate(cpu_time(x) < 2ms, {key("k")}, elsewhere);
    CHECK(second.verdict == verdict::error);
    CHECK_THAT(
        second.reason,
        ContainsSubstring("two different queries have the key \"sorting / k\": latency(x) at sort_test.cpp:42, and "
                          "cpu_time(x) at sort_test.cpp:43: give one of them another key"));
}

TEST_CASE("a claim on baseline() that another value of a generator reaches is an error under one key", "[run][unit]") {
    stored_program program(processes_of(1e6, 30));
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::skipped);  // recorded
    ++program.framework.at.pass;
    program.framework.at.generated = true;
    CHECK_RECORDED(program.error(latency(x) < 1.05 * baseline(), {}, here));
    CHECK(program.evaluate(latency(x) < 2ms, {confirm::off}, elsewhere).verdict ==
          verdict::holds);  // nothing is stored of it
}

TEST_CASE("a claim on baseline() that every value of a generator gives another axis is judged for each",
          "[run][unit]") {
    stored_program program(processes_of(1e6, 20));
    REQUIRE(program.evaluate(latency(program.takes("x", 1ms).axis("n", 1)) < 1.05 * baseline(), {}, here).verdict ==
            verdict::skipped);
    ++program.framework.at.pass;
    program.framework.at.generated = true;
    CHECK(program.evaluate(latency(program.takes("x", 1ms).axis("n", 2)) < 1.05 * baseline(), {}, here).verdict ==
          verdict::skipped);
}

TEST_CASE("a claim on baseline() in a loop is an error without an axis, and judged with one", "[run][unit]") {
    stored_program program(processes_of(1e6, 40));
    auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::skipped);
    const record again = program.evaluate(latency(x) < 1.05 * baseline(), {}, here);
    CHECK_THAT(again.reason, ContainsSubstring("is reached twice in one pass of its test case under one key"));
    x.axis("n", 2);
    CHECK(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::skipped);
}

TEST_CASE("a claim on baseline() before sections comes back in another pass", "[run][unit]") {
    stored_program program(processes_of(1e6, 30));
    const auto x = program.takes("x", 1ms);
    REQUIRE(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::skipped);
    ++program.framework.at.pass;
    CHECK(program.evaluate(latency(x) < 1.05 * baseline(), {}, here).verdict == verdict::skipped);
}

TEST_CASE("two test cases of one name are errors where their claims have one key", "[run][unit]") {
    scripted_run program;
    program.framework.at.declared_at = "sort_test.cpp:10";
    REQUIRE(program.evaluate(latency(program.takes("x", 1ms)) < 2ms).verdict == verdict::holds);
    ++program.framework.at.pass;
    program.framework.at.declared_at = "sort_test.cpp:20";
    const record second = program.evaluate(latency(program.takes("x", 1ms)) < 2ms, {}, elsewhere);
    CHECK(second.verdict == verdict::error);
    CHECK_THAT(
        second.reason,
        ContainsSubstring("two test cases of one name have the key \"sorting / latency(x)\": one at sort_test.cpp:10, "
                          "another at sort_test.cpp:20: rename one of them"));
}

TEST_CASE("a name that holds what joins the parts of a key is another key than two parts", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    program.framework.at.sections = {"b"};
    const std::string of_section = program.evaluate(latency(x) < 2ms).key;
    ++program.framework.at.pass;
    program.framework.at.test = "sorting / b";
    program.framework.at.sections.clear();
    CHECK(program.evaluate(latency(x) < 2ms).key == "sorting \\/ b / latency(x)");
    CHECK(of_section == "sorting / b / latency(x)");
}

}  // namespace perfspec
