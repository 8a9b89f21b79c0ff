// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Mixtures of eager and compiled layers, chosen by best_mixture and really run: by timers the faster variant of each
// layer, also of three variants, and by subtraction and dynamic programming with what a change of variant costs, which
// is measured here, too. The first round compiles, so that a cap must be long.
#include "models.hpp"

#include <perfspec/explain.hpp>

#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace {

using namespace std::chrono_literals;
using namespace perfspec::language;
using perfspec::layer_side;

perfspec::subject part(const perfspec::python_subjects& py, const std::string& model, const std::string& what) {
    return py(model + " " + what).axis("model", model);
}

/// Fails where a query is an error, and skips the test where it is skipped: a mixture would be chosen from nothing.
perfspec::evaluation required(perfspec::evaluation found) {
    if (found.verdict == perfspec::verdict::error) FAIL(found.query << ": " << found.reason);
    if (found.verdict == perfspec::verdict::skipped) SKIP(found.query << ": " << found.reason);
    return found;
}

/// The cost of one change between eager and compiled code: each layer compiled by itself beside all of them as one
/// graph. That enters compiled code, and leaves it, once more for each layer but one.
std::chrono::nanoseconds switching_cost(const std::string& model) {
    const auto py = models::in_variant("compiled");
    const auto whole = part(py, model, "compiled"), apart = part(py, model, "apart");
    const double whole_ns = required(perfspec::evaluate(latency(whole))).value.value();
    const double whole_by_apart = required(perfspec::evaluate(speedup(whole, apart))).value.value();
    const double more_ns = whole_ns / whole_by_apart - whole_ns;
    const auto changes = 2.0 * static_cast<double>(models::layers_of(model).size() - 1);
    return std::chrono::nanoseconds(std::lround(std::max(0.0, more_ns / changes)));
}

/// "ecl": e for each layer that runs eagerly, c for each that is compiled, l for one whose memory order is "channels
/// last".
std::string letters(const std::vector<layer_side>& chosen) {
    std::string sides;
    for (const layer_side side : chosen) sides += "ecl"[index_of(side)];
    return sides;
}

std::string by_timers(const std::string& model, const std::vector<std::string>& variants) {
    std::vector<perfspec::layered_subject> all;
    for (const std::string& variant : variants) all.push_back(models::layered(model, variant));
    return letters(chosen_layers(required(perfspec::evaluate(best_mixture(all), rounds(20), cap(60min)))));
}

std::string by_programming(const std::string& model, std::chrono::nanoseconds switching) {
    const std::vector all{models::layered(model, "eager"), models::layered(model, "compiled")};
    const auto by_subtraction =
        best_mixture(all, {.switching = switching, .from = perfspec::layer_timing::subtraction});
    return letters(chosen_layers(required(perfspec::evaluate(by_subtraction, rounds(20), cap(60min)))));
}

/// Runs a mixture beside the model, eager and compiled, in one process.
void run_mixture(const std::string& model, const std::string& kind, const std::string& sides) {
    std::printf("%s, %s: %s\n", model.c_str(), kind.c_str(), sides.c_str());
    const perfspec::python_subjects py("layers.py", {.threads = 1, .environment = {{"MODELS_MIXED", sides}}});
    const auto subject = [&](const std::string& what) {
        return part(py, model, what).axis("mixture", kind).axis("sides", sides);
    };
    PERF_REQUIRE(same_output(subject("eager"), subject(kind)));
    PERF_MEASURE(speedup(subject("eager"), subject("compiled")));
    PERF_MEASURE(speedup(subject("eager"), subject(kind)));
    PERF_MEASURE(speedup(subject("compiled"), subject(kind)));
}

}  // namespace

TEST_CASE("mixtures of the faster variant of each layer, really run", "[perf][mixed]") {
    const std::string model = GENERATE(from_range(models::asked()));
    run_mixture(model, "mixed apart", by_timers(model, {"eager", "compiled"}));
}

TEST_CASE("mixtures of the fastest of three variants of each layer, really run", "[perf][mixed][three]") {
    const std::string model = GENERATE(from_range(models::asked()));
    run_mixture(model, "mixed apart", by_timers(model, {"eager", "compiled", "channels_last"}));
}

TEST_CASE("mixtures by dynamic programming with a measured switching cost, really run", "[perf][mixed]") {
    const std::string model = GENERATE(from_range(models::asked()));
    const auto switching = switching_cost(model);
    std::printf("%s: a change between eager and compiled code costs %.1f us\n", model.c_str(),
                static_cast<double>(switching.count()) / 1e3);
    run_mixture(model, "mixed", by_programming(model, switching));
}
