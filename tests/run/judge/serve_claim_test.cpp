// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The answers of a worker. It ends its process, so each test forks one.
#include "../forked_child.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec {
namespace {

using namespace testing;

struct served {
    int code{};
    std::vector<std::string> answers{};
};

/// Runs an assertion in a forked process that serves this key, and sends all requests at once.
served serve(const std::string& key, const std::string& requests, const std::function<void(scripted_run&)>& assertion,
             const plan& planned = {}) {
    const forked_end end = in_fork(
        {.address = {key, 0}, .task = child_task::serve, .seed = 99, .plan = to_text(planned)}, requests, assertion);
    std::string bytes = end.answers;
    served found{.code = end.code};
    while (auto answer = take_answer(bytes)) found.answers.push_back(answer->payload.value_or(answer->fault));
    return found;
}

void sort_in_one_millisecond(scripted_run& program) {
    static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) < 0.1 * baseline()));
}

const std::string sort_key = "sorting / latency(sort)";

}  // namespace

TEST_CASE("a worker says who it is, prepares, runs and finishes", "[run][unit]") {
    const served w = serve(sort_key, "prepare\nrun iterations=4 warm=no\nrun iterations=2 warm=yes\nfinish\n",
                           sort_in_one_millisecond);
    CHECK(w.code == 0);
    CHECK_RECORDED(w.answers);
}

TEST_CASE("a worker says its suite where the project told it", "[run][unit]") {
    const served w = serve(sort_key, "finish\n", [](scripted_run& program) {
        program.context().set_project({.suite = "sort test", .baselines = {}, .build = {}, .prefix = {}});
        sort_in_one_millisecond(program);
    });
    CHECK_RECORDED(w.answers);
}

TEST_CASE("a worker says what another process runs for its subject", "[run][unit]") {
    const served w = serve(sort_key, "finish\n", [](scripted_run& program) {
        subject sort = program.takes("sort", 1ms);
        sort.state().runs = "\"sort\" of /source/models.py";
        static_cast<void>(program.evaluate(latency(sort) < 0.1 * baseline()));
    });
    CHECK(parse_worker_message(w.answers.at(0)).value().text("runs") == "\"sort\" of /source/models.py");
}

TEST_CASE("a worker says the commit that its program was built of, where the build told it", "[run][unit]") {
    const served w = serve(sort_key, "finish\n", [](scripted_run& program) {
        program.context().set_built_commit("3f2c1ab");
        sort_in_one_millisecond(program);
    });
    CHECK(parse_worker_message(w.answers.at(0)).value().text("commit") == "3f2c1ab");
}

TEST_CASE("a worker measures a launch, without the machine's lock", "[run][unit]") {
    const served w = serve(sort_key, "launch\nfinish\n", sort_in_one_millisecond);
    REQUIRE(w.answers.size() == 3);
    const auto launched = parse_worker_message(w.answers[1]).value();
    CHECK(launched.word == "launched");
    const record r = from_json_line(launched.text("record").value());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate.value().centre >= 1e6);
    CHECK(r.disturbed.notes.empty());  // the scripted folder of locks does not exist
}

TEST_CASE("a worker reports the work of an iteration for a rate", "[run][unit]") {
    const served w = serve("sorting / throughput(sort)", "finish\n", [](scripted_run& program) {
        static_cast<void>(program.outcome(throughput(program.takes("sort", 1ms).items(1000)) > 0.9 * baseline()));
    });
    REQUIRE_FALSE(w.answers.empty());
    const auto hello = parse_worker_message(w.answers[0]).value();
    CHECK(hello.number("work") == 1000.0);
    CHECK(hello.text("unit") == "items/s");
}

TEST_CASE("a worker runs the clock of its metric", "[run][unit]") {
    const served w = serve("sorting / cpu_time(sort)", "run iterations=3 warm=no\n", [](scripted_run& program) {
        const subject sort("sort", [&program] { program.cpu.advance(5ms), program.wall.advance(1ms); });
        static_cast<void>(program.outcome(cpu_time(sort) < 0.1 * baseline()));
    });
    CHECK(w.answers.at(1) == "ran iterations=3 elapsed_ns=15000001");
}

