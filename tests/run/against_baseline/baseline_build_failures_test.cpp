// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Failures of comparisons with another build.
#include "../two_builds.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <support/captured_stream.hpp>

#include <cerrno>
#include <csignal>

namespace perfspec {

using namespace testing;

TEST_CASE("what goes wrong with a build is an error, in its words, and leaves no worker", "[run][unit]") {
    const std::string of_build = "the baseline build (/baseline/sort_test): ";
    const auto [request, reply, reason] = GENERATE_COPY(table<std::string, worker_reply, std::string>({
        {"",
         {{},
          child_end{.how = child_outcome::not_started,
                    .code = 2,
                    .last_words = "\"/baseline/sort_test\": No such file or directory"}},
         of_build +
             "there is no answer: the child could not be started: \"/baseline/sort_test\": No such file or directory"},
        {"",
         {{}, ended(0)},
         of_build +
             "there is no answer: the child ended with exit code 0; it printed nothing; is it a test program that was built with perfspec?"},
        {"",
         {R"({"answer":"unreached"})", ended(42)},
         of_build + "it did not reach this claim: the child ended with exit code 42; it printed nothing"},
        {"",
         {R"({"answer":"error","reason":"the file that asserts is compiled without optimization"})"},
         of_build + "the file that asserts is compiled without optimization"},
        {"",
         {R"({"answer":"hello","protocol":9,"perfspec":"3.0","unit":"ns","key":"x"})"},
         of_build +
             "it is built with perfspec 3.0, whose workers speak version 9, and this program speaks version 4: build both with one "
             "version of perfspec"},
        {"",
         {R"({"answer":"hello","protocol":4,"perfspec":"0.2.0","unit":"ns","key":"x"})"},
         of_build + "it answered for \"x\", expected \"sorting / latency(sort)\""},
        {"",
         {R"-({"answer":"hello","protocol":4,"perfspec":"0.2.0","unit":"items/s","key":"sorting / latency(sort)"})-"},
         "the baseline build measures this key in items/s, and this one in ns: give the query another key(\"…\")"},
        {"prepare",
         {{}, child_end{.how = child_outcome::signalled, .code = SIGSEGV, .last_words = "while measuring"}},
         of_build +
             "there is no answer: the child was ended by signal 11 (Segmentation fault); its last words: \"while measuring\""},
        {"run", {R"({"answer":"error","reason":"\"sort\" threw"})"}, of_build + "\"sort\" threw"},
        {"finish", {R"({"answer":"hm"})"}, of_build + "it says \"{\"answer\":\"hm\"}\": expected finished"},
    }));
    two_builds program;
    program.baseline.instead = reply_to(request, reply);
    const record found = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(found.verdict == verdict::error);
    CHECK(found.failed);
    CHECK(found.reason == reason);
    CHECK(program.launcher.living == 0);
    REQUIRE(found.advice.size() == 1);
    CHECK(
        found.advice[0] ==
        "set PERFSPEC_BASELINE_BUILD to another build of this test program, or to its build folder, which contains a "
        "CMakeCache.txt; if this program is in a build folder, too, one that is missing from the baseline's folder is "
        "new");
}

TEST_CASE("builds that do not fit into memory together are measured one after the other", "[run][unit]") {
    const auto lack = GENERATE(values<worker_reply>({
        {{}, child_end{.how = child_outcome::signalled, .code = SIGKILL}},
        {{},
         child_end{.how = child_outcome::signalled, .code = SIGABRT, .last_words = "an instance of 'std::bad_alloc'"}},
        {{},
         child_end{.how = child_outcome::not_started,
                   .code = ENOMEM,
                   .last_words = "\"/baseline/sort_test\": Cannot allocate memory"}},
        {R"({"answer":"error","reason":"\"sort\" threw c10::Error: CUDA out of memory","kind":"out_of_memory"})"},
    }));
    const std::string request = GENERATE("", "prepare", "run");
    const auto says_why = [](const record& r) {
        return std::ranges::any_of(r.disturbed.notes, [](const std::string& note) {
            return note.starts_with(
                "both builds together do not fit into memory, so they were measured one after the other");
        });
    };
    two_builds program;
    program.baseline.instead = [&](const std::string& received) {
        return word_of(received) == request && program.launcher.living == 2 ? lack : worker_reply{};
    };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 7);
    CHECK(program.count(R"(head {"request":"measure"})") == 7);
    CHECK(program.count("baseline start") == 8);  // together once, and never again
    CHECK(says_why(r));
}

