// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/failure.hpp>

#include "scripted_worker.hpp"
#include "support/scripted_usage.hpp"
#include "support/temporary_folder.hpp"

#include <support/test.hpp>

#include <csignal>

using namespace perfspec;
using namespace perfspec::testing;
using detail::remote_sample;
using detail::subject_worker;

namespace {

const worker_reply ran{R"({"answer":"ran","iterations":5,"elapsed_ns":19000000,"cpu_ns":38000000})"};

/// The answer that five calls took so long, in nanoseconds.
worker_reply ran_in(int ns) {
    return {R"({"answer":"ran","iterations":5,"cpu_ns":1,"elapsed_ns":)" + std::to_string(ns) + '}'};
}

replies recording(const std::string& operators) {
    return {{"operators", {R"({"answer":"ran","operators":[)" + operators + "]}"}}};
}

/// The exception of an act on a worker with these replies.
template <class Act> measurement_failure failure_of(replies answers, const Act& act) {
    scripted_subject_worker scripted(std::move(answers));
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    try {
        act(worker);
    } catch (const measurement_failure& failure) { return failure; }
    return {failure_kind::no_value, "nothing thrown"};
}

template <class Act> std::string text_of(replies answers, const Act& act) {
    const measurement_failure failure = failure_of(std::move(answers), act);
    CHECK(failure.kind == failure_kind::worker_failed);
    return failure.what();
}

void run_five(subject_worker& worker) { static_cast<void>(worker.run("eager", 5)); }
void greet(subject_worker& worker) { static_cast<void>(worker.facts()); }

}  // namespace

TEST_CASE("a worker starts with the first request, and loads a subject once", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran}});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    scripted_usage usage;
    scripted.launcher.usage = &usage;
    CHECK(scripted.launcher.living == 0);
    CHECK(worker.usage() == nullptr);
    CHECK(worker.run("eager", 5) == remote_sample{19'000'000, 38'000'000});
    CHECK(worker.usage() != nullptr);
    CHECK(worker.run("eager", 5) == remote_sample{19'000'000, 38'000'000});
    CHECK_RECORDED(scripted.requests);
    CHECK(scripted.launcher.commands().size() == 1);
    CHECK(scripted.launcher.living == 1);
}

TEST_CASE("a worker that owes an answer says each second what it does", "[python][unit]") {
    worker_reply slow_hello{worker_hello};
    worker_reply slow_run = ran;
    slow_hello.after = 3s;
    slow_run.after = 2s;
    scripted_subject_worker scripted(replies{{"", slow_hello}, {"run", slow_run}});
    std::vector<std::string> reports;
    detail::worker_recipe recipe = scripted.recipe();
    recipe.patience = 2min;
    const auto report = [&](const std::string& doing, std::chrono::nanoseconds so_far, std::chrono::nanoseconds limit) {
        CHECK(limit == 2min);
        reports.push_back(std::to_string(so_far / 1s) + " s: " + doing);
    };
    subject_worker worker(recipe, scripted.launcher, scripted.wall, report);
    run_five(worker);
    CHECK_RECORDED(reports);
}

TEST_CASE("a worker whose idle threads would spin is stopped after each answer", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran}});
    detail::worker_recipe recipe = scripted.recipe();
    recipe.rests = true;
    subject_worker spinning(recipe, scripted.launcher, scripted.wall);
    run_five(spinning);
    CHECK(scripted.launcher.pauses == 2);  // after "load" and "run"

    subject_worker quiet(scripted.recipe(), scripted.launcher, scripted.wall);
    run_five(quiet);
    CHECK(scripted.launcher.pauses == 2);
}

TEST_CASE("a worker gets the protocol and the descriptors", "[python][unit]") {
    scripted_subject_worker scripted(replies{});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    greet(worker);
    CHECK(scripted.launcher.commands().front().environment ==
          std::vector<std::pair<std::string, std::string>>{
              {"PERFSPEC_WORKER", R"({"protocol":2,"answers":3,"requests":4})"}});
}

TEST_CASE("a worker says what it is", "[python][unit]") {
    scripted_subject_worker scripted(replies{});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    CHECK_FALSE(worker.known_facts());
    CHECK(worker.facts().language == "Python 3.11.7");
    CHECK(worker.facts().subjects == std::vector<std::string>{"eager", "inductor"});
    CHECK(detail::value_in(worker.facts().settings, "threads") == "2");
    CHECK(detail::value_in(worker.facts().settings, "device").empty());
}

