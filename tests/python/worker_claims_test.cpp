// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Claims on subjects of a worker, judged as any others.
#include <perfspec/callgrind.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/python/worker_body-inl.hpp>
#include <perfspec/python/worker_subjects.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

#include "run/scripted_run.hpp"
#include "scripted_worker.hpp"
#include "support/scripted_usage.hpp"

using namespace perfspec;
using namespace perfspec::testing;

namespace {

/// A program and a worker in scripted time. A request costs 300 us besides what it runs.
struct program_with_worker {
    std::map<std::string, std::chrono::nanoseconds> calls{{"eager", 20us}, {"inductor", 10us}};
    std::map<std::string, std::string> counts{
        {"graph_breaks", "0"}, {"compile_ns", "20000000000"}, {"cache_hits", "0"}};
    std::map<std::string, std::chrono::nanoseconds> first_calls{};  ///< what the first one takes besides
    std::chrono::nanoseconds waits{};                               ///< of each call, the wait for a processor
    scripted_usage usage{};
    std::int64_t wakes_up_ns = 0;  ///< the additional time of the first call after a pause
    std::string comparison = R"({"answer":"compared","code":"PASS","text":"equal"})";
    std::string hello = worker_hello;
    std::string more{};          ///< further fields in replies on inductor
    std::string not_compiled{};  ///< a subject without compiled code
    scripted_run program{};
    detail::subject_worker worker{scripted_subject_worker::recipe(), program.launcher, program.wall};
    subject eager = detail::worker_subject(worker, "eager");
    subject inductor = detail::worker_subject(worker, "inductor");

    program_with_worker() {
        program.launcher.usage = &usage;
        program.launcher.workers = [this](const child_command&) {
            return [this](const std::string& request) { return numbered({answer(request)}, request); };
        };
    }

    std::string answer(const std::string& request) { return answer(request, program); }

    std::string answer(const std::string& request, scripted_run& on) {
        if (request.empty()) return hello;
        const detail::subject_request message = request_in(request);
        on.work(300us);
        if (message.request == "run") return run(message, on);
        if (message.request == "load") return R"({"answer":"loaded"})";
        if (message.request == "compare") return comparison;
        if (message.request == "count" && message.subject == not_compiled)
            return R"({"answer":"error","reason":"nothing was compiled"})";
        if (message.request == "count") return R"({"answer":"counted","value":)" + counts.at(message.name) + "}";
        return R"({"answer":"error","reason":"unknown"})";
    }

    std::string run(const detail::subject_request& message, scripted_run& on) {
        on.work(std::exchange(first_calls[message.subject], 0ns));
        const std::string notes = message.subject == "inductor" ? more : "";
        const std::uint64_t n = message.iterations.value();
        const std::chrono::nanoseconds took = calls.at(message.subject) * static_cast<std::int64_t>(n);
        usage.processors.waited_ns += (waits * static_cast<std::int64_t>(n)).count();
        usage.used.cpu_ns += ((calls.at(message.subject) - waits) * static_cast<std::int64_t>(n)).count();
        on.work(took + std::chrono::nanoseconds(wakes_up_ns));
        return R"({"answer":"ran","iterations":)" + std::to_string(n) +
               ",\"elapsed_ns\":" + std::to_string(took.count() + 1 + wakes_up_ns) +
               ",\"cpu_ns\":" + std::to_string(3 * took.count()) + notes + "}";
    }
};

const std::vector<option> once{confirm::off};
}  // namespace

TEST_CASE("a worker that waits for a processor violates no absolute bound", "[python][unit]") {
    program_with_worker p;
    CHECK(p.program.evaluate(latency(p.eager) < 15us, once).verdict == verdict::violated);
    p.waits = 10us;
    const record busy = p.program.evaluate(latency(p.eager) < 15us, once);
    CHECK(busy.verdict == verdict::undecided);
    CHECK(busy.disturbed.waited_seconds > 0.0);
    CHECK(p.program.evaluate(latency(p.eager) < 5us, once).verdict == verdict::violated);
    CHECK(p.program.evaluate(latency(p.eager) < 26us, once).verdict == verdict::holds);
}

