// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/failure.hpp>
#include <perfspec/process/workers/worker.hpp>

#include "support/scripted_launcher.hpp"

#include <support/test.hpp>

#include <csignal>

using namespace perfspec;
using namespace perfspec::testing;

namespace {

const std::string sorting = "sorting / latency(sort)";

/// A greeting without its end.
const std::string hello =
    R"-({"answer":"hello","protocol":4,"perfspec":"0.2.0","unit":"ns","commit":"3f2c1ab","key":"sorting / latency(sort)")-";

/// A worker with one answer for each kind of request, and its requests.
struct scripted_worker {
    std::map<std::string, worker_reply> answers{};
    std::vector<std::string> requests{};
    scripted_launcher launcher{std::vector<child_end>{}};

    explicit scripted_worker(std::map<std::string, worker_reply> replies) : answers(std::move(replies)) {
        launcher.workers = [this](const child_command&) {
            return [this](const std::string& request) {
                requests.push_back(request);
                return answers.at(request.empty() ? "" : detail::read_message_as<served_request>(request).request);
            };
        };
    }
    worker start() { return {launcher, {.executable = "ref", .time_out = 1s}, "the baseline build", 1s}; }
};

/// The text of the exception of an act on a worker with these replies.
template <class Act> std::string failure_of(std::map<std::string, worker_reply> replies, const Act& act) {
    scripted_worker scripted(std::move(replies));
    try {
        worker w = scripted.start();
        act(w);
    } catch (const measurement_failure& failure) {
        CHECK(failure.kind == failure_kind::worker_failed);
        CHECK(scripted.launcher.living == 0);
        return failure.what();
    }
    return "nothing thrown";
}

/// The requesting program, with a project that names its suite.
const own_suite named_suite{"sort_test", true};
const own_suite by_file_name{"sort_test", false};

void greet(worker& w) { static_cast<void>(w.greeting(sorting, named_suite)); }
void greet_anyone(worker& w) { static_cast<void>(w.greeting(sorting, {})); }
void greet_by_file_name(worker& w) { static_cast<void>(w.greeting(sorting, by_file_name)); }
void prepare(worker& w) { static_cast<void>(w.prepare()); }
void run_five(worker& w) { static_cast<void>(w.run(5, warm_call::yes)); }
void process(worker& w) { static_cast<void>(w.measure()); }

child_end ended(int code) { return {.how = child_outcome::exited, .code = code}; }

}  // namespace

TEST_CASE("worker greets, prepares, runs, processes and finishes", "[process][unit]") {
    scripted_worker scripted(
        {{"", {hello + "}"}},
         {"prepare",
          {R"({"answer":"prepared","call_ns":20123.5,"untimed_ns":7,"iterations":5,"maximum":1000,)"
           R"("tick_ns":1,"computes":true,"more":"x"})"}},
         {"run", {R"({"answer":"ran","iterations":5,"elapsed_ns":100123,"cycles":7})"}},
         {"measure", {R"({"schema":1,"kind":"result","reason":"none"})"}},
         {"finish", {R"({"answer":"finished"})", ended(0)}}});
    worker w = scripted.start();
    const served_answer greeting = w.greeting(sorting, named_suite).value();
    CHECK(greeting.perfspec == "0.2.0");
    CHECK(greeting.key == sorting);
    CHECK(greeting.unit == "ns");
    CHECK_FALSE(greeting.work);
    CHECK(greeting.commit == "3f2c1ab");
    const worker_calibration c = w.prepare();
    CHECK(c.x == subject_calibration{20123.5, 7.0, 5, 1000});
    CHECK(c.resolution_ns == 1.0);
    CHECK(w.run(5, warm_call::yes) == sample{100123, 5});
    CHECK(w.run(5, warm_call::no) == sample{100123, 5});
    CHECK(w.run(5, warm_call::no, 3) == sample{100123, 5});
    CHECK(w.measure() == R"({"schema":1,"kind":"result","reason":"none"})");
    w.finish();
    CHECK_RECORDED(scripted.requests);
}

TEST_CASE("worker that ended well without coming to its claim is no failure", "[process][unit]") {
    scripted_worker scripted({{"", {R"({"answer":"unreached","suite":"sort_test"})", ended(0)}}});
    worker w = scripted.start();
    CHECK_FALSE(w.greeting(sorting, named_suite));
}

TEST_CASE("worker of another suite is a failure that names both", "[process][unit]") {
    const std::string another =
        "the baseline build: it is another program, because its suite is \"map_test\" and this one's is \"sort_test\": "
        "name a build of this program, or, if it is one, give both the same suite, perfspec_discover_tests(… SUITE "
        "name)";
    const worker_reply passed_by{R"({"answer":"unreached","suite":"map_test","key":"a"})", ended(0)};
    CHECK(failure_of({{"", passed_by}}, greet) == another);
    CHECK(failure_of({{"", passed_by}}, greet_by_file_name) == another);
    CHECK(failure_of({{"", {R"({"answer":"unreached","suite":"map_test"})", ended(2)}}}, greet) == another);
    CHECK(failure_of({{"", passed_by}}, greet_anyone) == "nothing thrown");
    const std::string at_claim = hello + R"(,"suite":"map_test"})";
    CHECK(failure_of({{"", {at_claim}}}, greet) == another);
    CHECK_RECORDED(failure_of({{"", {at_claim}}},
                              greet_by_file_name));  // this program may have been renamed, and that one has the claim
}

TEST_CASE("a worker of the same suite, or without a suite, gets requests", "[process][unit]") {
    for (const std::string suite : {"}", R"(,"suite":"sort_test"})"}) {
        CHECK(failure_of({{"", {hello + suite}}}, greet) == "nothing thrown");
        CHECK(failure_of({{"", {R"({"answer":"unreached")" + suite, ended(0)}}}, greet) == "nothing thrown");
    }
}

