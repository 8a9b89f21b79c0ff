// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models whose outputs do not agree.
#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <vector>

namespace {

/// So many products of a matrix whose elements stay as they are, and a factor at the end.
struct products {
    int count;
    double factor;

    at::Tensor forward(at::Tensor x) const {
        const at::Tensor unit = x;
        for (int i = 0; i < count; ++i) x = at::matmul(x, unit);
        return x * factor;
    }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {}; }
    [[nodiscard]] std::vector<at::Tensor> buffers() const { return {}; }
};

perfspec::subject model(const char* name, int count, double factor = 1) {
    constexpr int size = 64;
    return perfspec::eager(name, std::make_shared<products>(products{count, factor}),
                           at::full({size, size}, 1.0 / size));
}

}  // namespace

TEST_CASE("less work, another output") { PERF_CHECK(speedup(model("right", 16), model("wrong", 1, 2.0)) > 2); }
TEST_CASE("another output") { PERF_CHECK(same_output(model("right", 16), model("wrong", 1, 2.0))); }