TEST_CASE("threads of a worker that wait for each other alone are judged by all of their time", "[python][unit]") {
    const auto verdict_beside = [](bool others) {
        program_with_worker p;
        p.more = R"(,"use":{"own_ns":900000,"others_ns":900000,"waited_ns":900000,"interruptions":5})";
        p.usage.processors.is_beside_others = others;
        return p.program.evaluate(latency(p.inductor) < 9us, once).verdict;
    };
    CHECK(verdict_beside(true) == verdict::undecided);
    CHECK(verdict_beside(false) == verdict::violated);
}

TEST_CASE("a speedup of a worker's subjects is that of its own clock", "[python][unit]") {
    program_with_worker p;
    const record r = p.program.evaluate(speedup(p.eager, p.inductor) > 1.9);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate->value > 1.99);  // with the time of the requests it would be near 1
    CHECK(p.program.evaluate(speedup(p.eager, p.inductor) > 2.1, once).verdict == verdict::violated);
}

TEST_CASE("latency and cpu_time are what the worker tells", "[python][unit]") {
    program_with_worker p;
    CHECK(p.program.evaluate(latency(p.eager) < 21us).verdict == verdict::holds);
    CHECK(p.program.evaluate(latency(p.eager) < 19us, once).verdict == verdict::violated);
    CHECK(p.program.evaluate(cpu_time(p.eager) < 61us).verdict == verdict::holds);
    CHECK(p.program.evaluate(cpu_time(p.eager) < 59us, once).verdict == verdict::violated);
}

TEST_CASE("processor time that a worker does not know is skipped", "[python][unit]") {
    program_with_worker p;
    p.more = R"(,"cpu_unknown":"no list")";
    const record r = p.program.evaluate(cpu_time(p.inductor) < 1h);
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
    CHECK(p.program.evaluate(latency(p.inductor) < 11us).verdict == verdict::holds);
}

TEST_CASE("samples of a worker last two milliseconds, so the pause before each hardly counts", "[python][unit]") {
    program_with_worker p;
    p.wakes_up_ns = 100'000;  // with samples of 100 us the ratio would be 1.5
    const record pair = p.program.evaluate(speedup(p.eager, p.inductor) > 1.9);
    CHECK(pair.verdict == verdict::holds);
    CHECK(pair.estimate->low > 1.9);
    const record blocks = p.program.evaluate(latency(p.eager) < 22us);
    CHECK(blocks.verdict == verdict::holds);
}

TEST_CASE("a worker that has slept while another one worked runs a body once before its clock starts",
          "[python][unit]") {
    program_with_worker p, other;
    p.calls["eager"] = 8ms;
    other.calls["inductor"] = 2ms;
    const program_with_worker* awake = nullptr;
    p.program.launcher.workers = [&](const child_command& command) {
        program_with_worker& which = command.executable == "/usr/bin/python3" ? p : other;
        return [&, at = &which](const std::string& request) {
            at->wakes_up_ns = awake == at ? 0 : 400'000;
            awake = at;
            return numbered({at->answer(request, p.program)}, request);
        };
    };
    detail::worker_recipe recipe = scripted_subject_worker::recipe("others.py");
    recipe.command.executable = "/usr/bin/other";
    detail::subject_worker second(recipe, p.program.launcher, p.program.wall);
    const subject inductor = detail::worker_subject(second, "inductor").unverified();
    const record r =
        p.program.evaluate(speedup(p.eager, inductor) > 3.9);  // with the time of waking up it would be 3.5
    REQUIRE(r.verdict == verdict::holds);
    CHECK(r.estimate->value > 3.99);
    CHECK(r.notes.empty());
}