TEST_CASE("a worker that did not reach its claim, and ended with an error, is a failure", "[process][unit]") {
    CHECK_RECORDED(failure_of({{"", {R"({"answer":"unreached"})", ended(42)}}}, greet));
}

TEST_CASE("worker is refused for another version, naming both", "[process][unit]") {
    const std::string rest = ", and this program speaks version 4: build both with one version of perfspec";
    CHECK(failure_of({{"", {R"({"answer":"hello","protocol":5,"perfspec":"0.9.1","unit":"ns","key":"k"})"}}}, greet) ==
          "the baseline build: it is built with perfspec 0.9.1, whose workers speak version 5" + rest);
    CHECK(failure_of({{"", {R"({"answer":"hello"})"}}}, greet) ==
          "the baseline build: it is built with perfspec unknown, whose workers speak version 0" + rest);
}

TEST_CASE("worker is refused that answers for another claim", "[process][unit]") {
    CHECK_RECORDED(
        failure_of({{"", {R"({"answer":"hello","protocol":4,"perfspec":"0.2.0","unit":"ns","key":"other"})"}}}, greet));
}

TEST_CASE("worker that says why it cannot measure is believed", "[process][unit]") {
    const worker_reply error{R"({"answer":"error","reason":"\"sort\" threw: no memory"})"};
    const std::string why = "the baseline build: \"sort\" threw: no memory";
    CHECK(failure_of({{"", error}}, greet) == why);
    CHECK(failure_of({{"prepare", error}}, prepare) == why);
    CHECK(failure_of({{"run", error}}, run_five) == why);
    CHECK(failure_of({{"measure", error}}, process) == why);
    CHECK_RECORDED(failure_of({{"measure", {R"({"answer":"error"})"}}}, process));
}

TEST_CASE("worker that ends, crashes or is no test program is a failure with its last words", "[process][unit]") {
    const child_end crash{.how = child_outcome::signalled, .code = SIGSEGV, .last_words = "while measuring"};
    const std::string died =
        "the baseline build: there is no answer: the child was ended by signal 11 (Segmentation fault); its last words: \"while "
        "measuring\"";
    CHECK(failure_of({{"", {{}, crash}}}, greet) == died);
    CHECK(failure_of({{"prepare", {{}, crash}}}, prepare) == died);
    CHECK(failure_of({{"run", {{}, crash}}}, run_five) == died);
    CHECK_RECORDED(failure_of({{"", {{}, ended(0)}}}, greet));
}

TEST_CASE("worker distinguishes a lack of memory from other ends", "[process][unit]") {
    const auto [reply, kind] = GENERATE(table<worker_reply, failure_kind>({
        {{{}, child_end{.how = child_outcome::signalled, .code = SIGKILL}}, failure_kind::out_of_memory},
        {{{}, child_end{.how = child_outcome::signalled, .code = SIGSEGV}}, failure_kind::worker_failed},
        {{{}, child_end{.how = child_outcome::signalled, .code = SIGABRT, .last_words = "of 'std::bad_alloc'"}},
         failure_kind::out_of_memory},
        {{{}, child_end{.how = child_outcome::exited, .code = 1, .last_words = "a log line: out of memory slots"}},
         failure_kind::worker_failed},
        {{{}, child_end{.how = child_outcome::timed_out, .seconds = 60}}, failure_kind::timed_out},
        {{{},
          child_end{.how = child_outcome::not_started, .code = 12, .last_words = "\"ref\": Cannot allocate memory"}},
         failure_kind::out_of_memory},
        {{{},
          child_end{.how = child_outcome::not_started, .code = 2, .last_words = "\"ref\": No such file or directory"}},
         failure_kind::worker_failed},
        {{R"({"answer":"error","reason":"no room","kind":"out_of_memory"})"}, failure_kind::out_of_memory},
        {{R"({"answer":"error","reason":"a slot is out of memory range"})"}, failure_kind::worker_failed},
        {{"hm"}, failure_kind::worker_failed},
    }));
    scripted_worker scripted({{"", {hello + "}"}}, {"prepare", reply}});
    worker w = scripted.start();
    greet(w);
    try {
        prepare(w);
        FAIL("nothing thrown");
    } catch (const measurement_failure& failure) { CHECK(failure.kind == kind); }
}

TEST_CASE("worker that says anything else is a failure", "[process][unit]") {
    struct row {
        void (*act)(worker&);
        std::string request, reply;
    };
    const std::string more = R"(,"untimed_ns":0,"maximum":1,"tick_ns":1})";
    std::string faults;
    for (const row& r :
         std::vector<row>{{greet, "", "{="},
                          {greet, "", R"({"answer":"finished"})"},
                          {prepare, "prepare", R"({"answer":7})"},
                          {prepare, "prepare", R"({"answer":"ran"})"},
                          {prepare, "prepare", R"({"answer":"prepared","call_ns":0,"iterations":1)" + more},
                          {prepare, "prepare", R"({"answer":"prepared","call_ns":1,"iterations":0)" + more},
                          {prepare, "prepare", R"({"answer":"prepared","call_ns":1})"},
                          {run_five, "run", R"({"answer":"ran","iterations":4,"elapsed_ns":5})"},
                          {run_five, "run", R"({"answer":"ran","iterations":5,"elapsed_ns":0})"},
                          {run_five, "run", R"({"answer":"ran","iterations":5,"elapsed_ns":-7})"},
                          {process, "measure", R"({"answer":"started"})"}})
        faults += failure_of({{r.request, {r.reply}}}, r.act) + "\n";
    CHECK_RECORDED(faults);
}
