// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec {
namespace {

using namespace testing;

constexpr double mebibyte = 1048576.0;

/// Processes with one value for each side.
auto sides(double own, double other) {
    return [own, other](const child_command& command) {
        const bool is_other = scripted_run::request_in(command).side == compared_side::second;
        return process_of(is_other ? other : own);
    };
}

subject loads(subject x) {
    return std::move(x).load([] {});
}

}  // namespace

TEST_CASE("peak memory below its bound holds after seven fresh processes", "[run][unit]") {
    scripted_run program(processes_of(64 * mebibyte, 7));
    const record r = program.evaluate(peak_memory(program.takes("fill", std::chrono::milliseconds(1))) < 80_MiB);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 7);
    CHECK(r.evidence.confirming_rounds == 0);
    CHECK(program.bodies_run == 0);  // none in this process
    CHECK(r.unit == dimension::bytes);
    CHECK(r.query == "peak_memory(fill)");
    CHECK_THAT(r.estimate.value().value, WithinRel(64 * mebibyte, 0.005));
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].unit == dimension::bytes);
    CHECK(r.subjects[0].samples == 7);
    CHECK(program.request_of_child(0).task == child_task::measure);
    CHECK(program.request_of_child(0).seed == 7);
    CHECK(program.request_of_child(0).side == compared_side::first);
}

TEST_CASE("three fresh processes hold that lie inside the bound by a factor of two, and by more than they differ",
          "[run][unit]") {
    const auto judged = [](std::vector<double> mebibytes, const std::vector<option>& options = {},
                           const char* of_run = "") {
        std::vector<child_end> ends;
        for (std::size_t i = 0; i < 20; ++i) {
            ends.push_back(process_of(mebibytes[std::min(i, mebibytes.size() - 1)] * mebibyte));
            ends.back().seconds = 30.0;
        }
        scripted_run program(std::move(ends));
        program.variables["PERFSPEC_BASELINE_PROCESSES"] = of_run;  // for baselines
        return program.evaluate(peak_memory(program.takes("fill", std::chrono::milliseconds(1))) < 80_MiB, options);
    };
    const record far = judged({40.0, 20.0, 30.0});
    CHECK(far.verdict == verdict::holds);
    CHECK(far.evidence.processes == 3);
    CHECK(far.evidence.approximate);
    CHECK_THAT(far.estimate.value().high, WithinRel(40.0 * mebibyte, 1e-9));
    CHECK_THAT(judged({50.0}).reason, ContainsSubstring("at least 11 processes"));
    CHECK(judged({40.0, 10.0}).verdict == verdict::error);  // inside by a factor of two, and they differ by four
    const record scattered = judged({40.0, 20.0, 50.0});
    CHECK(scattered.verdict == verdict::undecided);
    CHECK(scattered.evidence.processes == 4);
    CHECK(judged({30.0}, {processes(7), cap(std::chrono::seconds(400))}).evidence.processes == 7);
    CHECK(judged({40.0, 20.0, 30.0}, {}, "20").evidence.processes == 3);
}

TEST_CASE("peak memory above its bound is violated after eleven fresh processes, without another confirmation",
          "[run][unit]") {
    scripted_run program(processes_of(64 * mebibyte, 11));
    const record r = program.evaluate(peak_memory(program.takes("fill", std::chrono::milliseconds(1))) < 60_MiB);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.processes == 11);
}

TEST_CASE("fresh processes beyond those that can show a violation end at the cap, and say which budget would take more",
          "[run][unit]") {
    std::vector<child_end> ends;
    for (int i = 0; i < 20; ++i) {
        ends.push_back(process_of(i % 2 == 0 ? 60 * mebibyte : 68 * mebibyte));
        ends.back().seconds = 10.0;
    }
    scripted_run program(ends);
    const auto fill = program.takes("fill", std::chrono::milliseconds(1));
    const record r = program.evaluate(peak_memory(fill) < 64_MiB);
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.processes == 12);
    CHECK(r.evidence.budget_seconds == 120.0);
    scripted_run patient(ends);
    CHECK(patient.evaluate(peak_memory(fill) < 64_MiB, {budget(std::chrono::seconds(150))}).evidence.processes == 15);
    scripted_run impatient(std::move(ends));
    CHECK(impatient.evaluate(peak_memory(fill) < 64_MiB, {cap(std::chrono::seconds(111))}).evidence.processes == 11);
}

TEST_CASE("peak memory of two subjects is measured in processes of their own", "[run][unit]") {
    scripted_run program(sides(10 * mebibyte, 64 * mebibyte));
    const auto loading = program.takes("loading", std::chrono::milliseconds(1));
    const auto streaming = program.takes("streaming", std::chrono::milliseconds(1));
    const record r = program.evaluate(peak_memory(streaming) <= 0.5 * peak_memory(loading));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 6);  // three of each
    CHECK_THAT(r.estimate.value().value, WithinRel(10.0 / 64.0, 1e-9));
    CHECK(r.unit == dimension::ratio);
    CHECK(r.query == "peak_memory(streaming) / peak_memory(loading)");
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[0].median == 10 * mebibyte);
    CHECK(r.subjects[1].subject == "loading");
    CHECK(r.subjects[1].median == 64 * mebibyte);
}