TEST_CASE("the start of a worker spends no budget that a test gives", "[python][unit]") {
    program_with_worker p;
    p.first_calls = {{"eager", 20s}, {"inductor", 30s}, {"third", 40s}};
    p.calls["third"] = 40us;
    const subject third = detail::worker_subject(p.worker, "third");
    CHECK(p.program.evaluate(latency(p.eager) < 21us, {budget(1s), cap(1s)}).verdict == verdict::holds);
    const record compared =
        p.program.evaluate(speedups(p.eager, p.inductor, third), {budget(10s), cap(10s)}, {.effect = effect::measure});
    CHECK(compared.verdict == verdict::measured);
    CHECK(compared.evidence.rounds == 100);
}

TEST_CASE("two requests for a worker's subject return one subject", "[python][unit]") {
    const worker_subjects all({"/bin/false"});
    CHECK(all("eager").state().id == all("eager").state().id);
    CHECK(all("eager").state().id != all("inductor").state().id);
    CHECK_THAT(all("eager").state().runs, StartsWith("\"eager\" of /bin/false in /") && EndsWith("/tests/python"));
    const python_subjects py("models.py", {.threads = 2, .environment = {{"KIND", "small"}}});
    CHECK_THAT(py("eager").state().runs,
               StartsWith("\"eager\" of /") && EndsWith("/tests/python/models.py KIND=small with 2 threads"));
    CHECK(py("eager").state().process != all("eager").state().process);
    CHECK(all("eager").state().process == worker_subjects({"/bin/false"})("eager").state().process);
    CHECK(all("eager").state().process != worker_subjects({"/bin/false"}, {.patience = 3s})("eager").state().process);
    CHECK_THROWS_AS(worker_subjects(std::vector<std::string>{}), input_error);
    CHECK_THROWS_AS(python_subjects(""), input_error);
}

TEST_CASE("what one claim declares of a worker's subject is no part of the next claim", "[python][unit]") {
    const worker_subjects all({"/bin/false"});
    const subject unverified = all("eager").unverified();
    const subject of_eight = all("eager").axis("batch", 8);
    CHECK(!unverified.state().verify);
    CHECK(unverified.state().axes.empty());
    CHECK(of_eight.state().verify);
    CHECK(of_eight.state().axes.size() == 1);
    CHECK(all("eager").state().axes.empty());
    CHECK(all("eager").items(3).state().items == 3.0);
    CHECK(all("eager").state().items == 0.0);
    CHECK(all("eager").state().id == unverified.state().id);
}

TEST_CASE("a worker's subject is compared with one of this process", "[python][unit]") {
    program_with_worker p;
    const subject here = p.program.takes("C++", 40us);
    CHECK(p.program.evaluate(speedup(here, p.eager) > 1.9).verdict == verdict::holds);
    CHECK(p.program.evaluate(speedup(here, p.eager) > 2.1, once).verdict == verdict::violated);
}

TEST_CASE("what a worker notes of a subject is a note of the claims on it", "[python][unit]") {
    program_with_worker p;
    CHECK(p.program.evaluate(speedup(p.eager, p.inductor) > 1.9).notes.empty());
    p.more = R"(,"notes":["gave up f\u001b","and g"])";
    const record r = p.program.evaluate(latency(p.inductor) < 1s);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.notes == std::vector<std::string>{"\"inductor\": gave up f\\x1b; and g"});
    CHECK(p.program.evaluate(latency(p.eager) < 1s).notes.empty());
}

namespace {

/// A part of the record of a speedup; none if it has none.
std::optional<estimate> part_of(const record& r, std::string_view name) {
    for (const part_value& each : r.parts)
        if (each.part == name) return each.value;
    return {};
}

}  // namespace

TEST_CASE("a speedup in Python says after how many calls compiling has paid", "[python][unit]") {
    program_with_worker p;
    p.not_compiled = "eager";
    const record r = p.program.evaluate(speedup(p.eager, p.inductor) > 1.9);
    REQUIRE(part_of(r, "calls until compiling has paid"));
    const estimate calls = *part_of(r, "calls until compiling has paid");
    CHECK(part_of(r, "compiled before, in")->value == 20e9);
    CHECK(calls.value > 1.99e6);  // 20 s, saved by 10 us a call
    CHECK(calls.value < 2.01e6);
    CHECK(calls.low <= calls.value);
    CHECK(calls.high >= calls.value);
}

