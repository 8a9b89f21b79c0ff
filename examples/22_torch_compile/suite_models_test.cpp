// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The claim of torch_compile_test.cpp on models of suites, which EXAMPLE_MODELS names:
// EXAMPLE_MODELS=torchvision/alexnet,timm/resnet18. ctest judges one small block. by_hand.py measures the same subjects
// by two loops that one would write without perfspec.

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

#include <catch2/generators/catch_generators_range.hpp>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> asked_models() {
    const char* const asked = std::getenv("EXAMPLE_MODELS");
    std::istringstream names(asked == nullptr ? "block" : asked);
    std::vector<std::string> found;
    for (std::string name; std::getline(names, name, ',');) found.push_back(name);
    return found;
}

}  // namespace

TEST_CASE("models of suites are no slower compiled", "[perf][suites]") {
    const std::string model = GENERATE(from_range(asked_models()));
    const perfspec::python_subjects py("suite_models.py",
                                       {.threads = 1});  // on one, a ratio depends least on what else the machine does
    const auto eager = py(model + " eager").axis("model", model);
    const auto compiled = py(model + " compiled").axis("model", model);

    PERF_REQUIRE(same_output(eager, compiled));
    PERF_CHECK(speedup(eager, compiled) > 0.95);
    PERF_CHECK(graph_breaks(compiled) == 0);
}
