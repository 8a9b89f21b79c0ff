// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a run asks of its subjects: --perf-device, --perf-dtype, --perf-batch and --perf-threads.
#include "../stored_program.hpp"

#include <perfspec/language/subjects/asked_settings.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

/// Gives a subject settings: it takes every batch up to 8.
subject with_settings(const subject& s) {
    static body_functions adapter;
    adapter = *s.state().functions;
    adapter.take_settings = [](const subject&, const asked_settings& asked) {
        return asked.batch.value_or(1) > 8 ? std::string("it takes at most 8") : std::string();
    };
    s.state().functions = &adapter;
    return s;
}

}  // namespace

TEST_CASE("a subject takes what the run asks for, and its key says so", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_BATCH"] = "8";
    program.variables["PERFSPEC_THREADS"] = "2";
    const subject model = with_settings(program.takes("model", 1ms));
    const record r = program.evaluate(latency(model) < 3ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.key == "sorting / latency(model) / batch=8 / threads=2");
    CHECK(program.evaluate(latency(model) < 4ms).key == r.key);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("subjects that would be compared at unlike settings are not judged, and are named by them", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_BATCH"] = "8";
    const subject loop = program.takes("loop", 2ms);
    const subject model = with_settings(program.takes("model", 1ms));
    const record r = program.evaluate(speedup(loop, model) > 1.5);
    CHECK(r.key == "sorting / speedup(loop, model batch=8)");
    CHECK(r.verdict == verdict::not_judged);
    CHECK(
        r.reason ==
        "this run asks for batch=8 (--perf-batch), which \"model\" takes and \"loop\" does not: leave the option out, or where "
        "\"loop\" runs so, declare .axis(\"batch\", \"8\")");
    CHECK(program.bodies_run == 0);
    CHECK(program.evaluate(latency(loop) < 3ms).verdict == verdict::holds);  // by itself it is as ever
    CHECK(program.evaluate(speedup(program.takes("rows", 2ms).axis("batch", 8), model) > 1.5).verdict ==
          verdict::holds);
}

TEST_CASE("a setting that cannot be applied makes its claim invalid, with the reason", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_BATCH"] = "8";
    static body_functions adapter;
    const subject model = program.takes("model", 1ms);
    adapter = *model.state().functions;
    adapter.take_settings = [](const subject&, const asked_settings&) -> std::string {
        throw std::runtime_error("out of memory\nframe #0");
    };
    model.state().functions = &adapter;
    const record r = program.evaluate(latency(model) < 3ms);
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.reason == "the settings of this run cannot be applied to \"model\": out of memory");
    CHECK(r.failure == failure_kind::out_of_memory);
}

TEST_CASE("a body that searches is told how long its claim may take, and one that stops is not judged", "[run][unit]") {
    scripted_run program;
    static std::int64_t longest_ns;
    static body_functions adapter;
    const subject model = program.takes("model", 1ms);
    adapter = *model.state().functions;
    adapter.limit_search = [](void*, clock&, std::int64_t told_ns) { longest_ns = told_ns; };
    model.state().functions = &adapter;
    CHECK(program.evaluate(latency(model) < 3ms, {cap(40s)}).verdict == verdict::holds);
    CHECK(longest_ns == 40'000'000'000);
    CHECK(program.evaluate(latency(model) < 3ms, {budget(2s)}).verdict == verdict::holds);
    CHECK(longest_ns == 2'000'000'000);
    adapter.run = [](void*, std::uint64_t) {
        throw measurement_failure(failure_kind::not_countable, "stopped at a batch of 8");
    };
    CHECK(program.not_judged(latency(model) < 3ms, {cap(41s)}) == "stopped at a batch of 8");
}

TEST_CASE("a record notes what an adapter saw in the samples of a subject", "[run][unit]") {
    scripted_run program;
    const subject model = program.takes("model", 1ms);
    model.state().caveat = [](void*) { return std::string("2 of 6 steps were left out"); };
    const record r = program.evaluate(latency(model) < 3ms);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.notes.size() == 1);
    CHECK(r.notes.front() == "\"model\": 2 of 6 steps were left out");
}

TEST_CASE("a subject that cannot take a setting is not judged, and is never run", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_BATCH"] = "16";
    const record r = program.evaluate(latency(with_settings(program.takes("model", 1ms))) < 3ms);
    CHECK(r.verdict == verdict::not_judged);
    CHECK_FALSE(r.on_request);
    CHECK(r.reason == "\"model\": it takes at most 8");
    CHECK(r.key == "sorting / latency(model) / batch=16");
    CHECK(program.bodies_run == 0);
    CHECK(program.context().exit_code(0) == 77);
}

TEST_CASE("what the code says of a setting stays, and is not judged where the run asks for another value",
          "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_BATCH"] = "8";
    const record other = program.evaluate(latency(with_settings(program.takes("model", 1ms)).axis("batch", 4)) < 3ms);
    CHECK(other.verdict == verdict::not_judged);
    CHECK(other.key == "sorting / latency(model) / batch=4");
    CHECK(
        other.reason ==
        "\"model\": this run asks for batch=8 (--perf-batch), and the code says batch=4, which stays: leave it out of the "
        "code, or the option out of the run");
    CHECK(program.bodies_run == 0);
    CHECK(program.evaluate(latency(program.takes("loop", 1ms).axis("batch", 4)) < 3ms).verdict == verdict::not_judged);
    CHECK(program.evaluate(latency(program.takes("rows", 1ms).axis("batch", 8)) < 3ms).verdict == verdict::holds);
    CHECK(program.context().exit_code(0) == 0);
}

TEST_CASE("a device is any of its kind where the run names no number", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_DEVICE"] = "cuda";
    CHECK(program.evaluate(latency(program.takes("first", 1ms).axis("device", "cuda:0")) < 3ms).verdict ==
          verdict::holds);
    scripted_run second;
    second.variables["PERFSPEC_DEVICE"] = "cuda:1";
    CHECK(second.evaluate(latency(second.takes("first", 1ms).axis("device", "cuda:0")) < 3ms).verdict ==
          verdict::not_judged);
}

TEST_CASE("fresh processes are asked for the same settings", "[run][unit]") {
    stored_program program(launches_of(1e6, 10));
    program.variables["PERFSPEC_THREADS"] = "2";
    const record r = program.evaluate(latency(with_settings(program.sort)) < 1.05 * baseline());
    CHECK(r.key == "sorting / latency(sort) / threads=2");
    CHECK(program.asked_of_child(0).address.key == r.key);
    CHECK_THAT(program.asked_of_child(0).plan, ContainsSubstring(";threads=2;"));
    const auto again = std::ranges::find(r.commands, "again", &std::pair<std::string, std::string>::first);
    REQUIRE(again != r.commands.end());
    CHECK_THAT(again->second, StartsWith("PERFSPEC_THREADS=2 "));
    CHECK(program.given_to_child(0, "PERFSPEC_THREADS").empty());
}

}  // namespace perfspec