TEST_CASE("a worker makes an untimed call before a sample on request", "[run][unit]") {
    const served w =
        serve(sort_key, "run iterations=1 warm=no\nrun iterations=1 warm=yes\n", [](scripted_run& program) {
            static_cast<void>(program.outcome(latency(program.takes("sort", {1ms, 2ms, 3ms})) < 0.1 * baseline()));
        });
    REQUIRE(w.answers.size() == 3);
    CHECK(parse_worker_message(w.answers[1]).value().whole("elapsed_ns").value() / 1'000'000 == 1);
    CHECK(parse_worker_message(w.answers[2]).value().whole("elapsed_ns").value() / 1'000'000 == 3);
}

TEST_CASE("a worker moves to the requested core of a sample before it runs", "[run][unit]") {
    const served w =
        serve(sort_key, "run iterations=1 warm=no core=3\nrun iterations=1 warm=no\n", [](scripted_run& program) {
            program.move_to_core = [](std::uint32_t core) noexcept {
                ::setenv("moved_to", std::to_string(core).c_str(), 1);
            };
            const subject sort("sort", [&program] {
                const char* const core = std::getenv("moved_to");
                program.wall.advance(core == nullptr ? 1ms : std::chrono::milliseconds(std::stoi(core)));
                ::unsetenv("moved_to");
            });
            static_cast<void>(program.outcome(latency(sort) < 0.1 * baseline()));
        });
    CHECK(w.answers.at(1) == "ran iterations=1 elapsed_ns=3000001");  // and the reading of the clock
    CHECK(w.answers.at(2) == "ran iterations=1 elapsed_ns=1000001");
}

TEST_CASE("a worker takes the plan that it was given", "[run][unit]") {
    plan given;
    given.iterations = 17;
    const served w = serve(sort_key, "prepare\n", sort_in_one_millisecond, given);
    CHECK(parse_worker_message(w.answers.at(1)).value().whole("iterations") == 17);
}

TEST_CASE("a worker ends when its parent is gone", "[run][unit]") {
    const served w = serve(sort_key, "prepare\n", sort_in_one_millisecond);
    CHECK(w.code == 1);
    CHECK(w.answers.size() == 2);
}

TEST_CASE("a worker says why it cannot do what it is asked", "[run][unit]") {
    const served w =
        serve(sort_key, "jump\nrun iterations=0 warm=no\nrun iterations=1\nrun iterations=1 warm=maybe\nfinish\n",
              sort_in_one_millisecond);
    const auto reason = [&](std::size_t n) {
        return parse_worker_message(w.answers.at(n)).value().text("reason").value_or("none");
    };
    CHECK(reason(1) == "a request says \"jump\", expected prepare, run, launch or finish");
    for (const std::size_t n : {2U, 3U, 4U})
        CHECK(reason(n).ends_with("expected such as \"run iterations=5 warm=yes\""));
    CHECK(w.answers.back() == "finished");
}

TEST_CASE("a worker says why its claim cannot be measured", "[run][unit]") {
    const auto first_reason = [](const std::function<void(scripted_run&)>& assertion) {
        const served w = serve(sort_key, "prepare\nfinish\n", assertion);
        for (const std::string& line : w.answers)
            if (const auto reason = parse_worker_message(line).value().text("reason")) return *reason;
        return std::string("none");
    };
    CHECK_RECORDED(first_reason([](scripted_run& program) {
        program.framework.at.failed_before = true;
        sort_in_one_millisecond(program);
    }));
    CHECK(first_reason([](scripted_run& program) {
              static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) < 0.1 * baseline(), {},
                                                {.build = build_kind::not_optimised}));
          }).starts_with("the file that asserts is compiled without optimisation"));
    CHECK_RECORDED(first_reason([](scripted_run& program) {
        subject sort = program.takes("sort", 1ms);
        sort.refuse("no such device");
        static_cast<void>(program.outcome(latency(sort) < 0.1 * baseline()));
    }));
    CHECK_RECORDED(first_reason([](scripted_run& program) {
        static_cast<void>(
            program.outcome(latency(subject("sort", [] { throw std::runtime_error("no memory"); })) < baseline()));
    }));
}

TEST_CASE("a worker passes over other claims", "[run][unit]") {
    const served w = serve("sorting / latency(other)", "prepare\n", [](scripted_run& program) {
        sort_in_one_millisecond(program);
        static_cast<void>(program.outcome(latency(program.takes("map", 1ms)) < 0.1 * baseline()));
    });
    CHECK(w.code == skipped);
    CHECK(w.answers.empty());
}

}  // namespace perfspec