TEST_CASE("a lack of memory in a later process pair is an error", "[run][unit]") {
    two_builds program;
    program.head.instead = [&](const std::string& received) -> worker_reply {
        if (program.head.started < 3 || word_of(received) != "prepare") return {};
        return {{}, child_end{.how = child_outcome::signalled, .code = SIGKILL}};
    };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("a lack of memory of one build by itself is an error", "[run][unit]") {
    two_builds program;
    program.baseline.instead = reply_to("", {{}, child_end{.how = child_outcome::signalled, .code = SIGKILL}});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK_RECORDED(r.reason);
    CHECK(program.count("baseline start") == 2);
    CHECK(r.advice.size() == 1);
}

TEST_CASE("a baseline build with a relative path is named as a whole, with where that begins", "[run][unit]") {
    two_builds program;
    program.variables["PERFSPEC_BASELINE_BUILD"] = "../baseline/./sort_test";
    program.start.working_directory = "/build/tests";
    program.baseline.instead =
        reply_to("", {{}, child_end{.how = child_outcome::not_started, .code = 2, .last_words = "No such file"}});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, StartsWith("the baseline build (/build/baseline/sort_test): "));
    CHECK_RECORDED(r.advice.at(1));
}

TEST_CASE("what goes wrong with this build's own worker is reported as its own", "[run][unit]") {
    two_builds program;
    program.head.instead = reply_to("", {R"({"answer":"unreached"})", ended(0)});
    CHECK_RECORDED(program.evaluate(latency(program.sort) < 1.05 * baseline()).reason);
    program.head.instead = reply_to("prepare", {R"({"answer":"error","reason":"\"sort\" threw"})"});
    check_recorded("2", program.evaluate(latency(program.sort) < 1.05 * baseline()).reason);
}