TEST_CASE("a worker reports operators, each with its own time and calls", "[python][unit]") {
    scripted_subject_worker scripted(
        recording(R"({"ns":300,"calls":2,"name":"aten::conv2d"},{"ns":7,"calls":1,"name":"kernels of Inductor"})"));
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    CHECK(tabulate(worker.operators("eager")) ==
          std::vector<operator_times>{{.name = "aten::conv2d", .self_ns = 300, .total_ns = 300, .calls = 2},
                                      {.name = "kernels of Inductor", .self_ns = 7, .total_ns = 7, .calls = 1}});
    std::string faults;
    for (const char* wrong : {"300", R"({"ns":300,"calls":0,"name":"conv"})", R"({"ns":-1,"calls":1,"name":"conv"})",
                              R"({"ns":300})", R"({"ns":300,"calls":-1,"name":"conv"})",
                              R"({"ns":9223372036854775807,"calls":1,"name":"a"},{"ns":1,"calls":1,"name":"b"})"})
        faults += text_of(recording(wrong), [](auto& of) { static_cast<void>(of.operators("eager")); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("a worker's number of calls is no number of steps here", "[python][unit]") {
    scripted_subject_worker scripted(recording(R"({"ns":5,"calls":9223372036854775807,"name":"aten::add"})"));
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    const std::vector<operator_event> events = worker.operators("eager");
    REQUIRE(events.size() == 1);
    CHECK(events.front().calls == 9223372036854775807U);
}

TEST_CASE("a worker reports values, memory, counts and comparisons", "[python][unit]") {
    scripted_subject_worker scripted(replies{
        {"value", {R"({"answer":"value","value":41.5})"}},
        {"memory", {R"({"answer":"memory","peak_bytes":4096})"}},
        {"count", {R"({"answer":"counted","value":2})"}},
        {"write", {R"({"answer":"written"})"}},
        {"compare",
         {R"({"answer":"compared","code":"FAIL","text":"far apart","statistics":[{"name":"max_abs_error","value":0.5}]})"}}});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    CHECK(worker.value("eager") == 41.5);
    CHECK(worker.memory("eager") == 4096);
    CHECK(worker.count("inductor", "graph_breaks") == 2.0);
    const verification v = worker.compare("eager", "inductor");
    CHECK(v.code == verification_code::fail);
    CHECK(v.text == "far apart");
    REQUIRE(v.statistics.size() == 1);
    CHECK(v.statistics[0].name == "max_abs_error");
    CHECK(v.statistics[0].value == 0.5);
    worker.write("eager", "/tmp/a b");
    CHECK(worker.compare_with_file("/tmp/a b", "inductor").code == verification_code::fail);
    CHECK_RECORDED(scripted.requests);
}

TEST_CASE("a worker that cannot says why, and continues", "[python][unit]") {
    scripted_subject_worker scripted(
        replies{{"run", {R"({"answer":"error","reason":"ZeroDivisionError: division by zero","kind":"body_threw"})"}}});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    for (int i = 0; i < 2; ++i) {
        try {
            run_five(worker);
            FAIL("nothing thrown");
        } catch (const measurement_failure& failure) {
            CHECK(failure.kind == failure_kind::body_threw);
            CHECK(std::string(failure.what()) == "the worker of models.py: ZeroDivisionError: division by zero");
        }
    }
    CHECK(scripted.launcher.commands().size() == 1);
}

TEST_CASE("the kind of a failure is the one that a worker names", "[python][unit]") {
    const auto kind = [](const std::string& named) {
        return failure_of({{"run", {R"({"answer":"error","reason":"x","kind":")" + named + "\"}"}}}, run_five).kind;
    };
    CHECK(kind("load_threw") == failure_kind::load_threw);
    CHECK(kind("out_of_memory") == failure_kind::out_of_memory);
    CHECK(kind("no_value") == failure_kind::no_value);
    CHECK(kind("unavailable") == failure_kind::unavailable);
    CHECK(kind("not_countable") ==
          failure_kind::worker_failed);  // a worker cannot keep a claim from being judged by any other word
}

TEST_CASE("control characters of a worker do not reach a terminal", "[python][unit]") {
    CHECK_RECORDED(text_of({{"run", {R"({"answer":"error","reason":"\u001b[2J"})"}}}, run_five));
}

TEST_CASE("a worker that dies is reported with its last words, and started again for the next request",
          "[python][unit]") {
    scripted_subject_worker scripted(
        replies{{"run", {"", child_end{.how = child_outcome::signalled, .code = SIGSEGV, .last_words = "oops"}}}});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    CHECK_THROWS_MATCHES(run_five(worker), measurement_failure,
                         Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("signal 11")));
    CHECK(scripted.launcher.living == 0);
    scripted.answers["run"] = ran;
    CHECK(worker.run("eager", 5) == remote_sample{19'000'000, 38'000'000});
    CHECK(scripted.launcher.commands().size() == 2);
    CHECK(scripted.requests.back() == R"({"request":"run","subject":"eager","iterations":5})");
    CHECK_RECORDED(scripted.requests[scripted.requests.size() - 2]);  // the new process has loaded nothing
}

TEST_CASE("answers that are none are failures, and end the worker", "[python][unit]") {
    std::string faults;
    for (const char* const answer :
         {R"({"answer":"ran","iterations":4,"elapsed_ns":19000000,"cpu_ns":1})",
          R"({"answer":"ran","iterations":5,"elapsed_ns":0,"cpu_ns":1})",
          R"({"answer":"ran","iterations":5,"cpu_ns":1})", R"({"answer":"ran","iterations":5,"elapsed_ns":19000000})",
          R"({"answer":"ran","iterations":5,"elapsed_ns":-1,"cpu_ns":1})",
          R"({"answer":"ran","iterations":5,"elapsed_ns":1e300,"cpu_ns":1})",
          R"({"answer":"ran","iterations":5,"elapsed_ns":18446744073709551615,"cpu_ns":1})",
          R"({"answer":"value","value":5})", R"(["ran"])", "{ran}"})
        faults += text_of({{"run", {answer}}}, run_five) + "\n";
    CHECK_RECORDED(faults);
    const auto ask_value = [](subject_worker& w) { static_cast<void>(w.value("eager")); };
    CHECK_RECORDED(text_of({{"value", {R"({"answer":"value","value":"nan"})"}}}, ask_value));
    CHECK_RECORDED(text_of({{"compare", {R"({"answer":"compared","code":"MAYBE"})"}}},
                           [](subject_worker& w) { static_cast<void>(w.compare("a", "b")); }));
}

TEST_CASE("an answer to another request is a failure, and ends the worker", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", {R"({"answer":"ran","iterations":5,"number":1})"}}});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    CHECK_THROWS_RECORDED(measurement_failure, worker.run("eager", 5));
    CHECK(scripted.launcher.living == 0);
}

TEST_CASE("a greeting of another version, of twins or of no subject is a failure", "[python][unit]") {
    CHECK_RECORDED(text_of({{"", {R"({"answer":"hello","protocol":3,"language":"Python"})"}}}, greet));
    CHECK_RECORDED(text_of({{"", {R"({"answer":"hello","protocol":2,"subjects":["a","b","a"]})"}}}, greet));
    CHECK_RECORDED(text_of({{"", {R"({"answer":"loaded"})"}}}, greet));
    CHECK_RECORDED(text_of({{"", {R"({"answer":"error","reason":"SyntaxError: models.py:3"})"}}}, greet));
}

TEST_CASE("a time longer than the wait for its answer is in another unit", "[python][unit]") {
    CHECK_RECORDED(text_of({{"run", ran_in(20200001)}}, run_five));
    CHECK(failure_of({{"run", ran_in(20200000)}}, run_five).kind == failure_kind::no_value);
}

TEST_CASE("eight times far below the waits for their answers are in another unit", "[python][unit]") {
    const auto run_times = [](int times) {
        return [times](subject_worker& worker) {
            for (int i = 0; i < times; ++i) run_five(worker);
        };
    };
    const worker_reply microseconds = ran_in(19000);
    CHECK(failure_of({{"run", microseconds}}, run_times(7)).kind == failure_kind::no_value);
    CHECK_RECORDED(text_of({{"run", microseconds}}, run_times(8)));
    CHECK(failure_of({{"run", ran_in(2000000)}}, run_times(9)).kind == failure_kind::no_value);
}

TEST_CASE("late answers of perfspec's own module are no other unit", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran_in(19000)}});
    detail::worker_recipe recipe = scripted.recipe();
    recipe.has_own_clock = false;
    subject_worker worker(recipe, scripted.launcher, scripted.wall);
    for (int i = 0; i < 9; ++i) CHECK(worker.run("eager", 5).elapsed_ns == 19000);
}