TEST_CASE(
    "calls until compiling has paid are reported only where the time of compiling is known and the other side has none",
    "[python][unit]") {
    program_with_worker p;
    CHECK(
        !part_of(p.program.evaluate(speedup(p.eager, p.inductor) > 1.9), "compiled before, in"));  // both were compiled
    p.not_compiled = "eager";
    p.counts["cache_hits"] = "1";
    CHECK(!part_of(p.program.evaluate(speedup(p.eager, p.inductor) > 1.8), "compiled before, in"));
    p.counts["cache_hits"] = "0";
    p.calls["inductor"] = 20us;
    const record slow = p.program.evaluate(speedup(p.inductor, p.eager) < 1.5, once);
    CHECK(!part_of(slow, "compiled before, in"));
}

TEST_CASE("a record has what the times of a worker's subjects depend on", "[python][unit]") {
    program_with_worker p;
    using texts = std::vector<std::pair<std::string, std::string>>;
    const texts facts{{"language", "Python 3.11.7"}, {"threads", "2"}, {"torch", "2.13.0"}};
    const record r = p.program.evaluate(speedup(p.eager, p.inductor) > 1.9);
    REQUIRE(r.workers.size() == 2);
    CHECK(r.workers[0].subject == "eager");
    CHECK(r.workers[1].process == "the worker of models.py");
    CHECK(r.workers[1].facts == facts);
    CHECK(r.notes.empty());
    CHECK(p.program.evaluate(latency(p.program.takes("C++", 40us)) < 1s).workers.empty());
}

TEST_CASE("a ratio of two workers says in what these differ", "[python][unit]") {
    program_with_worker p, other;
    other.hello =
        R"({"answer":"hello","protocol":2,"language":"Python 3.9.1","subjects":["eager","inductor"],"settings":{"threads":"2","torch":"2.13.0","wait_policy":"active"}})";
    p.program.launcher.workers = [&](const child_command& command) {
        program_with_worker& which = command.executable == "/usr/bin/python3" ? p : other;
        return
            [&p, &which](const std::string& request) { return numbered({which.answer(request, p.program)}, request); };
    };
    detail::worker_recipe recipe = scripted_subject_worker::recipe("others.py");
    recipe.command.executable = "/usr/bin/python3.9";
    detail::subject_worker second(recipe, p.program.launcher, p.program.wall);
    const subject inductor = detail::worker_subject(second, "inductor").unverified();
    const record r = p.program.evaluate(speedup(p.eager, inductor) > 1.9);
    CHECK(r.verdict == verdict::holds);
    CHECK_RECORDED(r.notes);
}

TEST_CASE("outputs of a worker are compared before its speed", "[python][unit]") {
    program_with_worker p;
    p.comparison = R"({"answer":"compared","code":"FAIL","text":"far apart"})";
    const record r = p.program.evaluate(speedup(p.eager, p.inductor) > 1.9);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("the outputs do not agree (FAIL)") && ContainsSubstring("far apart"));
    CHECK(p.program.evaluate(same_output(p.eager, p.inductor)).verdict == verdict::violated);
    p.comparison = R"({"answer":"compared","code":"VERIFIER_DIDNT_RUN","text":"it returns nothing"})";
    CHECK(p.program.evaluate(speedup(p.eager, p.inductor) > 1.9).verdict == verdict::error);
    p.inductor.unverified();
    CHECK(p.program.evaluate(speedup(p.eager, p.inductor) > 1.9).verdict == verdict::holds);
}

