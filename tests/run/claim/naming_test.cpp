// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include "../stored_program.hpp"

#include <perfspec/claim/record_of.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/shell.hpp>

namespace perfspec {
namespace {

using namespace testing;

void one_function() {}
void another_function() {}

/// A program that names its queries and measures nothing.
struct naming_program : scripted_run {
    naming_program() { variables["PERFSPEC_MODE"] = "off"; }
};

}  // namespace

TEST_CASE("bodies without names are named by the place of the assertion", "[run][unit]") {
    naming_program program;
    const auto f = [] {};
    CHECK(program.evaluate(latency(f) < 3ms, {}, {.line = 42}).key == "sorting / latency(sort_test.cpp:42)");
    CHECK(program.evaluate(speedup(f, [] {}) > 1, {}, {.line = 43}).query ==
          "speedup(sort_test.cpp:43, sort_test.cpp:43#2)");
    const auto g = complexity(setup([](std::size_t n) { return n; }), [](std::size_t&) {}, {1, 8, 64});
    CHECK(program.evaluate(g <= order::power(1), {}, {.line = 44}).query == "complexity(sort_test.cpp:44)");
}

TEST_CASE("a subject's own name comes before the place", "[run][unit]") {
    naming_program program;
    const subject x("quick sort", [] {});
    CHECK(program.evaluate(speedup(x, [] {}) > 1, {}, {.line = 42}).query == "speedup(quick sort, sort_test.cpp:42)");
}

TEST_CASE("a claim on a stored baseline needs names", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(latency([] {}) < baseline());
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_THAT(r.reason, ContainsSubstring("perfspec::subject(\"name\", f)"));
    const auto g = complexity(setup([](std::size_t n) { return n; }), [](std::size_t&) {}, {1, 8, 64});
    CHECK(program.evaluate(g <= baseline()).reason == r.reason);
    naming_program keyed;
    CHECK(keyed.evaluate(latency([] {}) < baseline(), {key("empty")}).key == "sorting / empty");
}

TEST_CASE("key(\"...\") stands for the query in the key", "[run][unit]") {
    naming_program program;
    program.framework.at.sections = {"large"};
    const record r = program.evaluate(latency([] {}) < 3ms, {key("sort of 1M")}, {.line = 42});
    CHECK(r.key == "sorting / large / sort of 1M");
    CHECK(r.query == "latency(sort_test.cpp:42)");
}

TEST_CASE("axes are part of the key, sorted by name", "[run][unit]") {
    naming_program program;
    const auto x = subject("sort", [] {}).axis("n", 8).axis("layout", "rows");
    const record r = program.evaluate(latency(x) < 3ms);
    CHECK(r.key == "sorting / latency(sort) / layout=rows / n=8");
    CHECK(r.axes == std::vector<std::pair<std::string, std::string>>{{"layout", "rows"}, {"n", "8"}});
}

TEST_CASE("axes in conflict make the claim an error", "[run][unit]") {
    naming_program program;
    const auto a = subject("a", [] {}).axis("n", 8);
    const auto b = subject("b", [] {}).axis("n", 9);
    CHECK(program.evaluate(speedup(a, b) > 1).verdict == verdict::error);
    CHECK(program.evaluate(latency(a) < latency(b)).verdict == verdict::error);
}

TEST_CASE("two different subjects under one key are errors, and both places are named", "[run][unit]") {
    naming_program program;
    CHECK(program.evaluate(latency(subject("sort", [] {})) < 3ms, {}, {.line = 10}).verdict == verdict::skipped);
    CHECK_THAT(program.error(latency(subject("sort", [] {})) < 3ms, {}, {.line = 20}),
               ContainsSubstring("\"sorting / latency(sort)\"") && ContainsSubstring("sort_test.cpp:10") &&
                   ContainsSubstring("sort_test.cpp:20") && ContainsSubstring("key("));
}

TEST_CASE("a bare callable may stand in several claims", "[run][unit]") {
    naming_program program;
    const auto key_is_free = [&](const detail::expression& query, int line) {
        return program.evaluate(query, {key("f")}, {.line = line}).verdict == verdict::skipped;
    };
    SECTION("without captures") {
        const auto f = [] {};
        CHECK(key_is_free(latency(f), 10));
        CHECK(key_is_free(latency(f), 10));
        CHECK(key_is_free(latency(f), 20));
    }
    SECTION("a function") {
        CHECK(key_is_free(latency(one_function), 10));
        CHECK(key_is_free(latency(&one_function), 10));
        CHECK_FALSE(key_is_free(latency(another_function), 20));
    }
    SECTION("with captures, at several places") {
        int n = 0;
        const auto f = [&n] { ++n; };
        CHECK(key_is_free(latency(f), 10));
        CHECK(key_is_free(latency(f), 20));
        CHECK_FALSE(key_is_free(latency(f), 10));  // a loop: n may differ
        CHECK_FALSE(key_is_free(latency([&n] { ++n; }), 30));
    }
}

TEST_CASE("several claims may bound one query, and one key may come back in another pass", "[run][unit]") {
    naming_program program;
    const subject x("sort", [] {});
    CHECK(program.evaluate(latency(x) < 3ms).verdict == verdict::skipped);
    CHECK(program.evaluate(latency(x) < 4ms).verdict == verdict::skipped);
    ++program.framework.at.pass;  // generators, sections
    CHECK(program.evaluate(latency(subject("sort", [] {})) < 3ms).verdict == verdict::skipped);
}

namespace {

using commands = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("shell_quoted makes one word of any text", "[run][unit]") {
    CHECK(shell_quoted("plain") == "'plain'");
    CHECK(shell_quoted("it's") == "'it'\\''s'");
    CHECK(shell_quoted("") == "''");
    CHECK(shell_quoted("$HOME `x` \"y\" \\ \n") == "'$HOME `x` \"y\" \\ \n'");
}

TEST_CASE("ctest_pattern takes every character for itself, and the whole name", "[run][unit]") {
    CHECK(ctest_pattern("", "sorting") == "^sorting$");
    CHECK(ctest_pattern("", "sort [1M], \"fast\" (a+b)?") == "^sort \\[1M\\], \"fast\" \\(a\\+b\\)\\?$");
    CHECK(ctest_pattern("", "^a.b*c|d\\e$") == "^\\^a\\.b\\*c\\|d\\\\e\\$$");
    CHECK(ctest_pattern("vision/", "sorting") == "^vision/sorting$");
    CHECK(ctest_pattern("example (1): ", "sorting") == "^example \\(1\\): ?sorting$");
}

TEST_CASE("a claim that fails can be run again by the program alone", "[run][unit]") {
    scripted_run program;
    program.framework.at.test = "it's sorting";
    const record r = program.evaluate(latency(program.takes("sort", 1ms)) < 900us, {confirm::off});
    CHECK(r.commands == commands{{"again", "'/build/sort_test' 'it'\\''s sorting'"}});
}

TEST_CASE("a claim of a project's tests is run again by ctest", "[run][unit]") {
    scripted_run program;
    program.framework.at.test = "sort [1M]";
    program.context().set_project({"sorts", "/project/baselines", "/project/build", "sorts: "});
    const record found = program.evaluate(latency(program.takes("sort", 1ms)) < 900us, {confirm::off});
    CHECK(found.commands ==
          commands{{"again", "ctest --test-dir '/project/build' -R '^sorts: ?sort \\[1M\\]$' --output-on-failure"}});
}

TEST_CASE("a claim that is violated against its baseline can be accepted where that is kept", "[run][unit]") {
    const auto [named, stored_in, variable] = GENERATE(table<std::string, std::string, std::string>({
        {"", "/project/baselines", ""},
        {"", "/build/perfspec-baselines", "PERFSPEC_BASELINE_DIR='/build/perfspec-baselines' "},  // of this machine
        {"/elsewhere", "/elsewhere", "PERFSPEC_BASELINE_DIR='/elsewhere' "},
        {"mine", "/project/mine", "PERFSPEC_BASELINE_DIR='/project/mine' "},  // from where the program was started
    }));
    stored_program program(processes_of(1.2e6, 4));
    if (!named.empty()) program.variables["PERFSPEC_BASELINE_DIR"] = named;
    program.store(program.key(), about(1e6, 10), "ns", stored_in);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    REQUIRE(r.verdict == verdict::violated);
    CHECK(r.commands == commands{{"again", "'/build/sort_test' 'sorting'"},
                                 {"accept", variable + "PERFSPEC_UPDATE_BASELINES=1 '/build/sort_test' 'sorting'"}});
}

TEST_CASE("a claim that is an error cannot be accepted", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 4));
    program.store(program.key(), about(1e6, 10));
    const record wrong = program.evaluate(metric("tokens/s", more_is_better, program.sort) > 0.9 * baseline());
    REQUIRE(wrong.verdict == verdict::error);
    for (const auto& [what, command] : wrong.commands) CHECK(what != "accept");
}

