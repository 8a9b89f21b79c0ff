// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Products of square matrices over sizes: compiled in each way against eager, and NumPy against PyTorch.
#include "sweep.hpp"

#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>

namespace {

using kernels::full;

// Of the sizes in products.py those up to a limit: 256 for ctest. Of a full sweep 2048, a product of which takes a
// third of a second on one thread; KERNELS_LARGEST=17500 goes on to where the thesis ended, which needs 4 GB and hours.
std::vector<long> sizes(std::vector<long> small) {
    std::vector<long> all = small;
    if (full()) all = {16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 17500};
    std::erase_if(all, [most = kernels::largest(full() ? 2048 : 256)](long n) { return n > most; });
    return all;
}

/// A product of 4096 rows takes seconds on one thread, and each larger one eight times as long.
std::uint32_t pairs_of(long n) { return n < 4096 ? 30 : 10; }

perfspec::subject product(const perfspec::python_subjects& py, long n, std::string_view variant,
                          std::string_view axis) {
    return py("n=" + std::to_string(n) + " " + std::string(variant)).axis("n", n).axis("variant", axis);
}

}  // namespace

TEST_CASE("products of matrices, compiled against eager", "[perf][matmul]") {
    const long n = GENERATE(from_range(sizes({64, 256})));
    const std::string variant = GENERATE(from_range(kernels::variants(
        {"default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "aot_inductor"})));
    const auto py = kernels::subjects_of("products.py", variant);
    // The library's product is the same; below some hundred rows the call around it is what is measured.
    const auto compiled = product(py, n, variant, variant);
    kernels::compare_with_eager(product(py, n, "eager", variant), compiled, variant, n < 256 ? 0.02 : 0.5, pairs_of(n));
    if (variant != "aot_inductor")
        PERF_CHECK(worker_counter(compiled, "inductor.extern_calls") ==
                   1);  // nothing is generated but a call of the library
}

TEST_CASE("products of matrices, by NumPy against PyTorch", "[perf][matmul][numpy]") {
    const long n = GENERATE(from_range(sizes({256})));
    const auto py = kernels::subjects_of("products.py", "numpy");
    kernels::compare_with_eager(product(py, n, "eager", "numpy"), product(py, n, "numpy", "numpy"), "numpy", 0.1,
                                pairs_of(n));
}