TEST_CASE("memory_ratio is how many times more memory the first subject takes, in processes of their own",
          "[run][unit]") {
    scripted_run program(sides(64 * mebibyte, 10 * mebibyte));
    const auto loading = program.takes("loading", std::chrono::milliseconds(1));
    const auto streaming = program.takes("streaming", std::chrono::milliseconds(1));
    const record r = program.evaluate(memory_ratio(loading, streaming) > 6.0);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 14);  // seven of each
    CHECK(r.query == "memory_ratio(loading, streaming)");
    CHECK(r.unit == dimension::ratio);
    CHECK(r.direction == better::more);
    CHECK_THAT(r.estimate.value().value, WithinRel(6.4, 1e-9));
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[1].subject == "streaming");
    CHECK(r.subjects[1].unit == dimension::bytes);
    CHECK(r.subjects[1].median == 10 * mebibyte);
    CHECK(program.evaluate(memory_ratio(loading, streaming) > 7.0).verdict == verdict::violated);
    const record unbounded = program.evaluate(memory_ratio(loading, streaming), {}, {.effect = effect::measure});
    CHECK_THAT(unbounded.estimate.value().value, WithinRel(6.4, 1e-9));
}

TEST_CASE("cold_start reports its parts as medians over the processes", "[run][unit]") {
    const auto part_of = [](const char* part, double ns, double share) {
        return part_value{part, "cold start", dimension::time, {ns, ns, ns, 0.0}, share, {}};
    };
    std::vector<child_end> ends;
    for (const double load : {2e6, 1e6, 9e6, 9e6, 9e6, 2e6, 1e6, 9e6}) {
        record r;
        r.verdict = verdict::holds;
        r.estimate = estimate{10e6, 10e6, 10e6, 0.0};
        r.parts = {part_of("load", load, load / 10e6), part_of("first call", 3e6, 0.3)};
        ends.push_back(answered(to_json_line(r)));
    }
    scripted_run program(std::move(ends));
    const auto x = program.takes("x", std::chrono::milliseconds(1));
    const record of_five = program.evaluate(cold_start(x), {processes(5)}, {.effect = effect::measure});
    CHECK(of_five.parts.at(0).value.value == 9e6);
    const record r = program.evaluate(cold_start(x), {}, {.effect = effect::measure});
    CHECK(program.launcher.commands().size() == 5 + 3);
    REQUIRE(r.parts.size() == 2);
    CHECK(r.parts[0].part == "load");
    CHECK(r.parts[0].value.value == 2e6);
    CHECK(r.parts[0].value.high == 9e6);
    CHECK(r.parts[0].share == 0.2);
    CHECK(r.parts[1].value.value == 3e6);
}

TEST_CASE("memory_ratio has no baseline, and says what has", "[run][unit]") {
    scripted_run program(sides(64 * mebibyte, 10 * mebibyte));
    const auto a = program.takes("a", std::chrono::milliseconds(1));
    const auto b = program.takes("b", std::chrono::milliseconds(1));
    CHECK_RECORDED(program.error(memory_ratio(a, b) > 0.9 * baseline()));
    const record loaded = program.evaluate(memory_ratio(loads(a), loads(b), including_load) > 0.9 * baseline());
    CHECK_THAT(loaded.reason, ContainsSubstring("peak_memory(b, including_load) <= baseline()"));
}

TEST_CASE("memory with load has texts of its own, so it has a baseline of its own", "[run][unit]") {
    scripted_run program(sides(10 * mebibyte, 64 * mebibyte));
    const auto a = loads(program.takes("a", std::chrono::milliseconds(1)));
    const auto b = loads(program.takes("b", std::chrono::milliseconds(1)));
    CHECK(program.evaluate(peak_memory(a) < 80_MiB).query == "peak_memory(a)");
    const record loaded = program.evaluate(peak_memory(a, including_load) < 80_MiB);
    CHECK(loaded.query == "peak_memory(a, including_load)");
    CHECK(loaded.verdict == verdict::holds);
    CHECK(loaded.evidence.processes == 3);
    CHECK(program.launcher.commands().size() == 6);
    const record pair = program.evaluate(peak_memory(a, including_load) <= 0.5 * peak_memory(b, including_load));
    CHECK(pair.query == "peak_memory(a, including_load) / peak_memory(b, including_load)");
    CHECK(pair.verdict == verdict::holds);
    const record ratio = program.evaluate(memory_ratio(b, a, including_load) > 0.1);
    CHECK(ratio.query == "memory_ratio(b, a, including_load)");
    CHECK(ratio.verdict == verdict::holds);
    CHECK(ratio.evidence.processes == 14);
}