TEST_CASE("accepting as the command says writes the baseline of this machine", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 10));
    program.variables["PERFSPEC_BASELINE_DIR"] = "/build/perfspec-baselines";
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.store(program.key(), about(1e6, 10), "ns", "/build/perfspec-baselines");
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.baseline.value().action == baseline_action::updated);
    CHECK(program.stored("/build/perfspec-baselines").entries.at(0).processes.at(0).value == 1.2e6);
}

TEST_CASE("a claim that is violated in CI can be accepted from its results", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 10));
    program.variables["CI"] = "true";
    program.variables["PERFSPEC_OUTPUT"] = "out/it's.jsonl";
    program.files.put_folder("/project/.git");
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    REQUIRE(r.verdict == verdict::violated);
    REQUIRE(r.commands.size() == 3);
    CHECK(r.commands[2] == std::pair<std::string, std::string>(
                               "from CI", "perfspec accept 'it'\\''s.jsonl' --baseline-dir 'baselines'"));
}

TEST_CASE("what is accepted from results goes where the baselines of the project are", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 10));
    program.variables["CI"] = "true";
    program.variables["PERFSPEC_OUTPUT"] = "results.jsonl";
    SECTION("from the top of the repository, whose .git may be a file") {
        program.files.put("/project/.git", "gitdir: /elsewhere\n");
        program.files.put_folder("/project/perf/baselines");
        program.context().set_project({"sorts", "/project/perf/baselines", "/project/build", ""});
        CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).commands.back().second ==
              "perfspec accept 'results.jsonl' --baseline-dir 'perf/baselines'");
    }
    SECTION("by its path where there is no repository") {
        program.files.put_folder("/project/baselines");
        CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).commands.back().second ==
              "perfspec accept 'results.jsonl' --baseline-dir '/project/baselines'");
    }
    SECTION("as the option says, from the top of the repository on too") {
        program.files.put_folder("/project/.git");
        program.variables["PERFSPEC_BASELINE_DIR"] = GENERATE("mine", "/project/mine");
        program.files.put_folder("/project/mine");
        CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).commands.back().second ==
              "perfspec accept 'results.jsonl' --baseline-dir 'mine'");
    }
    SECTION("called baselines where there is none yet") {
        const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
        CHECK(r.commands.back().second == "perfspec accept 'results.jsonl' --baseline-dir 'baselines'");
        CHECK(r.reason ==
              "no baselines for hardware \"" + r.hardware_key +
                  "\" are committed; to store what this run measured as baselines: " + r.commands.back().second);
    }
}

