// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "judge_model.hpp"

#include "models.hpp"

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/randn.h>

#include <filesystem>
#include <string>

namespace vision {
namespace {

void skip_unless_exported(const std::string& package) {
    if (*VISION_SKIP_REASON != '\0') SKIP(VISION_SKIP_REASON);
    if (!std::filesystem::exists(package))
        SKIP(package << " was not exported: run ci/suite, or build the target vision_packages");
}

}  // namespace

void judge_model(std::string_view name, double least_speedup) {
    const std::string exported = VISION_PACKAGES "/" + std::string{name} + "_b1";
    skip_unless_exported(exported + ".pt2");

    const auto image = at::randn({1, 3, 224, 224});
    auto model = perfspec::eager("eager", make_model(name), image);
    auto script = perfspec::torchscript("script", exported + ".pt", image).optimized();
    auto inductor = perfspec::aot_inductor("inductor", exported + ".pt2", image);

    PERF_REQUIRE(same_output(model, script));
    PERF_REQUIRE(same_output(model, inductor));
    PERF_MEASURE(speedups(model, script, inductor));
    PERF_REQUIRE(speedup(model, inductor) > least_speedup);
    PERF_WARN(latency(inductor) <
              1.05 * baseline());           // a time of another hour: it only warns, because others share the machine
    PERF_CHECK(cold_start(inductor) < 5s);  // its record has the seconds that compiling took
    PERF_CHECK(peak_memory(inductor) < 48_MiB);
    PERF_CHECK(memory_ratio(model, inductor, including_load) >
               0.4);  // with the weights, of which a package holds two copies
}

}  // namespace vision
