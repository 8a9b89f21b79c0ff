// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The answers of a worker. It ends its process, so each test forks one.
#include "../forked_child.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/json_fields.hpp>
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
        {.address = {key, 0}, .task = child_task::serve, .seed = 99, .plan = message_of(planned)}, requests, assertion);
    std::string bytes = end.answers;
    served found{.code = end.code};
    while (auto answer = take_answer(bytes)) found.answers.push_back(answer->payload.value_or(answer->fault));
    return found;
}

void sort_in_one_millisecond(scripted_run& program) {
    static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) < 0.1 * baseline()));
}

std::string lines_of(const std::vector<served_request>& requests) {
    std::string lines;
    for (const served_request& each : requests) lines += detail::message_line(each) + '\n';
    return lines;
}

served_answer answer_in(const std::string& line) { return detail::read_message_as<served_answer>(line); }

const std::string sort_key = "sorting / latency(sort)";

}  // namespace

TEST_CASE("a worker says who it is, prepares, runs and finishes", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"prepare"}, {"run", 4, false}, {"run", 2, true}, {"finish"}}),
                           sort_in_one_millisecond);
    CHECK(w.code == 0);
    CHECK_RECORDED(w.answers);
}

TEST_CASE("a worker says its suite where the project told it", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"finish"}}), [](scripted_run& program) {
        program.context().set_project({.suite = "sort test", .baselines = {}, .build = {}, .prefix = {}});
        sort_in_one_millisecond(program);
    });
    CHECK_RECORDED(w.answers);
}

TEST_CASE("a worker says what another process runs for its subject", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"finish"}}), [](scripted_run& program) {
        subject sort = program.takes("sort", 1ms);
        sort.state().runs = "\"sort\" of /source/models.py";
        static_cast<void>(program.evaluate(latency(sort) < 0.1 * baseline()));
    });
    CHECK(answer_in(w.answers.at(0)).runs == "\"sort\" of /source/models.py");
}

TEST_CASE("a worker says the commit that its program was built of, where the build told it", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"finish"}}), [](scripted_run& program) {
        program.context().set_built_commit("3f2c1ab");
        sort_in_one_millisecond(program);
    });
    CHECK(answer_in(w.answers.at(0)).commit == "3f2c1ab");
}

TEST_CASE("a worker measures a process, without the machine's lock", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"measure"}, {"finish"}}), sort_in_one_millisecond);
    REQUIRE(w.answers.size() == 3);
    const record r = from_json_line(w.answers[1]);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate.value().value >= 1e6);
    CHECK(r.disturbed.notes.empty());  // the scripted folder of locks does not exist
}

TEST_CASE("a worker reports the work of an iteration for a rate", "[run][unit]") {
    const served w = serve("sorting / throughput(sort)", lines_of({{"finish"}}), [](scripted_run& program) {
        static_cast<void>(program.outcome(throughput(program.takes("sort", 1ms).items(1000)) > 0.9 * baseline()));
    });
    REQUIRE_FALSE(w.answers.empty());
    const auto hello = answer_in(w.answers[0]);
    CHECK(hello.work == 1000.0);
    CHECK(hello.unit == "items/s");
}

TEST_CASE("a worker runs the clock of its metric", "[run][unit]") {
    const served w = serve("sorting / cpu_time(sort)", lines_of({{"run", 3, false}}), [](scripted_run& program) {
        const subject sort("sort", [&program] { program.cpu.advance(5ms), program.wall.advance(1ms); });
        static_cast<void>(program.outcome(cpu_time(sort) < 0.1 * baseline()));
    });
    CHECK(w.answers.at(1) == R"({"answer":"ran","iterations":3,"elapsed_ns":15000001})");
}

TEST_CASE("a worker makes an untimed call before a sample on request", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"run", 1, false}, {"run", 1, true}}), [](scripted_run& program) {
        static_cast<void>(program.outcome(latency(program.takes("sort", {1ms, 2ms, 3ms})) < 0.1 * baseline()));
    });
    REQUIRE(w.answers.size() == 3);
    CHECK(answer_in(w.answers[1]).elapsed_ns.value() / 1'000'000 == 1);
    CHECK(answer_in(w.answers[2]).elapsed_ns.value() / 1'000'000 == 3);
}

TEST_CASE("a worker moves to the requested core of a sample before it runs", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"run", 1, false, 3}, {"run", 1, false}}), [](scripted_run& program) {
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
    CHECK(w.answers.at(1) == R"({"answer":"ran","iterations":1,"elapsed_ns":3000001})");  // and one clock reading
    CHECK(w.answers.at(2) == R"({"answer":"ran","iterations":1,"elapsed_ns":1000001})");
}

TEST_CASE("a worker takes the plan that it was given", "[run][unit]") {
    plan given;
    given.iterations = 17;
    const served w = serve(sort_key, lines_of({{"prepare"}}), sort_in_one_millisecond, given);
    CHECK(answer_in(w.answers.at(1)).iterations == 17);
}

TEST_CASE("a worker ends when its parent is gone", "[run][unit]") {
    const served w = serve(sort_key, lines_of({{"prepare"}}), sort_in_one_millisecond);
    CHECK(w.code == 1);
    CHECK(w.answers.size() == 2);
}

TEST_CASE("a worker says why it cannot do what it is asked", "[run][unit]") {
    const std::string odd = lines_of({{"jump"}, {"run", 0, false}, {"run", 1}}) + "{\"request\":\"run\",\"warm\":7}\n";
    const served w = serve(sort_key, odd + lines_of({{"finish"}}), sort_in_one_millisecond);
    const auto reason = [&](std::size_t n) { return answer_in(w.answers.at(n)).reason; };
    CHECK(reason(1) == "a request says jump, expected prepare, run, measure or finish");
    for (const std::size_t n : {2U, 3U})
        CHECK(reason(n).ends_with(R"(, expected for example {"request":"run","iterations":5,"warm":true})"));
    CHECK_THAT(reason(4), ContainsSubstring(R"("warm" is 7, expected true or false, expected prepare, run,)"));
    CHECK(w.answers.back() == R"({"answer":"finished"})");
}

TEST_CASE("a worker says why its claim cannot be measured", "[run][unit]") {
    const auto first_reason = [](const std::function<void(scripted_run&)>& assertion) {
        const served w = serve(sort_key, lines_of({{"prepare"}, {"finish"}}), assertion);
        for (const std::string& line : w.answers)
            if (const std::string reason = answer_in(line).reason; !reason.empty()) return reason;
        return std::string("none");
    };
    CHECK_RECORDED(first_reason([](scripted_run& program) {
        program.framework.at.failed_before = true;
        sort_in_one_millisecond(program);
    }));
    CHECK(first_reason([](scripted_run& program) {
              static_cast<void>(program.outcome(latency(program.takes("sort", 1ms)) < 0.1 * baseline(), {},
                                                {.build = build_kind::not_optimized}));
          }).starts_with("the file that asserts is compiled without optimization"));
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
    const served w = serve("sorting / latency(other)", lines_of({{"prepare"}}), [](scripted_run& program) {
        sort_in_one_millisecond(program);
        static_cast<void>(program.outcome(latency(program.takes("map", 1ms)) < 0.1 * baseline()));
    });
    CHECK(w.code == skipped);
    CHECK(w.answers.empty());
}

}  // namespace perfspec