TEST_CASE("results are not offered for accepting where they lack processes", "[run][unit]") {
    const auto name = GENERATE("holds", "no output", "baseline_processes=0", "a desk");
    INFO(name);
    const std::string_view which = name;
    stored_program program(processes_of(which == "holds" ? 1e6 : 1.2e6, 10));
    if (which != "a desk") program.variables["CI"] = "true";
    if (which != "no output") program.variables["PERFSPEC_OUTPUT"] = "results.jsonl";
    if (which == "baseline_processes=0") program.variables["PERFSPEC_BASELINE_PROCESSES"] = "0";
    program.store(program.key(), about(1e6, 10));
    for (const auto& [what, command] : program.evaluate(latency(program.sort) < 1.05 * baseline()).commands)
        CHECK(what != "from CI");
}

TEST_CASE("a claim outside of a test framework has no commands", "[run][unit]") {
    scripted_run program;
    program.framework.at.test = "";
    CHECK(program.evaluate(latency(program.takes("sort", 1ms)) < 900us, {confirm::off}).commands.empty());
}

TEST_CASE("a claim whose own options are wrong has a result", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_OUTPUT"] = "results.jsonl";
    CHECK(program.evaluate(latency(program.takes("sort", std::chrono::milliseconds(1))) < 3ms, {rounds(1)}).verdict ==
          verdict::error);
    CHECK(program.files.text("/project/results.jsonl").find("\"verdict\":\"error\"") != std::string::npos);
}

}  // namespace perfspec
