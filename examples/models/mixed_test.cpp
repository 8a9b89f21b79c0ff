// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Mixtures of eager and compiled layers, chosen by oracles and really run: by timers the faster variant of each layer,
// also of three variants, and by subtraction and dynamic programming with what a change of variant costs, which is
// measured here, too. The first round compiles, so that a cap must be long.
#include "models.hpp"

#include <perfspec/explain/layer_oracle.hpp>

#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using namespace std::chrono_literals;
using namespace perfspec::language;
using perfspec::layer_side;

perfspec::subject part(const perfspec::python_subjects& py, const std::string& model, const std::string& what) {
    return py(model + " " + what).axis("model", model);
}

/// [layers]: nanoseconds by subtraction.
std::vector<double> subtracted(const perfspec::record& found) {
    std::vector<double> times;
    for (const perfspec::part_value& each : found.parts)
        if (each.method == "subtraction" && each.part != "sum") times.push_back(each.value.centre);
    return times;
}

/// Fails where a query is invalid, and skips the test where it is not judged: a mixture would be chosen from nothing.
perfspec::record required(perfspec::record found) {
    if (found.verdict == perfspec::verdict::invalid) FAIL(found.query << ": " << found.reason);
    if (found.verdict == perfspec::verdict::not_judged) SKIP(found.query << ": " << found.reason);
    return found;
}

/// Nanoseconds of one change between eager and compiled code: each layer compiled by itself beside all of them as one
/// graph. That enters compiled code, and leaves it, once more for each layer but one.
double switching_cost(const std::string& model) {
    const auto py = models::in_variant("compiled");
    const auto found = required(perfspec::evaluate(compare(part(py, model, "compiled"), part(py, model, "apart"))));
    const std::size_t more = models::layers_of(model).size() - 1;
    return std::max(0.0, (found.subjects.at(1).median - found.subjects.at(0).median) / static_cast<double>(more) / 2.0);
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
    return letters(chosen_layers(required(perfspec::evaluate(oracle(all), rounds(20), cap(60min)))));
}

std::string by_programming(const std::string& model, double switching_ns) {
    const auto times = [&](const char* variant) {
        return subtracted(
            required(perfspec::evaluate(layers(models::layered(model, variant)), rounds(20), cap(60min))));
    };
    const auto eager = times("eager"), compiled = times("compiled");
    return letters(perfspec::choose_layers(eager, compiled, switching_ns).sides);
}

/// Runs a mixture beside the model, eager and compiled, in one process.
void run_mixture(const std::string& model, const std::string& kind, const std::string& sides) {
    std::printf("%s, %s: %s\n", model.c_str(), kind.c_str(), sides.c_str());
    const perfspec::python_subjects py("layers.py", {.threads = 1, .environment = {{"MODELS_MIXED", sides}}});
    const auto subject = [&](const std::string& what) {
        return part(py, model, what).axis("mixture", kind).axis("sides", sides);
    };
    PERF_REQUIRE(same_output(subject("eager"), subject(kind)));
    PERF_RECORD(speedup(subject("eager"), subject("compiled")));
    PERF_RECORD(speedup(subject("eager"), subject(kind)));
    PERF_RECORD(speedup(subject("compiled"), subject(kind)));
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
    const double switching_ns = switching_cost(model);
    std::printf("%s: a change between eager and compiled code costs %.1f us\n", model.c_str(), switching_ns / 1e3);
    run_mixture(model, "mixed", by_programming(model, switching_ns));
}
