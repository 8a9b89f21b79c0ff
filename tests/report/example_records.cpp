// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <report/example_records.hpp>

#include <cstddef>
#include <utility>

namespace perfspec::testing {
namespace {

record common() {
    record r;
    r.time = "2026-11-19T10:20:30Z";
    r.suite = "vision_test";
    r.macro = "PERF_CHECK";
    r.file = "vision_test.cpp";
    r.line = 31;
    r.options = {{"false_failure", "0.001"}, {"output", "results.jsonl"}};
    r.hardware_key = "epyc-7763-2c";
    r.build = "optimized";
    r.host = "runner-7";
    r.commit = "9a8b7c6";
    r.branch = "main";
    return r;
}

/// Times as they come: a sharp lower edge, a tail above, one hiccup.
sample_summary subject_around(std::string name, double median, std::uint64_t iterations) {
    sample_summary s;
    s.subject = std::move(name);
    for (std::size_t i = 0; i < 64; ++i) {
        const double step = static_cast<double>(i) / 63.0;
        s.strip.push_back(median * (0.97 + 0.04 * step + 0.08 * step * step * step * step));
    }
    s.strip.back() = median * 2.5;
    for (std::size_t i = 0; i < 64; ++i) s.course.push_back(median * (1.0 + 0.08 / static_cast<double>(i + 1)));
    s.minimum = s.strip.front();
    s.q1 = s.strip[16];
    s.median = s.strip[32];
    s.q3 = s.strip[47];
    s.p90 = s.strip[57];
    s.p99 = s.strip[62];
    s.maximum = s.strip.back();
    s.samples = 64;
    s.iterations = iterations;
    return s;
}

record ratio_of_sorts() {
    record r = common();
    r.suite = "sort_test";
    r.test = "sort";
    r.file = "sort_test.cpp";
    r.query = "speedup(std::sort, ours)";
    r.metric = "speedup";
    r.names = {"std::sort", "ours"};
    r.key = "sort_test / sort / speedup(std::sort, ours)";
    r.unit = dimension::ratio;
    r.direction = better::more;
    r.comparison = ">";
    r.subjects = {subject_around("std::sort", 1.2e6, 1), subject_around("ours", 1.3e6, 1)};
    r.evidence.method = "pairs in random order, sequential e-process of signed ranks and signs";
    return r;
}

}  // namespace

record stored_ratio() {
    record r = common();
    r.test = "resnet50 inference";
    r.key = "resnet50 inference / speedup(eager, inductor)";
    r.claim = "speedup(model, inductor) > 0.97 * baseline()";
    r.verdict = verdict::violated;
    r.failed = true;
    r.query = "speedup(eager, inductor)";
    r.metric = "speedup";
    r.names = {"eager", "inductor"};
    r.unit = dimension::ratio;
    r.direction = better::more;
    r.estimate = estimate{1.29, 1.27, 1.31, 0.0};
    r.comparison = ">";
    r.bound = 1.38;
    r.bound_text = "0.97 x 1.42, baseline of 10 processes";
    r.evidence.method = "exact rank test of fresh processes against stored ones";
    r.evidence.processes = 4;
    r.evidence.false_failure = 0.0019;
    r.evidence.seconds = 12.6;
    r.disturbed.load = 1.8;
    r.disturbed.cores = 2;
    r.baseline = baseline_origin{.file = "baselines/epyc-7763-2c/vision_test.json",
                                 .key = r.key,
                                 .median = 1.42,
                                 .processes = 10,
                                 .recorded = "2026-11-18T09:00:00Z",
                                 .commit = "3f2c1ab",
                                 .detectable = 0.02,
                                 .sessions = 3,
                                 .drift = 0.011,
                                 .values = {1.40, 1.41, 1.42, 1.42, 1.42, 1.42, 1.43, 1.43, 1.44, 1.44},
                                 .now = {1.28, 1.29, 1.29, 1.31},
                                 .differences = {"compiler: was g++ 12.2, is g++ 13.1"},
                                 .action = baseline_action::compared,
                                 .headroom = 0.03};
    r.commands = {{"again", "ctest --test-dir build -R 'resnet50 inference'"},
                  {"accept", "PERFSPEC_UPDATE_BASELINES=1 ctest --test-dir build -R 'resnet50 inference'"},
                  {"from CI", "perfspec accept 'results.jsonl' --baseline-dir 'baselines'"}};
    return r;
}

record violated_ratio() {
    record r = ratio_of_sorts();
    r.claim = "speedup(standard, ours) > 0.95";
    r.verdict = verdict::violated;
    r.failed = true;
    r.estimate = estimate{0.9214, 0.9102, 0.9318, 0.99};
    r.bound = 0.95;
    r.evidence.rounds = 34;
    r.evidence.confirming_rounds = 21;
    r.evidence.seconds = 0.412;
    r.evidence.budget_seconds = 1.0;
    r.evidence.seed = 4022487048;
    r.disturbed = {.load = 0.7,
                   .cores = 2,
                   .steal_seconds = 0.03,
                   .page_faults = 12,
                   .notes = {"another perfspec process was measuring"}};
    r.commands = {{"again", "ctest --test-dir build -R '^sort$' --output-on-failure"}};
    return r;
}

record holding_ratio() {
    record r = ratio_of_sorts();
    r.claim = "speedup(standard, ours) > 0.9";
    r.verdict = verdict::holds;
    r.estimate = estimate{0.9214, 0.9102, 0.9318, 0.99};
    r.bound = 0.9;
    r.evidence.rounds = 57;
    r.evidence.seconds = 0.803;
    return r;
}

record violated_time() {
    record r = common();
    r.test = "parse";
    r.key = "vision_test / parse / latency(parse)";
    r.claim = "latency(parse) < 3ms";
    r.verdict = verdict::violated;
    r.failed = true;
    r.query = "latency(parse)";
    r.metric = "latency";
    r.names = {"parse"};
    r.estimate = estimate{3.212e6, 3.19e6, 3.24e6, 0.99};
    r.comparison = "<";
    r.bound = 3e6;
    r.subjects = {subject_around("parse", 3.2e6, 4)};
    r.advice = {"an absolute time varies with the machine: set the bound 5 % away on your own machine"};
    r.evidence.method = "medians of blocks spread over the budget";
    r.evidence.rounds = 24;
    r.evidence.seconds = 1.002;
    r.evidence.budget_seconds = 1.0;
    r.commands = {{"again", "ctest --test-dir build -R '^parse$' --output-on-failure"}};
    return r;
}

record undecided_rate() {
    record r = common();
    r.test = "parse";
    r.key = "vision_test / parse / throughput(parse)";
    r.claim = "throughput(parse) > items_per_second(1e6)";
    r.verdict = verdict::undecided;
    r.reason = "92 blocks in 1.0 s do not show whether the claim holds or is violated";
    r.advice = {"about 140 more blocks would decide it: budget(3s)"};
    r.query = "throughput(parse)";
    r.metric = "throughput";
    r.names = {"parse"};
    r.unit = dimension::item_rate;
    r.direction = better::more;
    r.estimate = estimate{1.002e6, 0.991e6, 1.012e6, 0.99};
    r.comparison = ">";
    r.bound = 1e6;
    r.subjects = {subject_around("parse", 1e6, 100)};
    r.evidence.method = "medians of blocks spread over the budget";
    r.evidence.rounds = 92;
    r.evidence.seconds = 1.0;
    r.evidence.budget_seconds = 1.0;
    r.commands = {{"again", "ctest --test-dir build -R '^parse$' --output-on-failure"}};
    return r;
}

record error_body() {
    record r = common();
    r.macro = "PERF_REQUIRE";
    r.test = "parse";
    r.key = "vision_test / parse / latency(parse)";
    r.claim = "latency(parse) < 3ms";
    r.verdict = verdict::error;
    r.failed = true;
    r.reason = "\"parse\" threw std::runtime_error: unexpected end of file";
    r.query = "latency(parse)";
    r.metric = "latency";
    r.names = {"parse"};
    r.comparison = "<";
    r.bound = 3e6;
    r.commands = {{"again", "ctest --test-dir build -R '^parse$' --output-on-failure"}};
    return r;
}

record error_output() {
    record r = common();
    r.test = "resnet50 inference";
    r.key = "resnet50 inference / speedup(eager, inductor)";
    r.claim = "speedup(model, inductor) > 0.95";
    r.verdict = verdict::error;
    r.failed = true;
    r.reason = "the outputs differ: a speedup of a wrong answer counts for nothing";
    r.advice = {"correct the candidate, or write .unverified() on a subject if its outputs differ on purpose"};
    r.query = "speedup(eager, inductor)";
    r.metric = "speedup";
    r.names = {"eager", "inductor"};
    r.unit = dimension::ratio;
    r.direction = better::more;
    r.comparison = ">";
    r.bound = 0.95;
    r.verified = verification{verification_code::fail,
                              "float32, tolerance 1e-4\nlargest difference 0.3 at [0, 17]",
                              {{"max_abs_error", 0.3}}};
    return r;
}

record skipped_build() {
    record r = violated_time();
    r.verdict = verdict::skipped;
    r.failed = false;
    r.reason = "the file that asserts is compiled without optimization: build with -O2 (CMAKE_BUILD_TYPE=Release)";
    r.estimate.reset();
    r.subjects.clear();
    r.evidence = {};
    r.advice.clear();
    r.commands.clear();
    return r;
}

record recorded_time() {
    record r = violated_time();
    r.macro = "PERF_MEASURE";
    r.claim = "latency(parse)";
    r.verdict = verdict::measured;
    r.failed = false;
    r.comparison.clear();
    r.bound.reset();
    r.advice.clear();
    r.commands.clear();
    return r;
}

record same_outputs() {
    record r = common();
    r.test = "resnet50 inference";
    r.key = "resnet50 inference / same_output(eager, inductor)";
    r.claim = "same_output(model, inductor)";
    r.verdict = verdict::holds;
    r.query = "same_output(eager, inductor)";
    r.metric = "same_output";
    r.names = {"eager", "inductor"};
    r.verified = verification{verification_code::pass, "float32, tolerance 1e-4", {{"max_abs_error", 2.1e-6}}};
    r.evidence.seconds = 0.25;
    return r;
}

record every_field() {
    record r = stored_ratio();
    r.margin = 0.005;
    r.sections = {"large", "warm"};
    r.on_request = true;
    r.reason = "four processes lie below nine of the ten stored ones";
    r.failure = failure_kind::out_of_memory;
    r.advice = {"record again"};
    r.notes = {"the first call of \"eager\" took 31.2 ms, later ones 9.06 ms"};
    r.tolerated = tolerated_range{1.35, 1.49};
    r.compared = {{"traced", {1.2, 1.15, 1.25, 0.95}}};
    r.parts = {{"conv1", "subtraction", dimension::time, {1.2e6, 1.1e6, 1.3e6, 0.95}, 0.34, "unresolved"}};
    r.evidence = {"exact rank test",     30,    21,   4,    12.6,  0.9,    20.0,
                  18446744073709551615u, 1.5e6, 3.25, -0.5, false, 0.0019, false};
    r.subjects = {subject_around("eager", 9.1e6, 1), subject_around("inductor", 7.0e6, 2)};
    r.disturbed = {1.8, 2, 0.03, 0.25, 37, 0.125, 5, 0.75, 12, 4, 1, 1.9, 2450.0, -0.25, {}, 2, {}};
    r.disturbed.notes = {"another perfspec process was measuring"};
    r.disturbed.devices = {{.device = "cuda:0",
                            .text = "cuda:0 slowed down by heat, 1100 of 1980 MHz, 89 degrees, 612 of 700 W, used by "
                                    "1 other process",
                            .slowdown = 3.6,
                            .others = 1,
                            .facts = {{"sm_mhz", "1100"}, {"celsius", "89"}}}};
    r.waiver = applied_waiver{waiver_effect::too_far,         "20%",  "2027-01-31",
                              "the new library sorts slower", "#123", "b/perfspec.json:7"};
    r.verified = verification{verification_code::fail, "float32", {{"max_abs_error", 0.3}}};
    r.baseline->taken = {{.value = 1.28,
                          .q1 = 1.27,
                          .q3 = 1.29,
                          .p90 = 1.3,
                          .p99 = 1.31,
                          .samples = 30,
                          .iterations = 2,
                          .time = "2026-11-19T10:20:31Z",
                          .commit = "9a8b7c6",
                          .run = "77-1",
                          .recording_session = "2026-11-19T10:20:30Z/7",
                          .processor_ns = 2.5e6}};
    r.baseline->machine = {.memory = "8 GiB",
                           .os = "Debian GNU/Linux 12 (bookworm)",
                           .kernel = "6.1.0-18-amd64",
                           .compiler = "g++ 12.2.0",
                           .flags = "-O2",
                           .governor = "performance",
                           .container = "docker",
                           .processors = "0-1",
                           .libraries = {{"libtorch", "2.13.0"}}};
    r.baseline->profile = part_profile{"2 threads", {{"aten::conv2d", 523000, 9}}, 1200};
    r.axes = {{"model", "resnet50"}, {"device", "cuda:0"}, {"dynamo", "inductor"}, {"test", "eval"}, {"batch", "8"}};
    r.workers = {{"inductor", "the worker of models.py", {{"language", "Python 3.11.7"}, {"torch", "2.13.0"}}}};
    r.known_parts = part_library{"LibTorch 2.13.0", {{"aten", {"add", "mm"}}, {"prim", {"device"}}}};
    r.forecast =
        forecast{"fresh processes against stored ones, by ranks", "10 processes, median 1.42, in b.json", 20.0, 5.0};
    r.origins = {{"false_failure", "call"}, {"output", "baselines/perfspec.json:2"}};
    r.build_variant = "gcc-12";
    r.dirty = true;
    r.shard = "2 of 4";
    r.run_id = "77-1";
    r.started_by = "4711 1834512";
    return r;
}

}  // namespace perfspec::testing
