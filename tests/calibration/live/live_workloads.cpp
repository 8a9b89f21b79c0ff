// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "live_workloads.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <unordered_map>

namespace perfspec::testing {
namespace {

[[gnu::noinline]] std::uint64_t arithmetic(std::size_t units, std::size_t steps) {
    std::uint64_t x = 88172645463325252ULL;
    for (std::size_t i = 0; i < units * steps; ++i) {
        x ^= x << 13U;
        x ^= x >> 7U;
        x ^= x << 17U;
    }
    return x;
}

/// Each unit multiplies the same two vectors: 2 KiB, in the first cache.
[[gnu::noinline]] std::uint64_t dot_products(std::size_t units, const std::vector<double>& a,
                                             const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t u = 0; u < units; ++u) sum = std::inner_product(a.begin(), a.end(), b.begin(), 0.5 * sum);
    return static_cast<std::uint64_t>(sum);
}

constexpr std::size_t sorted_at_once = 16;
using small_array = std::array<std::uint32_t, sorted_at_once>;

/// Each unit sorts copies of small arrays, all of them different, so that branch predictors cannot learn them.
[[gnu::noinline]] std::uint64_t sorts(std::size_t units, std::size_t arrays_a_unit,
                                      const std::vector<small_array>& arrays) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < units * arrays_a_unit; ++i) {
        small_array copy = arrays[i % arrays.size()];
        std::ranges::sort(copy);
        sum += copy[i % sorted_at_once];
    }
    return sum;
}

[[gnu::noinline]] std::uint64_t lookups(std::size_t units, std::size_t lookups_a_unit,
                                        const std::unordered_map<std::uint64_t, std::uint64_t>& map) {
    std::uint64_t x = 1;
    for (std::size_t i = 0; i < units * lookups_a_unit; ++i)
        x = map.find((x * 6364136223846793005ULL + i) % map.size())->second;
    return x;
}

/// Each unit reads a hundredth of the memory, and wraps around at its end.
[[gnu::noinline]] std::uint64_t sweep(std::size_t units, const std::vector<std::uint64_t>& memory) {
    const std::size_t part = memory.size() / live_workload::usual_units;
    std::uint64_t sum = 0;
    for (std::size_t u = 0; u < units; ++u) {
        const auto begin = memory.begin() + static_cast<std::ptrdiff_t>((u % live_workload::usual_units) * part);
        sum = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(part), sum);
    }
    return sum;
}

/// The first call, which is never timed, allocates the memory, so that fresh processes for other claims need not.
auto sweep_of_memory() {
    return [memory = std::make_shared<std::vector<std::uint64_t>>()](std::size_t units) {
        if (memory->empty()) memory->assign((std::size_t{64} << 20U) / sizeof(std::uint64_t), 3);
        return sweep(units, *memory);
    };
}

std::uint64_t in_two_threads(std::size_t units) {
    std::array<std::uint64_t, 2> results{};
    {
        const std::jthread other([&] { results[0] = arithmetic(units, 5000); });
        results[1] = arithmetic(units, 5000);
    }
    return results[0] + results[1];
}

std::vector<small_array> shuffled_arrays() {
    std::mt19937 random(7);
    std::vector<small_array> arrays(4096);
    for (small_array& a : arrays) std::ranges::generate(a, random);
    return arrays;
}

/// Shared by the copies of a workload, and by those of different length.
struct inputs {
    std::vector<double> a = std::vector<double>(128, 1.5);
    std::vector<double> b = std::vector<double>(128, 0.25);
    std::vector<small_array> arrays = shuffled_arrays();
    std::unordered_map<std::uint64_t, std::uint64_t> map;

    inputs() {
        for (std::uint64_t i = 0; i < 1000; ++i) map.emplace(i, (i * 7919) % 1000);
    }
};

}  // namespace

std::vector<live_workload> live_workloads() {
    const auto in = std::make_shared<const inputs>();
    return {
        {"arith 20 us", true, [](std::size_t units) { return arithmetic(units, 100); }},
        {"dot 20 us", true, [in](std::size_t units) { return dot_products(units, in->a, in->b); }},
        {"sort 20 us", true, [in](std::size_t units) { return sorts(units, 1, in->arrays); }},
        {"map 10 us", true, [in](std::size_t units) { return lookups(units, 15, in->map); }},
        {"arith 1 ms", true, [](std::size_t units) { return arithmetic(units, 5000); }},
        {"sort 1 ms", true, [in](std::size_t units) { return sorts(units, 50, in->arrays); }},
        {"map 1 ms", true, [in](std::size_t units) { return lookups(units, 1500, in->map); }},
        {"mem 64 MiB", false, sweep_of_memory()},
        {"thr2 1 ms", false, in_two_threads},
    };
}

}  // namespace perfspec::testing