TEST_CASE("memory with load is compared with a stored one", "[run][unit]") {
    stored_program program(processes_of(64 * mebibyte, 20));
    const subject model = loads(program.sort);
    program.store("sorting / peak_memory(sort, including_load)", about(64 * mebibyte, 10), "bytes");
    const record r = program.evaluate(peak_memory(model, including_load) <= baseline() + 1_MiB);
    CHECK(r.verdict == verdict::holds);
    CHECK(program.evaluate(peak_memory(model) <= baseline() + 1_MiB).reason != r.reason);  // it has no baseline
}

TEST_CASE("the seed that draws the order of two subjects' processes is in the record, and gives the same order again",
          "[run][unit]") {
    const auto judged = [](const std::vector<option>& options) {
        scripted_run program(sides(10 * mebibyte, 11 * mebibyte));
        const auto a = program.takes("a", std::chrono::milliseconds(1));
        const auto b = program.takes("b", std::chrono::milliseconds(1));
        const record r = program.evaluate(peak_memory(b) <= peak_memory(a), options);
        std::string order;
        for (std::size_t i = 0; i < 14; ++i)
            order += program.request_of_child(i).side == compared_side::second ? 'b' : 'a';
        return std::pair{r.evidence.seed, order};
    };
    const auto drawn = judged({});
    CHECK(drawn.first == 7);
    CHECK(judged({seed(7)}) == drawn);
    CHECK(judged({seed(12)}).first == 12);
    CHECK(judged({seed(12)}).second != drawn.second);
}

TEST_CASE("the heap of a process whose memory is measured keeps its thresholds, unless they are given", "[run][unit]") {
    scripted_run program(processes_of(5e6, 3 + 3));
    program.start.environment.emplace_back("MALLOC_TRIM_THRESHOLD_", "4096");
    const subject x = program.takes("x", std::chrono::milliseconds(1));
    const auto variable = [&](std::size_t child, const std::string& name) -> std::string {
        const auto& all = program.launcher.commands().at(child).environment;
        const auto found = std::ranges::find_if(all, [&](const auto& v) { return v.first == name; });
        return found == all.end() ? "not set" : found->second;
    };
    program.evaluate(peak_memory(x), {}, {.effect = effect::measure});
    CHECK(variable(0, "MALLOC_MMAP_THRESHOLD_") == "131072");
    CHECK(variable(0, "MALLOC_TRIM_THRESHOLD_") == "4096");
    program.evaluate(first_call(x), {}, {.effect = effect::measure});  // times are those of the heap as users have it
    CHECK(variable(3, "MALLOC_MMAP_THRESHOLD_") == "not set");
}

TEST_CASE("baseline_processes=0 leaves the processes that measure a query without a bound", "[run][unit]") {
    const auto recorded = [](const detail::expression& query, scripted_run& program) {
        program.variables["PERFSPEC_BASELINE_PROCESSES"] = "0";
        const record r = program.evaluate(query, {}, {.effect = effect::measure});
        CHECK(r.verdict == verdict::measured);
        CHECK(r.evidence.processes == 3);
    };
    for (int query = 0; query < 4; ++query) {
        scripted_run program(processes_of(5e6, 3));
        const subject x = program.takes("x", std::chrono::milliseconds(1)).load([] {});
        if (query == 0) recorded(peak_memory(x), program);
        if (query == 1) recorded(cold_start(x), program);
        if (query == 2) recorded(first_call(x), program);
        if (query == 3) recorded(load_time(x), program);
    }
}

TEST_CASE("peak memory is recorded from three processes", "[run][unit]") {
    scripted_run program({process_of(5), process_of(9), process_of(6)});
    const record r = program.evaluate(peak_memory(program.takes("fill", std::chrono::milliseconds(1))), {},
                                      {.effect = effect::measure});
    CHECK(r.verdict == verdict::measured);
    CHECK(r.estimate.value().value == 6);
    CHECK(r.estimate.value().low == 5);
    CHECK(r.estimate.value().high == 9);
}

TEST_CASE("peak memory is compared with its baseline by ranks", "[run][unit]") {
    stored_program program(processes_of(64 * mebibyte, 2));
    program.store("sorting / peak_memory(sort)", about(64 * mebibyte, 10), "bytes");
    const record r = program.evaluate(peak_memory(program.sort) <= baseline() + 1_MiB);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 2);
    CHECK(r.baseline.value().headroom > 0.015);
}

TEST_CASE("peak memory that a fresh process cannot measure is skipped, one that fails is an error", "[run][unit]") {
    record without_value;
    without_value.verdict = verdict::skipped;
    without_value.reason = "this system does not report the memory of a process";
    scripted_run program({answered(to_json_line(without_value)), crashed()});
    const auto fill = program.takes("fill", std::chrono::milliseconds(1));
    CHECK_RECORDED(program.skipped(peak_memory(fill) < 80_MiB));
    CHECK(program.evaluate(peak_memory(fill) < 80_MiB).verdict == verdict::error);
    CHECK_THAT(program.evaluate(peak_memory(fill) < 0_MiB).reason, StartsWith("the bound is 0 B"));
}

}  // namespace perfspec
