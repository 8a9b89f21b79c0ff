// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Real results for browser_test.py: the layers of a made-up model in two configurations, and of a variant with half the
// work in most layers.
#include <perfspec/catch2.hpp>
#include <perfspec/explain.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr std::size_t layers_of_model = 6;

/// Each step needs the one before, so that the time is proportional to the steps.
std::uint64_t steps(std::uint64_t count) {
    std::uint64_t state = 1;
    for (std::uint64_t i = 0; i < count; ++i) state = state * 6364136223846793005ULL + i;
    return state;
}

/// A model whose layers each take four times as long as the one before, so that their times span more than two decades.
perfspec::layered_subject model(const std::string& name, const std::string& batch, std::uint64_t first,
                                std::uint64_t halves) {
    std::vector<perfspec::subject> layers;
    std::uint64_t all = 0;
    std::uint64_t size = first;
    for (std::size_t i = 0; i < layers_of_model; ++i, size *= 4) {
        const std::uint64_t count = i < halves ? size / 2 : size;
        all += count;
        layers.push_back(
            perfspec::subject("layer" + std::to_string(i + 1), [count] { return steps(count); }).axis("batch", batch));
    }
    const auto whole = perfspec::subject(name, [all] { return steps(all); }).axis("batch", batch).unverified();
    return {whole, {}, std::move(layers)};
}

}  // namespace

TEST_CASE("layers of a model") {
    const bool large = GENERATE(false, true);
    const std::string batch = large ? "8" : "1";
    const std::uint64_t first = large ? 800 : 100;
    PERF_MEASURE(best_mixture(model("eager", batch, first, 0), model("compiled", batch, first, 5)), budget(2s),
                 rounds(10));
}
