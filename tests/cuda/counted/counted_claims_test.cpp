// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What claims make of the work that a device counts.
#include "counted_program.hpp"

#include <perfspec/perfspec.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

}  // namespace

TEST_CASE("device_traffic is the bytes that an iteration moves, and a subject that declares others is found out",
          "[cuda][unit]") {
    counted_program p;
    const auto x = p.saxpy().bytes(24e6);
    const record r = p.evaluate(device_traffic(x) < 1.05 * 12_MB);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate->centre == 12e6);
    CHECK_THAT(r.notes.front(), ContainsSubstring("data that stay in the L2 cache do not count"));
    CHECK(p.evaluate(device_traffic(x) > 0.95 * 24_MB, {confirm(off)}).verdict == verdict::violated);
    CHECK_FALSE(p.cupti.is_enabled);
}

TEST_CASE("device_traffic that differs from run to run is judged by statistics", "[cuda][unit]") {
    counted_program p;
    for (const auto& [name, bytes] : {std::pair{"low", 11.9e6}, {"middle", 12e6}, {"high", 12.1e6}})
        p.cupti.of[name] = {{"dram__bytes", bytes}, {"sm__inst_executed", 1e5}};
    std::size_t run = 0;
    const auto x = detail::cuda_subject(
        "x",
        [&](cudaStream_t stream) {
            constexpr const char* names[] = {"low", "high", "middle", "middle", "low", "middle", "high"};
            p.gpu.launch(stream, {.cold = 1ms, .name = names[run++ % 7]});
        },
        simulated_gpu::runtime());
    const record r = p.evaluate(device_traffic(x) < 1.05 * 12_MB);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.evidence.exact);
    CHECK(p.evaluate(device_traffic(x) < 0.95 * 12_MB, {confirm(off)}).verdict == verdict::violated);
    CHECK(p.evaluate(device_traffic(x) == within(12_MB, 5_pct)).verdict == verdict::holds);
}

TEST_CASE("device_operations is a count, of a graph too", "[cuda][unit]") {
    counted_program p;
    p.cupti.passes = 5;
    simulated_graph g{.nodes = {{.cold = 10us, .name = "saxpy"}, {.cold = 10us, .name = "saxpy"}}, .host_nodes = 0};
    const auto graph = detail::graph_subject("graph", g.executable(), g.graph(), simulated_gpu::runtime());
    const auto x = p.saxpy();
    CHECK(p.evaluate(device_operations(x) == 2e6).verdict == verdict::holds);
    CHECK(p.evaluate(device_operations(x) < 2e6, {confirm(off)}).verdict == verdict::violated);
    CHECK(p.evaluate(device_operations(x) < 0.6 * device_operations(graph)).verdict == verdict::holds);
    CHECK(p.evaluate(device_operations(graph) <= device_operations(x), {confirm(off)}).verdict == verdict::violated);
}

TEST_CASE("device_operations divides by the iterations of a sample", "[cuda][unit]") {
    counted_program p;
    CHECK(p.evaluate(device_operations(p.saxpy()) == 2e6, {iterations(10)}).verdict == verdict::holds);
}

TEST_CASE("device_operations of a body that does other work in turns does not hold a bound below the mean",
          "[cuda][unit]") {
    counted_program p;
    p.cupti.passes = 2;
    int run = 0;
    const auto x = detail::cuda_subject(
        "x",
        [&](cudaStream_t stream) {
            for (int i = run++ % 2; i < 2; ++i) p.gpu.launch(stream, {.cold = 1ms, .name = "saxpy"});
        },
        simulated_gpu::runtime());
    const record r = p.evaluate(device_operations(x) == 2e6, {confirm(off)});
    CHECK(r.verdict == verdict::violated);
    CHECK_THAT(r.reason, ContainsSubstring("the runs differ"));
}

TEST_CASE("device_operations and device_traffic are not judged where the device does not count, whatever the bound",
          "[cuda][unit]") {
    counted_program p;
    const auto x = p.saxpy();
    p.cupti.refusing["enable"] = 35;
    for (const auto& r : {p.evaluate(device_operations(x) < 1e12), p.evaluate(device_traffic(x) > 1_kB)}) {
        CHECK(r.verdict == verdict::not_judged);
        CHECK_THAT(r.reason, ContainsSubstring("NVreg_RestrictProfilingToAdminUsers=0"));
    }
}

TEST_CASE("device_operations of a body with tensor cores that are not counted is not judged", "[cuda][unit]") {
    counted_program p;
    p.cupti.names.push_back("sm__ops_path_tensor_src_fp4_dst_fp32");
    p.cupti.of["saxpy"]["sm__inst_executed_pipe_tensor"] = 1.0;
    const record r = p.evaluate(device_operations(p.saxpy()) <= 2e6);
    CHECK(r.verdict == verdict::not_judged);
    CHECK_THAT(r.reason, ContainsSubstring("does not count all their operations on a GA100"));
}

TEST_CASE("device_traffic of a body that starts no kernel is not judged, rather than 0", "[cuda][unit]") {
    counted_program p;
    const record r = p.evaluate(device_traffic(p.launches("x", {})) < 1_kB);
    CHECK(r.verdict == verdict::not_judged);
    CHECK_THAT(r.reason, ContainsSubstring("CUPTI saw no kernel"));
}

TEST_CASE("device_operations of a body that faults is invalid, and leaves nothing on", "[cuda][unit]") {
    counted_program p;
    const record r =
        p.evaluate(device_operations(launching(p.gpu, "x", {.cold = 10us, .fault = cudaErrorIllegalAddress})) <= 2);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorIllegalAddress"));
    CHECK_FALSE(p.cupti.is_enabled);
}

TEST_CASE("device_traffic and device_operations of a subject on the processor say what to bound there",
          "[cuda][unit]") {
    counted_program p;
    CHECK_THAT(p.evaluate(device_traffic(p.sort) < 1_kB).reason, ContainsSubstring("bound cache_misses(x)"));
    CHECK_THAT(p.evaluate(device_operations(p.sort) < 1).reason,
               ContainsSubstring("bound flops(x) or instructions(x)"));
}

}  // namespace perfspec::testing