TEST_CASE("a failed process makes a comparison of percentiles an error", "[run][unit]") {
    two_builds program;
    program.key = "sorting / p99(latency(sort))";
    program.baseline.instead =
        reply_to("measure", {parse_answer(confirms(verdict::error, "no memory")).payload.value()});
    const record r = program.evaluate(p99(latency(program.sort)) < 1.2 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK(r.reason == "a process could not be measured: no memory");
    CHECK(r.advice.size() == 1);
}

TEST_CASE("an update of baselines against another build is refused", "[run][unit]") {
    two_builds program;
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    CHECK_RECORDED(program.error(latency(program.sort) < 1.05 * baseline()));
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a program that cannot be started again cannot be compared with another build", "[run][unit]") {
    two_builds program;
    program.framework.at.test.clear();
    program.key = "latency(sort)";
    CHECK_RECORDED(program.evaluate(latency(program.sort) < 1.05 * baseline()).reason);
    program.context().set_arguments({});
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
}

TEST_CASE("an offset larger than the baseline build's value is an error", "[run][unit]") {
    two_builds program;
    CHECK_RECORDED(program.error(latency(program.sort) < baseline() - 2ms));
}

namespace {

/// The number of notes on the bytes of the builds.
std::ptrdiff_t notes_on_bytes(const record& r) {
    return std::ranges::count(
        r.disturbed.notes,
        "the baseline build (/baseline/sort_test) has the same bytes as this program, so every difference is chance");
}

}  // namespace

TEST_CASE("a baseline build of another suite is an error, and names both", "[run][unit]") {
    const std::string another =
        "the baseline build (/baseline/sort_test): it is another program, because its suite is \"map_test\" and this "
        "one's is \"sort_test\": name a build of this program, or, if it is one, give both the same suite, "
        "perfspec_discover_tests(… SUITE name)";
    two_builds program;
    SECTION("where it lacks the claim") {
        program.baseline.instead =
            reply_to("", {R"-({"answer":"unreached","suite":"map_test","key":"mapping / latency(map)"})-", ended(0)});
    }
    SECTION("where it has a claim of this name, and both projects told their suites") {
        program.context().set_project({.suite = "sort_test", .baselines = {}, .build = {}, .prefix = {}});
        program.baseline.hello.suite = "map_test";
    }
    CHECK(program.error(latency(program.sort) < 1.05 * baseline()) == another);
    CHECK(program.launcher.living == 0);
}

TEST_CASE("a claim that a baseline build of this suite lacks is new", "[run][unit]") {
    two_builds program;
    program.baseline.instead =
        reply_to("", {R"-({"answer":"unreached","suite":"sort_test","key":"sorting / latency(map)"})-", ended(0)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.baseline.value().action == baseline_action::is_new);
}

TEST_CASE("a program that the baseline build folder lacks is new, and in a folder that is none error", "[run][unit]") {
    const auto [own_cache, other_cache, is_new] =
        GENERATE(table<std::string, std::string, bool>({{"/build/CMakeCache.txt", "/ref/CMakeCache.txt", true},
                                                        {"/build/CMakeCache.txt", "/ref/other.txt", false},
                                                        {"/build/other.txt", "/ref/CMakeCache.txt", false}}));
    two_builds program;
    program.variables["PERFSPEC_BASELINE_BUILD"] = "/ref";
    program.files.put(own_cache, "x");
    program.files.put(other_cache, "x");
    program.baseline.instead = reply_to("", {{}, child_end{.how = child_outcome::not_started, .code = 2}});
    const record found = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(found.verdict == (is_new ? verdict::skipped : verdict::error));
    CHECK(found.failed != is_new);
    CHECK(program.count("baseline start") == (is_new ? 0 : 1));
    if (!is_new) return;
    CHECK(found.baseline.value().action == baseline_action::is_new);
    CHECK(found.reason == "the baseline build does not have this program, /ref/sort_test");
    CHECK(found.estimate.has_value());
    program.files.put("/ref/sort_test", "ELF");
    program.baseline.instead = {};
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
}

TEST_CASE("a baseline build that is this program itself is an error, and nothing is started", "[run][unit]") {
    two_builds program;
    program.variables["PERFSPEC_BASELINE_BUILD"] = program.start.executable;
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_RECORDED(r.reason);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a baseline build whose subject is the same file in another language is an error", "[run][unit]") {
    const std::string same =
        "both builds run the same code, \"eager\" of /source/models.py, so there is nothing to compare: make a second "
        "checkout for the baseline, git worktree add ../baseline, and build it there";
    const std::string in_head = "\"eager\" of /source/models.py";
    const auto reason_where_reference_says = [&](const std::string& runs, std::ptrdiff_t samples) {
        two_builds program;
        program.head.hello.runs = in_head;
        program.baseline.hello.runs = runs;
        const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
        CHECK(program.count(R"(head {"request":"run","iterations":3,"warm":false})") >= samples);
        return r.reason;
    };
    CHECK(reason_where_reference_says(in_head, 0) == same);
    CHECK(reason_where_reference_says("\"eager\" of /baseline/models.py", 7).empty());
    CHECK(reason_where_reference_says("", 7).empty());  // it was in C++ there, or of an older perfspec
    SECTION("one build after the other, too") {
        two_builds program;
        program.key = "sorting / p90(latency(sort))";
        program.head.hello.runs = program.baseline.hello.runs = in_head;
        CHECK(program.evaluate(percentile(latency(program.sort), 90) < 1.05 * baseline()).reason == same);
    }
}

TEST_CASE("a baseline build with the same bytes is compared, and the verdict says so", "[run][unit]") {
    two_builds program;
    program.files.put("/build/sort_test", "ELF");
    program.files.put("/baseline/sort_test", "ELF");
    program.head.call_ns = always(1e4);  // too short for an announcement
    program.baseline.call_ns = always(1e4);
    const captured_stream console;
    program.console = console.file();
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(program.evaluate(latency(program.sort) < 1.1 * baseline()).verdict == verdict::holds);
    const std::string once =
        "perfspec: the baseline build (/baseline/sort_test) has the same bytes as this program, so every difference is "
        "chance\n";
    CHECK(console.text() == once);
    CHECK(r.verdict == verdict::holds);
    CHECK(notes_on_bytes(r) == 1);
    two_builds changed;
    changed.files.put("/build/sort_test", "ELF");
    changed.files.put("/baseline/sort_test", "ELF, slower");
    CHECK(notes_on_bytes(changed.evaluate(latency(changed.sort) < 1.05 * baseline())) == 0);
}

}  // namespace perfspec
