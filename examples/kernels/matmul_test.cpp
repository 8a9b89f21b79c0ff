// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Square matrix multiplication over sizes: the time and floating-point rate of each size, and the cost of twice the
// size.
#include "kernel.hpp"

#include <perfspec/catch2.hpp>

#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <catch2/generators/catch_generators_range.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace {

// A sweep ends at the first size that exceeds one of these limits. Raise them for plots of larger machines.
constexpr std::int64_t max_bytes = 64 << 20;          // of both factors and the product
constexpr std::int64_t max_operations = 300'000'000;  // of one product: some milliseconds

constexpr bool affordable(std::int64_t n) {
    return 3 * n * n * static_cast<std::int64_t>(sizeof(float)) <= max_bytes && 2 * n * n * n <= max_operations;
}

std::vector<std::int64_t> sizes_from(std::int64_t smallest) {
    std::vector<std::int64_t> all;
    for (std::int64_t n = smallest; affordable(n); n *= 2) all.push_back(n);
    return all;
}

perfspec::subject product(std::string_view name, std::int64_t n) {
    const auto factor = at::randn({n, n});
    const auto nd = static_cast<double>(n);
    return kernels::on_one_thread(name, {{"matmul", [factor](const at::Tensor& x) { return at::matmul(x, factor); }}},
                                  at::randn({n, n}))
        .flops(2 * nd * nd * nd);
}

}  // namespace

TEST_CASE("matrix multiplication over sizes", "[perf][matmul]") {
    const auto n = GENERATE(from_range(sizes_from(32)));
    const auto multiply = product("matmul", n).axis("n", n);
    PERF_MEASURE(latency(multiply), budget(300ms));
    PERF_MEASURE(throughput(multiply, flops), budget(300ms));
}

TEST_CASE("matrix multiplication of twice the size costs more than four times as much", "[perf][matmul]") {
    const auto n = GENERATE(from_range(sizes_from(256)));
    const auto half = product("half", n / 2).axis("n", n);
    const auto full = product("full", n).axis("n", n);
    PERF_CHECK(latency(full) > 4 * latency(half));  // eight times the operations
}
