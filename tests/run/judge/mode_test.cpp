// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/session/build_kind.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("builds that are not the product's are skipped, and each body is run once", "[run][unit]") {
    const auto [build, name] = GENERATE(table<build_kind, const char*>({
        {build_kind::not_optimized, "not optimized"},
        {build_kind::address_sanitizer, "AddressSanitizer"},
        {build_kind::thread_sanitizer, "ThreadSanitizer"},
        {build_kind::memory_sanitizer, "MemorySanitizer"},
    }));
    stored_program program;
    const record ratio =
        program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1, {}, {.build = build});
    CHECK(ratio.verdict == verdict::skipped);
    CHECK_FALSE(ratio.failed);
    CHECK_FALSE(ratio.on_request);
    CHECK(ratio.build == name);
    CHECK_THAT(ratio.reason, ContainsSubstring("its times are not those of the product"));
    CHECK(program.bodies_run == 2);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline(), {}, {.build = build}).verdict ==
          verdict::skipped);
    CHECK(program.bodies_run == 3);
    CHECK(
        program.evaluate(latency(program.sort) < 2 * latency(program.takes("c", 1ms)), {}, {.build = build}).verdict ==
        verdict::skipped);
    CHECK(program.bodies_run == 5);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a body that throws is reported in builds that are skipped too", "[run][unit]") {
    scripted_run program;
    const subject throws("throws", [] { throw std::runtime_error("no"); });
    CHECK(program.evaluate(latency(throws) < 3ms, {}, {.build = build_kind::not_optimized}).verdict == verdict::error);
}

TEST_CASE("nothing is judged under a debugger or Valgrind", "[run][unit]") {
    scripted_run debugged;
    debugged.under_debugger = [] { return true; };
    CHECK(debugged.evaluate(latency(debugged.takes("sort", 1ms)) < 3ms).reason == "a debugger is attached");
    scripted_run slow_motion;
    slow_motion.variables["LD_PRELOAD"] = "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so";
    CHECK(slow_motion.skipped(latency(slow_motion.takes("sort", 1ms)) < 3ms) == "the program runs under Valgrind");
}

TEST_CASE("in CI a claim that is skipped is never on request", "[run][unit]") {
    const auto [name, value] = GENERATE(table<const char*, const char*>({{"PERFSPEC_MODE", "smoke"},
                                                                         {"PERFSPEC_MODE", "verify"},
                                                                         {"PERFSPEC_MODE", "off"},
                                                                         {"PERFSPEC_MODE", "dry-run"},
                                                                         {"PERFSPEC_UPDATE_BASELINES", "1"}}));
    stored_program program(processes_of(1e6, 10));
    program.variables["CI"] = "true";
    program.variables[name] = value;
    program.files.put_folder("/project/baselines");
    for (const record& one :
         {program.evaluate(latency(program.sort) < 3ms), program.evaluate(latency(program.sort) < 1.05 * baseline())}) {
        CHECK(one.verdict == verdict::skipped);
        CHECK_FALSE(one.on_request);
    }
    CHECK(program.context().exit_code(0) == 77);
}

TEST_CASE("nothing is judged in a program with a file that is compiled with a sanitizer or for coverage",
          "[run][unit]") {
    scripted_run program;
    program.instrumented_by = []() noexcept { return "UndefinedBehaviorSanitizer"; };
    CHECK_RECORDED(program.skipped(latency(program.takes("sort", 1ms)) < 3ms));
}

TEST_CASE("nothing is judged in a program that is compiled for a debugger or a profiler", "[run][unit]") {
    const auto reason = [](const char* flags) {
        scripted_run program;
        program.context().set_compile_flags(flags);
        return program.evaluate(latency(program.takes("sort", 1ms)) < 3ms).reason;
    };
    for (const char* const flags : {"-O2 -g", "-O2 -fsanitize=cfi"}) CHECK(reason(flags) == "");
    for (const char* const option : {"-Og", "-finstrument-functions", "-fsanitize=undefined"})
        CHECK_THAT(reason(("-m64 " + std::string(option) + " -DNDEBUG").c_str()),
                   StartsWith("this program is compiled with " + std::string(option) + ", "));
}

TEST_CASE("mode=verify compares outputs", "[run][unit]") {
    static bool compared = false;
    static constexpr body_functions functions{.same_output = [](void*, void*) {
        compared = true;
        return verification{verification_code::fail, "differs", {}};
    }};
    compared = false;
    scripted_run program;
    program.variables["PERFSPEC_MODE"] = "verify";
    const subject a("a", functions, 1);
    const subject b("b", functions, 1);
    CHECK(program.evaluate(speedup(a, b) > 1).verdict == verdict::error);
    CHECK(compared);
    CHECK(program.evaluate(same_output(a, b)).verdict == verdict::violated);
}

