// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies that assert, and exceptions of the system: neither hangs a program, or loses a record.

#include "../scripted_run.hpp"

#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;

/// Works until this thread has used its processor for so long.
void use_processor(std::chrono::nanoseconds time) {
    const auto used = [] {
        timespec t{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
    };
    for (const auto end = used() + time; used() < end;) {}
}

}  // namespace

TEST_CASE("a body that asserts is an error, and stops at once", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const auto inner = program.takes("inner", std::chrono::microseconds(1));
    const subject outer("outer", [&] {
        ++calls;
        static_cast<void>(program.evaluate(latency(inner) < 1s));
    });
    CHECK_THAT(program.error(latency(outer) < 1s), ContainsSubstring("the measured body asserts "));
    CHECK(calls == 1);
    CHECK(program.evaluate(latency(inner) < 1s).verdict == verdict::holds);
}

TEST_CASE("a body that waits for a thread that asserts is an error, and does not hang", "[run][unit]") {
    scripted_run program;
    program.patience_for_turn = std::chrono::milliseconds(1);
    const auto inner = program.takes("inner", std::chrono::microseconds(1));
    std::vector<assertion_outcome> within;
    const subject outer("outer", [&] {
        program.work(std::chrono::seconds(1));
        std::thread([&] { within.push_back(program.outcome(latency(inner) < 1s)); }).join();
    });
    CHECK_THAT(program.error(latency(outer) < 1s), ContainsSubstring("the measured body asserts "));
    REQUIRE_FALSE(within.empty());
    for (const assertion_outcome& each : within) {
        CHECK(each.is_of_measured_body);
        CHECK(each.result.verdict == verdict::error);
        CHECK(each.result.failed);
    }
    CHECK(program.evaluate(latency(inner) < 1s).verdict == verdict::holds);
}

TEST_CASE("an assertion of another thread waits for its turn, however long a body works", "[run][unit]") {
    scripted_run program;
    program.patience_for_turn = 200ms;
    const auto inner = program.takes("inner", std::chrono::microseconds(1));
    std::optional<verdict> other;
    std::thread another;
    const subject outer("outer", [&] {
        program.work(std::chrono::milliseconds(1));
        if (another.joinable()) return;
        another = std::thread([&] { other = program.evaluate(latency(inner) < 1s).verdict; });
        use_processor(500ms);
    });
    CHECK(program.evaluate(latency(outer) < 1s).verdict == verdict::holds);
    another.join();
    CHECK(other == verdict::holds);
}

TEST_CASE("an exception of a module's note makes a claim an error, with what was measured", "[run][unit]") {
    scripted_run program;
    const subject x = program.takes("x", 1ms);
    x.state().caveat = [](void*) -> std::string { throw std::bad_alloc(); };
    const record r = program.evaluate(latency(x) < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK(r.failure == failure_kind::out_of_memory);
    CHECK(r.estimate);
}

TEST_CASE("an exception of the system makes a claim an error, with a record", "[run][unit]") {
    const auto [fails, failure] = GENERATE(table<void (*)(), std::optional<failure_kind>>({
        {[] { throw std::system_error(std::make_error_code(std::errc::too_many_files_open)); }, std::nullopt},
        {[] { throw std::bad_alloc(); }, failure_kind::out_of_memory},
    }));
    scripted_run program([fails](const child_command&) -> child_end {
        fails();
        return {};
    });
    program.variables["PERFSPEC_OUTPUT"] = "/project/results.jsonl";
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 0.5, {processes(7)});
    CHECK_THAT(r.reason, StartsWith("the claim could not be judged: "));
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK(r.failure == failure);
    CHECK_FALSE(program.framework.measuring);
    CHECK_THAT(program.files.text("/project/results.jsonl"), ContainsSubstring("\"verdict\":\"error\""));
}

}  // namespace perfspec