TEST_CASE("answers that a busy machine delays now and then are in the right unit", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran_in(87000)}});
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    for (int i = 0; i < 9; ++i)
        for (const auto answers_after : {20ms, 20ms, 0ms}) {
            scripted.answers_after = answers_after + 100us;
            CHECK(worker.run("eager", 5).elapsed_ns == 87000);
        }
}

TEST_CASE("answers that come late because their worker waits for a processor are in the right unit", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran_in(87000)}});
    scripted.starves = 19900us;
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    for (int i = 0; i < 30; ++i) CHECK(worker.run("eager", 5).elapsed_ns == 87000);
}

TEST_CASE("times in another unit are found on a machine where their worker waits for a processor, too",
          "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran_in(19000)}});
    scripted.answers_after = 50ms;
    scripted.starves = 30ms;
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    for (int i = 0; i < 7; ++i) CHECK(worker.run("eager", 5).elapsed_ns == 19000);
    CHECK_THROWS_MATCHES(worker.run("eager", 5), measurement_failure,
                         Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring(
                             "but answered after 20000000 ns, 8 times in a row, so it counts in another unit")));
}

TEST_CASE("a folder that a killed program left is no cache of the next one", "[python][unit]") {
    namespace fs = std::filesystem;
    const temporary_folder left;
    std::ofstream(left / "compiled") << "warm";
    scripted_subject_worker scripted(replies{});
    detail::worker_recipe recipe = scripted.recipe();
    recipe.cold_cache = left.path();
    subject_worker worker(recipe, scripted.launcher, scripted.wall);
    static_cast<void>(worker.facts());
    CHECK(!fs::exists(left.path()));
}