TEST_CASE("a worker that fails while outputs are compared is distinguished from a body that raises", "[python][unit]") {
    program_with_worker p;
    p.comparison = R"({"answer":"error","reason":"lost"})";
    const record lost = p.program.evaluate(same_output(p.eager, p.inductor));
    CHECK(lost.verdict == verdict::error);
    CHECK(lost.failure == failure_kind::worker_failed);
    CHECK(!lost.verified);
    p.comparison = R"({"answer":"error","reason":"raised","kind":"body_threw"})";
    const record raised = p.program.evaluate(same_output(p.eager, p.inductor));
    REQUIRE(raised.verified);
    CHECK(raised.verified->code == verification_code::exception_raised);
}

TEST_CASE("what this process counts is skipped of a worker's subject", "[python][unit]") {
    program_with_worker p;
    const record r = p.program.evaluate(allocations(p.eager) == 0);
    CHECK(r.verdict != verdict::holds);
    CHECK_RECORDED(r.reason);
    for (const claim& each :
         {operators(p.eager) == 0, kernels(p.eager) == 0, flop_count(p.eager) == 0, tensor_allocations(p.eager) == 0,
          tensor_memory(p.eager) <= 0_MiB, instructions(p.eager) < 1e15, simulated_instructions(p.eager) < 1e15,
          device_time(p.eager) < 1h, peak_memory(p.eager, including_load) < 1000_GiB})
        CHECK(p.program.evaluate(each).verdict != verdict::holds);
}

TEST_CASE("a number that a worker knows is compared exactly", "[python][unit]") {
    program_with_worker p;
    CHECK(p.program.evaluate(graph_breaks(p.inductor) == 0).verdict == verdict::holds);
    p.counts["graph_breaks"] = "2";
    const record r = p.program.evaluate(graph_breaks(p.inductor) == 0);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.estimate->value == 2.0);
    CHECK_THAT(r.key, ContainsSubstring("graph_breaks(inductor)"));
    CHECK(p.program.evaluate(graph_breaks(p.inductor) <= graph_breaks(p.eager)).verdict == verdict::holds);
    CHECK(p.program.evaluate(worker_counter(p.inductor, "cache_hits") < 1).verdict == verdict::holds);
}

TEST_CASE("a claim on a worker's number says after how many calls it was counted", "[python][unit]") {
    program_with_worker p;
    CHECK(p.program.evaluate(graph_breaks(p.inductor) == 0).notes.empty());
    p.counts["graph_breaks"] = R"(0,"calls":5)";
    const record r = p.program.evaluate(graph_breaks(p.inductor) == 0);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.notes == std::vector<std::string>{"\"inductor\": counted after 5 calls"});
    CHECK(p.program.evaluate(latency(p.inductor) < 1s).notes.empty());
}

TEST_CASE("a claim on a worker's number shows where that was which was counted", "[python][unit]") {
    program_with_worker p;
    p.counts["graph_breaks"] = R"(2,"calls":4,"places":["f (models.py:3): print","g (models.py:9): a branch"])";
    const record r = p.program.evaluate(graph_breaks(p.inductor) == 0);
    CHECK(r.verdict == verdict::violated);
    CHECK_RECORDED(r.notes);
}

TEST_CASE("a number of a subject that no worker has is refused", "[python][unit]") {
    program_with_worker p;
    CHECK_THROWS_MATCHES(
        graph_breaks(p.program.takes("C++", 1ms)), input_error,
        Catch::Matchers::MessageMatches(ContainsSubstring("graph_breaks(x): \"C++\" is not a subject of a worker")));
    CHECK_THROWS_AS(worker_counter(p.eager, ""), input_error);
}

TEST_CASE("the time of compiling is known after a cold start of the compiler alone", "[python][unit]") {
    program_with_worker p;
    CHECK(p.program.evaluate(compile_time(p.inductor) < 21s).verdict == verdict::holds);
    CHECK(p.program.evaluate(compile_time(p.inductor) < 19s).verdict == verdict::violated);
    p.counts["cache_hits"] = "1";
    const record warm = p.program.evaluate(compile_time(p.inductor) < 21s);
    CHECK(warm.verdict == verdict::skipped);
    CHECK_RECORDED(warm.reason);
}
