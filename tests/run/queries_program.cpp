// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Every query of the language in a claim that passes and in one that fails for the right reason, in real measurements.
//
//   perfspec_queries_program              all rows, as a table
//   perfspec_queries_program QUERY        one row
//   perfspec_queries_program --list       the names of the rows
//
// Bounds are orders of magnitude away from the bodies. Exit code 77 and a reason if this build or machine does not
// judge the query.
#include <perfspec/allocations.hpp>
#include <perfspec/callgrind.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/perfspec.hpp>

#include <support/evaluate_record.hpp>
#include <support/scripted_devices.hpp>
#include <support/scripted_operations.hpp>
#include <support/scripted_operators.hpp>
#include <support/scripted_tensors.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace perfspec::language;
using perfspec::record;
using perfspec::subject;
using perfspec::verdict;
using perfspec::testing::evaluate_record;

int spin(int n) {
    for (int i = 0; i < n; ++i) perfspec::do_not_optimize(i);
    return n;
}

const subject fast = subject("fast", [] { return spin(20'000); }).items(1000).bytes(8_kB).flops(2000);
const subject slow("slow", [] { return spin(200'000); });
const subject broken("broken", []() -> int { throw std::runtime_error("no input"); });
const subject vectors("vectors", [] { return std::vector<int>(1000, 1); });
const subject large("large", [] { return std::vector<char>(std::size_t{32} << 20, 'x').size(); });
const subject larger("larger", [] { return std::vector<char>(std::size_t{128} << 20, 'x').size(); });
const subject model = subject("model", [] { return spin(20'000); }).load([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
});
/// A model of `mebibytes` MiB, and of 16 more in a call.
subject of_size(const char* name, std::size_t mebibytes) {
    return subject(name, [] { return std::vector<char>(std::size_t{16} << 20, 'x').size(); }).load([mebibytes] {
        static std::vector<char> weights;
        weights.assign(mebibytes << 20, 'x');
    });
}
const subject loaded = of_size("loaded", 32);
const subject lean = of_size("lean", 1);
/// A length that differs between most processes.
const int length_of_process =
    20'000 + static_cast<int>(std::chrono::steady_clock::now().time_since_epoch().count() / 64 % 20'000);
const subject erratic("erratic", [] { return spin(length_of_process); });
const subject rated("rated", [] { return 40.0; });

/// The body of an adapter: outputs to compare, and a device with its own time.
struct device_body {
    int output;
    double nanoseconds;

    static void run(void* self, std::uint64_t n) {
        for (; n != 0; --n) perfspec::do_not_optimize(spin(static_cast<device_body*>(self)->output));
    }
    static void destroy(void*) noexcept {}
    static double device_ns(void* self) { return static_cast<device_body*>(self)->nanoseconds; }
    static perfspec::verification same_output(void* reference, void* candidate) {
        const bool same = static_cast<device_body*>(reference)->output == static_cast<device_body*>(candidate)->output;
        return {same ? perfspec::verification_code::pass : perfspec::verification_code::fail,
                same ? "outputs agree" : "outputs differ",
                {}};
    }
};

constexpr perfspec::body_functions device_functions{
    .run = device_body::run, .destroy = device_body::destroy, .same_output = device_body::same_output};

subject on_device(const char* name, int output) {
    subject made(name, device_functions, sizeof(device_body));
    ::new (made.storage()) device_body{output, 5000.0};
    made.constructed();
    readings_of(made).device_ns = device_body::device_ns;
    return made;
}
const subject device = on_device("device", 20'000);
const subject busy_device = on_device("busy device", 20'000).items(100);
const subject copied = on_device("copied", 20'000);
const subject other = on_device("other", 20'001);

/// The operators of a model: one that calls another, and one by itself.
perfspec::testing::scripted_operators scripted;
const bool operators_are_seen = [] {
    scripted.all = {"Library 1", {{"ns", {"conv", "copy", "relu", "sort"}}}};
    return perfspec::install_recorder<perfspec::operator_recorder>(&scripted);
}();

subject with_kernels() {
    subject made("kernels", [] {
        scripted.run("ns::conv", 10);
        scripted.run("ns::copy", 5);
        scripted.run("ns::relu", 10);
        if (scripted.records()) ++scripted.within_others;
        return spin(20'000);
    });
    model_of(made).kernels = perfspec::detail::kernel_view::operators;
    return made;
}
const subject model_of_kernels = with_kernels();

perfspec::testing::scripted_tensors tensors_of_library;
[[maybe_unused]] const bool tensors_are_seen =
    perfspec::install_recorder<perfspec::tensor_recorder>(&tensors_of_library);

perfspec::testing::scripted_operations operations_of_library;
[[maybe_unused]] const bool operations_are_seen =
    perfspec::install_recorder<perfspec::operation_recorder>(&operations_of_library);

const subject product("product", [] {
    operations_of_library.run(2048);
    return spin(20'000);
});

const subject tensors("tensors", [] {
    tensors_of_library.allocate(200'000);
    tensors_of_library.allocate(100'000);
    tensors_of_library.free(300'000);
    return spin(20'000);
});

/// A device whose users report its memory.
struct scripted_device_memory final : perfspec::counter {
    std::int64_t level = 0, most = 0, start = 0;
    bool in_sample = false;

    void use(std::int64_t bytes) { most = std::max(most, level += bytes); }
    std::string begin() override { return (in_sample = false, std::string()); }
    void end() noexcept override {}
    std::int64_t now() override {
        in_sample = !in_sample;
        if (in_sample) most = start = level;
        return most - start;
    }
} memory_of_device;
[[maybe_unused]] const bool device_memory_is_seen =
    perfspec::use_counter(perfspec::detail::metrics::device_memory, memory_of_device);

subject using_memory() {
    static constexpr perfspec::body_functions functions{.run =
                                                            [](void* self, std::uint64_t n) {
                                                                device_body::run(self, n);
                                                                memory_of_device.use(300'000);
                                                                memory_of_device.use(-300'000);
                                                            },
                                                        .destroy = device_body::destroy};
    subject made("uses memory", functions, sizeof(device_body));
    ::new (made.storage()) device_body{20'000, 5000.0};
    made.constructed();
    readings_of(made).device_ns = device_body::device_ns;
    made.state().device = "cuda:0";
    return made;
}
const subject uses_memory = using_memory();

/// A device on which each call runs a kernel of 5 us.
perfspec::testing::scripted_devices kernels_of_device;
[[maybe_unused]] const bool device_kernels_are_seen =
    perfspec::install_recorder<perfspec::device_recorder>(&kernels_of_device);

subject running_a_kernel() {
    static constexpr perfspec::body_functions functions{
        .run =
            [](void* self, std::uint64_t n) {
                device_body::run(self, n);
                kernels_of_device.run({{"void gelu<float>(float*)", perfspec::traced_work::kernel, 100, 5'100, 0, 0}});
            },
        .destroy = device_body::destroy};
    subject made("runs a kernel", functions, sizeof(device_body));
    ::new (made.storage()) device_body{20'000, 5000.0};
    made.constructed();
    readings_of(made).device_ns = device_body::device_ns;
    made.state().device = "cuda:0";
    return made;
}
const subject runs_a_kernel = running_a_kernel();

subject compiled_in(double nanoseconds) {
    subject made("compiled", [] { return spin(20'000); });
    model_of(made).compile_ns = nanoseconds;
    return made;
}
const subject compiled = compiled_in(2e10);

auto complexity_of_loop() {
    return complexity(setup([](std::size_t n) { return static_cast<int>(n); }), [](int& n) { return spin(n); },
                      {4000, 16000, 64000});
}

/// The claims of a query. The violated one has no other reason than a value beyond the bound.
struct row {
    std::string_view query;
    record (*passing)();
    record (*failing)();
    verdict failed{verdict::violated};
    std::string_view reason{};
};

// clang-format off
const row rows[] = {
    {"latency",         [] { return evaluate_record(latency(fast) < 1s); },              [] { return evaluate_record(latency(fast) < 1ns); }},
    {"cpu_time",        [] { return evaluate_record(cpu_time(fast) < 1s); },             [] { return evaluate_record(cpu_time(fast) < 1ns); }},
    {"p99",             [] { return evaluate_record(p99(latency(fast)) < 1s); },         [] { return evaluate_record(p99(latency(fast)) < 1ns); }},
    {"percentile",      [] { return evaluate_record(percentile(latency(fast), 75) < 1s); }, [] { return evaluate_record(percentile(latency(fast), 75) < 1ns); }},
    {"speedup",         [] { return evaluate_record(speedup(slow, fast) > 2); },         [] { return evaluate_record(speedup(fast, slow) > 2); }},
    {"speedups",         [] { return evaluate_record(speedups(fast, slow)); },             [] { return evaluate_record(speedups(fast, broken)); }, verdict::error, "no input"},
    {"throughput",      [] { return evaluate_record(throughput(fast) > items_per_second(1)); }, [] { return evaluate_record(throughput(fast) > items_per_second(1e15)); }},
    {"throughput in calls", [] { return evaluate_record(throughput(slow) > items_per_second(1)); }, [] { return evaluate_record(throughput(slow) > items_per_second(1e15)); }},
    {"bytes without work", [] { return evaluate_record(throughput(fast, bytes) > 1_MBps); }, [] { return evaluate_record(throughput(slow, bytes) > 1_MBps); },
                        verdict::error, "declare them on the subject"},
    {"bytes",           [] { return evaluate_record(throughput(fast, bytes) > 1_MBps); }, [] { return evaluate_record(throughput(fast, bytes) > 1'000'000'000_GBps); }},
    {"work in flops",   [] { return evaluate_record(throughput(fast, flops) > flops_per_second(1)); }, [] { return evaluate_record(throughput(fast, flops) > 1'000'000_GFLOP_per_s); }},
    {"allocations",     [] { return evaluate_record(allocations(vectors) == 1); },       [] { return evaluate_record(allocations(vectors) == 0); }},
    {"allocated_bytes", [] { return evaluate_record(allocated_bytes(vectors) <= 4_kB); }, [] { return evaluate_record(allocated_bytes(vectors) < 4_kB); }},
    {"peak_memory",     [] { return evaluate_record(peak_memory(large) < 33_MiB); },     [] { return evaluate_record(peak_memory(large) < 1_MiB); }},
    {"memory_ratio",     [] { return evaluate_record(memory_ratio(large, larger) < 1.0); }, [] { return evaluate_record(memory_ratio(large, larger) > 1.0); }},
    {"peak_memory with load", [] { return evaluate_record(peak_memory(loaded, including_load) < 50_MiB); }, [] { return evaluate_record(peak_memory(loaded, including_load) < 40_MiB); }},
    {"peak_memory with load of what loads nothing", [] { return evaluate_record(peak_memory(loaded, including_load) < 50_MiB); }, [] { return evaluate_record(peak_memory(large, including_load) < 50_MiB); },
                        verdict::error, "nothing to load"},
    {"memory_ratio with load", [] { return evaluate_record(memory_ratio(loaded, lean, including_load) > 2.0); }, [] { return evaluate_record(memory_ratio(lean, loaded, including_load) > 2.0); }},
    {"cold_start",      [] { return evaluate_record(cold_start(model) > 5ms); },         [] { return evaluate_record(cold_start(model) < 100us); }},
    {"first_call",      [] { return evaluate_record(first_call(model) < 1s); },          [] { return evaluate_record(first_call(model) < 1ns); }},
    {"load_time",       [] { return evaluate_record(load_time(model) < 1s); },           [] { return evaluate_record(load_time(fast) < 1s); }, verdict::error, "no load step"},
    {"spread",       [] { return evaluate_record(spread(fast) < pct(1000)); }, [] { return evaluate_record(spread(erratic) < pct(0.001)); }},
    {"complexity",          [] { return evaluate_record(complexity_of_loop() <= order::power(2)); }, [] { return evaluate_record(complexity_of_loop() <= order::power(0)); }},
    {"metric",          [] { return evaluate_record(metric("tokens/s", more_is_better, rated) > 39); }, [] { return evaluate_record(metric("tokens/s", more_is_better, rated) > 41); }},
    {"device_throughput", [] { return evaluate_record(device_throughput(busy_device) > items_per_second(1)); }, [] { return evaluate_record(device_throughput(busy_device) > items_per_second(1e15)); }},
    {"device_time",     [] { return evaluate_record(device_time(device) < 6us); },       [] { return evaluate_record(device_time(device) < 4us); }},
    {"kernel_time",     [] { return evaluate_record(kernel_time(runs_a_kernel, "gelu") < 6us); }, [] { return evaluate_record(kernel_time(runs_a_kernel, "gelu") < 4us); }},
    {"kernel_time of all kernels", [] { return evaluate_record(kernel_time(runs_a_kernel) < 6us); }, [] { return evaluate_record(kernel_time(runs_a_kernel) < 4us); }},
    {"kernel_time of a name that none has", [] { return evaluate_record(kernel_time(runs_a_kernel, "gelu") < 6us); }, [] { return evaluate_record(kernel_time(runs_a_kernel, "gelo") < 6us); },
                        verdict::error, "It runs: gelu"},
    {"kernel_time without a device", [] { return evaluate_record(kernel_time(fast, "gelu") < 6us); }, [] { return evaluate_record(kernel_time(fast, "gelu") < 1ns); }},
    {"same_output",     [] { return evaluate_record(same_output(device, copied)); },     [] { return evaluate_record(same_output(device, other)); }, verdict::violated, "outputs differ"},
    {"operators",        [] { return evaluate_record(operators(model_of_kernels) == 3); },          [] { return evaluate_record(operators(model_of_kernels) <= 2); }},
    {"operators of a name", [] { return evaluate_record(operators(model_of_kernels, "ns::conv") == 1); }, [] { return evaluate_record(operators(model_of_kernels, "ns::conv") < 1); }},
    {"operators of a name that none has", [] { return evaluate_record(operators(model_of_kernels, "ns::sort") == 0); }, [] { return evaluate_record(operators(model_of_kernels, "ns::relo") == 0); },
                        verdict::error, "did you mean \"ns::relu\"?"},
    {"kernels",    [] { return evaluate_record(kernels(model_of_kernels) == 2); },      [] { return evaluate_record(kernels(model_of_kernels) <= 1); }},
    {"kernels without kernels", [] { return evaluate_record(kernels(fast) == 2); }, [] { return evaluate_record(kernels(fast) <= 1); }},
    {"flop_count",      [] { return evaluate_record(flop_count(product) == 2048); },          [] { return evaluate_record(flop_count(product) < 2048); }},
    {"flop_count of what has no formula", [] { return evaluate_record(flop_count(fast) <= 1e9); }, [] { return evaluate_record(flop_count(fast) < 1); }},
    {"tensor_allocations", [] { return evaluate_record(tensor_allocations(tensors) == 2); }, [] { return evaluate_record(tensor_allocations(tensors) < 2); }},
    {"tensor_memory",   [] { return evaluate_record(tensor_memory(tensors) == 300_kB); },  [] { return evaluate_record(tensor_memory(tensors) < 300_kB); }},
    {"device_memory",   [] { return evaluate_record(device_memory(uses_memory) == 300_kB); }, [] { return evaluate_record(device_memory(uses_memory) < 300_kB); }},
    {"device_memory without a device", [] { return evaluate_record(device_memory(fast) == 300_kB); }, [] { return evaluate_record(device_memory(fast) < 1_kB); }},
    {"compile_time",    [] { return evaluate_record(compile_time(compiled) < 21s); },      [] { return evaluate_record(compile_time(compiled) < 19s); }},
    {"compile_time of what is not compiled", [] { return evaluate_record(compile_time(fast) < 21s); }, [] { return evaluate_record(compile_time(fast) < 1s); }},
    {"profile",         [] { return evaluate_record(profile(model_of_kernels)); },                [] { return evaluate_record(profile(broken)); }, verdict::error, "no input"},
    {"instructions",    [] { return evaluate_record(instructions(fast) < 1e9); },        [] { return evaluate_record(instructions(fast) < 1); }},
    {"cycles",          [] { return evaluate_record(cycles(fast) < 1e9); },              [] { return evaluate_record(cycles(fast) < 1); }},
    {"branch_misses",   [] { return evaluate_record(branch_misses(fast) < 1e9); },       [] { return evaluate_record(branch_misses(fast) > 1e9); }},
    {"cache_misses",    [] { return evaluate_record(cache_misses(fast) < 1e9); },        [] { return evaluate_record(cache_misses(fast) > 1e9); }},
    {"simulated_instructions",  [] { return evaluate_record(simulated_instructions(vectors) < 1e9, false_pass(0.13)); }, [] { return evaluate_record(simulated_instructions(vectors) < 1, false_pass(0.13)); }},
    {"device_time without a device", [] { return evaluate_record(device_time(fast) < 6us); }, [] { return evaluate_record(device_time(fast) < 1ns); }},
};
// clang-format on

/// Whether the measured value is beyond its bound.
bool lies_beyond(const record& r) {
    if (!r.estimate || !r.bound) return false;
    if (r.comparison == "==") return r.estimate->value != *r.bound;
    if (r.comparison == "<") return r.estimate->value >= *r.bound;
    return r.comparison.front() == '<' ? r.estimate->value > *r.bound : r.estimate->value <= *r.bound;
}

bool passes(const record& r) {
    return perfspec::detail::has_succeeded(r.verdict) && !r.failed && !(r.bound && lies_beyond(r));
}

bool fails(const record& r, const row& expected) {
    if (r.verdict != expected.failed || !r.failed) return false;
    return expected.reason.empty() ? lies_beyond(r) : r.reason.find(expected.reason) != std::string::npos;
}

enum class outcome { as_it_should, otherwise, skipped };

void print(const row& of, const char* word, const record& r) {
    std::printf("%-30.*s %-8s %-10s %s\n", static_cast<int>(of.query.size()), of.query.data(), word,
                perfspec::to_string(r.verdict), r.reason.c_str());
}

outcome check(const row& of) {
    const record passing = of.passing();
    const record failing = of.failing();
    print(of, "passing", passing);
    print(of, "failing", failing);
    const bool neither = failing.verdict == verdict::skipped || fails(failing, of);
    if (passing.verdict == verdict::skipped && neither && !passing.reason.empty() && !passing.failed)
        return outcome::skipped;
    return passes(passing) && fails(failing, of) ? outcome::as_it_should : outcome::otherwise;
}

}  // namespace

int main(int argc, char** argv) {
    perfspec::init(argc, argv);
    const std::string_view argument = argc > 1 ? argv[1] : "";
    int checked = 0, otherwise = 0, skipped = 0;
    for (const row& r : rows) {
        if (argument == "--list") std::printf("%.*s\n", static_cast<int>(r.query.size()), r.query.data());
        if (argument == "--list" || (!argument.empty() && argument != r.query)) continue;
        const outcome o = check(r);
        ++checked;
        otherwise += o == outcome::otherwise ? 1 : 0;
        skipped += o == outcome::skipped ? 1 : 0;
    }
    if (argument == "--list") return 0;
    std::printf("%d of %d as they should be, %d skipped here\n", checked - otherwise - skipped, checked, skipped);
    if (checked == 0 || otherwise != 0) return 1;
    return skipped == checked ? 77 : 0;
}