namespace {

std::size_t outputs_compared = 0;

/// One assertion of a kind, and how many bodies it has.
struct kind_of_claim {
    const char* name;
    std::size_t bodies;
    std::function<record(stored_program&, const subject& a, const subject& b)> evaluate;
};

const std::vector<kind_of_claim>& kinds() {
    using p = stored_program;
    using s = subject;
    static const std::vector<kind_of_claim> all{
        {"pairs", 2, [](p& run, const s& a, const s& b) { return run.evaluate(speedup(a, b) > 1); }},
        {"query against query", 2,
         [](p& run, const s& a, const s& b) { return run.evaluate(latency(a) < 2 * latency(b)); }},
        {"pairs over processes", 2,
         [](p& run, const s& a, const s& b) { return run.evaluate(speedup(a, b) > 1, {processes(7)}); }},
        {"blocks", 1, [](p& run, const s& a, const s&) { return run.evaluate(latency(a) < 3ms); }},
        {"processor time", 1, [](p& run, const s& a, const s&) { return run.evaluate(cpu_time(a) < 3ms); }},
        {"device time", 1, [](p& run, const s& a, const s&) { return run.evaluate(device_time(a) < 3ms); }},
        {"throughput", 1,
         [](p& run, const s& a, const s&) {
             return run.evaluate(throughput(subject(a).items(10)) > items_per_second(10));
         }},
        {"percentile", 1, [](p& run, const s& a, const s&) { return run.evaluate(p99(latency(a)) < 3ms); }},
        {"percentiles of two", 2,
         [](p& run, const s& a, const s& b) { return run.evaluate(p99(latency(a)) < 2 * p99(latency(b))); }},
        {"stored", 1, [](p& run, const s& a, const s&) { return run.evaluate(latency(a) < 1.05 * baseline()); }},
        {"stored ratio", 2,
         [](p& run, const s& a, const s& b) { return run.evaluate(speedup(a, b) > 0.9 * baseline()); }},
        {"heap", 1, [](p& run, const s& a, const s&) { return run.evaluate(allocations(a) == 0); }},
        {"counter", 1, [](p& run, const s& a, const s&) { return run.evaluate(instructions(a) < 1e6); }},
        {"counters of two", 2, [](p& run, const s& a, const s& b) { return run.evaluate(cycles(a) < 2 * cycles(b)); }},
        {"spread", 1, [](p& run, const s& a, const s&) { return run.evaluate(spread(a) < pct(7)); }},
        {"peak memory", 1, [](p& run, const s& a, const s&) { return run.evaluate(peak_memory(a) < MiB(1)); }},
        {"cold start", 1, [](p& run, const s& a, const s&) { return run.evaluate(cold_start(a) < 1s); }},
        {"first call", 1, [](p& run, const s& a, const s&) { return run.evaluate(first_call(a) < 1s); }},
        {"several", 2, [](p& run, const s& a, const s& b) { return run.evaluate(speedups(a, b)); }},
        {"without a bound", 1, [](p& run, const s& a, const s&) { return run.evaluate(latency(a)); }},
        {"own metric", 1,
         [](p& run, const s&, const s&) {
             return run.evaluate(metric("tokens/s", more_is_better, [&run] {
                                     run.work(1ms);
                                     return 1.0;
                                 }) > 0.5);
         }},
        {"complexity", 3,
         [](p& run, const s&, const s&) {
             return run.evaluate(complexity(setup([](std::size_t n) { return n; }),
                                            [&run](std::size_t&) { run.work(1ms); },
                                            {1000, 4000, 16000}) <= order::power(1));
         }},
    };
    return all;
}

record evaluated(stored_program& run, const kind_of_claim& kind) {
    return kind.evaluate(run, run.takes("a", 1ms), run.takes("b", 1ms));
}

}  // namespace

TEST_CASE("mode=smoke calls every body of every kind of claim once, and judges nothing", "[run][unit]") {
    for (const kind_of_claim& kind : kinds()) {
        INFO(kind.name);
        stored_program program;
        program.variables["PERFSPEC_MODE"] = "smoke";
        const record r = evaluated(program, kind);
        CHECK(r.verdict == verdict::skipped);
        CHECK(r.on_request);
        CHECK(r.reason == "mode=smoke: every body is run once");
        CHECK(program.bodies_run == kind.bodies);
        CHECK(program.launcher.commands().empty());
        CHECK(program.context().exit_code(0) == 0);
    }
}

TEST_CASE("mode=verify and mode=off call no body of any kind of claim", "[run][unit]") {
    const std::string mode = GENERATE("verify", "off");
    for (const kind_of_claim& kind : kinds()) {
        INFO(kind.name);
        stored_program program;
        program.variables["PERFSPEC_MODE"] = mode;
        const record r = evaluated(program, kind);
        CHECK(r.verdict == verdict::skipped);
        CHECK(r.on_request);
        CHECK_THAT(r.reason, StartsWith("mode=" + mode));
        CHECK(program.bodies_run == 0);
        CHECK(program.launcher.commands().empty());
        CHECK(program.context().exit_code(0) == 0);
    }
}

TEST_CASE("every mode on same_output", "[run][unit]") {
    struct row {
        const char* mode;
        verdict found;
        std::size_t compared;
        std::size_t called;
    };
    const auto r = GENERATE(values<row>({{"measure", verdict::holds, 1, 0},
                                         {"verify", verdict::holds, 1, 0},
                                         {"smoke", verdict::skipped, 0, 2},
                                         {"off", verdict::skipped, 0, 0}}));
    static std::size_t called = 0;
    static constexpr body_functions functions{.run = [](void*, std::uint64_t) { ++called; },
                                              .same_output =
                                                  [](void*, void*) {
                                                      ++outputs_compared;
                                                      return verification{verification_code::pass, {}, {}};
                                                  }};
    INFO(r.mode);
    outputs_compared = called = 0;
    scripted_run program;
    program.variables["PERFSPEC_MODE"] = r.mode;
    const record outputs = program.evaluate(same_output(subject("a", functions, 1), subject("b", functions, 1)));
    CHECK(outputs.verdict == r.found);
    CHECK(outputs.on_request == (r.found == verdict::skipped));
    CHECK(outputs_compared == r.compared);
    CHECK(called == r.called);
}

}  // namespace perfspec
