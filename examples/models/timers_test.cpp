// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The check of the timers on whole models: does a clock around each layer, waiting after it, or PyTorch's profiler
// change what is measured? Each way of looking is compared with the model that nobody looks at, in the same rounds.
#include "models.hpp"

#include <catch2/generators/catch_generators_range.hpp>

TEST_CASE("models that are looked at beside those that are not", "[perf][timers]") {
    const std::string model = GENERATE(from_range(models::asked()));
    const std::string variant = GENERATE("eager", "compiled");
    const perfspec::python_subjects py("looked_at.py", {.threads = 1});
    const auto way = [&](const std::string& how) {
        return py(model + " " + variant + " " + how).axis("model", model).axis("variant", variant);
    };

    PERF_REQUIRE(same_output(way("pure"), way("both")));
    PERF_MEASURE(speedups(way("pure"), way("synchronized"), way("timed"), way("both"), way("profiled pure"),
                          way("profiled synchronized"), way("profiled timed"), way("profiled both")));
}