TEST_CASE("short waits say nothing about the unit", "[python][unit]") {
    scripted_subject_worker scripted(replies{{"run", ran_in(19000)}});
    scripted.answers_after = 9ms;
    subject_worker worker(scripted.recipe(), scripted.launcher, scripted.wall);
    for (int i = 0; i < 9; ++i) CHECK(worker.run("eager", 5).elapsed_ns == 19000);
}

TEST_CASE("what this machine lacks keeps a claim from being judged, and starts nothing", "[python][unit]") {
    scripted_subject_worker scripted(replies{});
    detail::worker_recipe recipe = scripted.recipe();
    recipe.missing = "there is no \"node\" in PATH";
    subject_worker worker(recipe, scripted.launcher, scripted.wall);
    try {
        greet(worker);
        FAIL("nothing thrown");
    } catch (const measurement_failure& failure) { CHECK(failure.kind == failure_kind::unavailable); }
    CHECK(scripted.launcher.commands().empty());
}

TEST_CASE("workers of one program have equal threads and versions, unless the test says otherwise", "[python][unit]") {
    const auto greet_beside = [](const std::string& hello, detail::worker_recipe recipe) -> std::string {
        scripted_subject_worker first(replies{}), second(replies{{"", {hello}}});
        subject_worker one(first.recipe("a.py"), first.launcher, first.wall);
        subject_worker other(std::move(recipe), second.launcher, second.wall);
        other.add_peer(one);
        greet(one);
        try {
            greet(other);
        } catch (const measurement_failure& failure) { return failure.what(); }
        return {};
    };
    const std::string one_thread = R"({"answer":"hello","protocol":2,"settings":{"threads":"1","torch":"2.13.0"}})";
    const std::string older = R"({"answer":"hello","protocol":2,"settings":{"threads":"2","torch":"2.9.1"}})";
    detail::worker_recipe recipe = scripted_subject_worker::recipe("b.py");
    CHECK(greet_beside(worker_hello, recipe).empty());
    CHECK_RECORDED(greet_beside(one_thread, recipe));
    CHECK_RECORDED(greet_beside(older, recipe));
    recipe.has_own_threads = true;
    CHECK(greet_beside(one_thread, recipe).empty());
    CHECK_FALSE(greet_beside(older, recipe).empty());
    recipe.has_own_version = true;
    CHECK(greet_beside(older, recipe).empty());
}

TEST_CASE("a worker whose script is not where it should be is not started, and says so", "[python][unit]") {
    scripted_subject_worker scripted({});
    detail::worker_recipe recipe = scripted_subject_worker::recipe();
    recipe.misplaced = "there is no /gone/perfspec_worker.py";
    detail::subject_worker worker(recipe, scripted.launcher, scripted.wall);
    try {
        worker.load("eager");
        FAIL("it was loaded");
    } catch (const measurement_failure& failure) {
        CHECK(failure.kind == failure_kind::worker_failed);
        CHECK(std::string(failure.what()) == "the worker of models.py: there is no /gone/perfspec_worker.py");
    }
    CHECK(scripted.requests.empty());
}
