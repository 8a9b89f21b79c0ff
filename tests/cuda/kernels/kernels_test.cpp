// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on kernels that CUPTI records.
#include "traced_program.hpp"

#include <perfspec/explain.hpp>
#include <perfspec/explain/queries.hpp>

namespace perfspec::testing {
namespace {

std::vector<std::string> rows_of(const record& r) {
    std::vector<std::string> all;
    for (const part_value& p : r.parts)
        all.push_back(p.part + ", " + p.method + ": " + std::to_string(std::llround(p.value.value)));
    return all;
}

}  // namespace

TEST_CASE("kernels is the number of kernels that an iteration runs on its GPU", "[cuda][unit]") {
    traced_program p;
    const auto x = p.launches("x", {{.cold = 10us}, {.cold = 10us}, {.cold = 10us}});
    const record r = p.evaluate(kernels(x) == 3);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate->value == 3.0);
    CHECK(p.evaluate(kernels(x) <= 2, {confirm::off}).verdict == verdict::violated);
    CHECK(p.cupti.enabled.empty());
}

TEST_CASE("kernels compares two subjects, a graph too", "[cuda][unit]") {
    traced_program p;
    const simulated_graph g{.nodes = {{.cold = 10us}, {.cold = 10us}}};
    const auto fused = launching(p.gpu, "fused", g);
    const auto unfused = p.launches("unfused", {{.cold = 10us}, {.cold = 10us}, {.cold = 10us}});
    CHECK(p.evaluate(kernels(fused) < kernels(unfused)).verdict == verdict::holds);
    CHECK(p.evaluate(kernels(unfused) < kernels(fused), {confirm::off}).verdict == verdict::violated);
}

TEST_CASE("kernels of a body that starts no kernel is skipped, rather than 0", "[cuda][unit]") {
    traced_program p;
    const auto copy =
        detail::copy_of_own("x", copy_direction::to_device, bytes(1e6), host_memory::pinned, simulated_gpu::runtime());
    const record r = p.evaluate(kernels(copy) <= 2);
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("saw no kernel on the device: the body launches none"));
}

TEST_CASE("kernels of a body that faults is an error", "[cuda][unit]") {
    traced_program p;
    const record r = p.evaluate(kernels(launching(p.gpu, "x", {.cold = 10us, .fault = cudaErrorIllegalAddress})) <= 2);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("cudaErrorIllegalAddress"));
    CHECK(p.cupti.enabled.empty());
}

TEST_CASE("profile has the kernels of an iteration by name, the longest first", "[cuda][unit]") {
    traced_program p;
    detail::explain();
    const auto x = p.launches("x", {{.cold = 20us, .name = "_Z5saxpyif"},
                                    {.cold = 70us, .name = "_Z4gemmv"},
                                    {.cold = 20us, .name = "_Z5saxpyif"}});
    const record r = p.evaluate(profile(x), {}, {.effect = effect::measure});
    CHECK(r.verdict == verdict::measured);
    CHECK(r.advice.empty());
    std::vector<std::string> rows = rows_of(r);
    REQUIRE(rows.size() > 6);
    rows.resize(6);
    CHECK_RECORDED(rows);
}

TEST_CASE("a violated claim on the time of CUDA work names its kernels", "[cuda][unit]") {
    traced_program p;
    detail::explain();
    const auto x = p.launches("x", {{.cold = 20us, .name = "_Z5saxpyif"}, {.cold = 70us, .name = "_Z4gemmv"}});
    const record r = p.evaluate(device_time(x) < 50us, {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK_RECORDED(rows_of(r));
}

}  // namespace perfspec::testing
