// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A suite of two models and a list, for end_to_end_test.py. With SLOWER=1 the fast variants of the models are slow, and
// the list allocates more.
#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

bool is_slower() { return std::getenv("SLOWER") != nullptr; }

/// Each step needs the one before, so that the time is proportional to the steps.
std::uint64_t steps(std::uint64_t count) {
    std::uint64_t state = 1;
    for (std::uint64_t i = 0; i < count; ++i) state = state * 6364136223846793005ULL + i;
    return state;
}

}  // namespace

TEST_CASE("the fast variant of a model does a third of the work") {
    const std::uint64_t size = GENERATE(2000, 8000);
    const std::uint64_t share = is_slower() ? 3 : 1;
    const std::string model = size == 2000 ? "small" : "large";
    const auto slow = perfspec::subject("slow", [=] { return steps(3 * size); }).axis("model", model);
    auto fast = perfspec::subject("fast", [=] { return steps(share * size); }).axis("model", model).unverified();
    perfspec::detail::explain();  // as the adapter of a model does, which also knows how long compiling took
    if (size == 8000) model_of(fast).compile_ns = 130e9;
    PERF_CHECK(speedup(slow, fast) > 2, budget(2s));
}

TEST_CASE("a list of numbers") {
    const std::size_t count = is_slower() ? 20 : 5;
    const auto list = perfspec::subject("list", [count] {
        std::vector<std::unique_ptr<int>> numbers(count - 1);  // one allocation more
        for (auto& each : numbers) each = std::make_unique<int>(1);
        return numbers;
    });
    PERF_CHECK(perfspec::allocations(list) <= 10);
    PERF_CHECK(perfspec::allocated_bytes(list) <= 1.0 * baseline());
}
