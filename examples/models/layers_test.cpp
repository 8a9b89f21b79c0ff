// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The layers of models, eager and compiled, by four ways of timing: a clock around each, subtraction, each alone, and
// PyTorch's profiler.
#include "models.hpp"

#include <catch2/generators/catch_generators_range.hpp>

#include <chrono>

using namespace std::chrono_literals;

TEST_CASE("layers of models by timers and by subtraction", "[perf][layers]") {
    const std::string model = GENERATE(from_range(models::asked()));
    const std::string variant = GENERATE("eager", "compiled");
    const auto py = models::in_variant(variant);
    PERF_REQUIRE(same_output(py(model + " eager").axis("model", model), py(model + " compiled").axis("model", model)));
    PERF_MEASURE(layers(models::layered(model, variant)), rounds(20),
                 cap(60min));  // the first round compiles, and is not counted
}

TEST_CASE("layers of models alone, compiled against eager", "[perf][alone]") {
    const std::string model = GENERATE(from_range(models::asked()));
    const std::string layer = GENERATE_COPY(from_range(models::layers_of(model)));
    const auto py = models::in_variant("eager");
    const auto part = [&](const std::string& what) {
        return py(model + " " + layer + what).axis("model", model).axis("layer", layer);
    };
    PERF_MEASURE(speedup(part(" eager"), part(" compiled")));
    PERF_MEASURE(metric("parameters", less_is_better, part(" parameters")), rounds(10));
}

TEST_CASE("layers of models by the profiler", "[perf][profiled]") {
    const std::string model = GENERATE(from_range(models::asked()));
    const std::string variant = GENERATE("eager", "compiled");
    const std::string layer = GENERATE_COPY(from_range(models::layers_of(model)));
    const auto py = models::in_variant(variant);
    const auto one =
        py(model + " " + layer + " profiled").axis("model", model).axis("layer", layer).axis("variant", variant);
    PERF_MEASURE(metric("ns", less_is_better, one), rounds(15), budget(30s));
}
