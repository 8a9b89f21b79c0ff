// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models with equal or different outputs, models that do other work than they seem to, and honest ones.
#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace {

using function = std::function<std::vector<at::Tensor>(const at::Tensor&)>;

struct module {
    function f;

    std::vector<at::Tensor> forward(const at::Tensor& x) const { return f(x); }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {}; }
    [[nodiscard]] std::vector<at::Tensor> buffers() const { return {}; }
};

perfspec::subject model(const char* name, const at::Tensor& input, function f) {
    return perfspec::eager(name, std::make_shared<module>(module{std::move(f)}), input);
}

/// A module that may write its result to its second input.
struct buffered {
    std::function<at::Tensor(const at::Tensor& x, at::Tensor out)> f;

    at::Tensor forward(const at::Tensor& x, const at::Tensor& out) const { return f(x, out); }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {}; }
    [[nodiscard]] std::vector<at::Tensor> buffers() const { return {}; }
};

perfspec::subject with_buffer(const char* name, const at::Tensor& x, const at::Tensor& out,
                              std::function<at::Tensor(const at::Tensor&, at::Tensor)> f) {
    return perfspec::eager(name, std::make_shared<buffered>(buffered{std::move(f)}), {x, out});
}

constexpr int size = 128;

/// A product of five factors.
at::Tensor product(const at::Tensor& x) {
    at::Tensor y = x;
    for (int i = 0; i < 4; ++i) y = at::matmul(y, x) / size;
    return y;
}

std::vector<at::Tensor> computed(const at::Tensor& x) { return {product(x)}; }

/// `count` products of a matrix that keep its elements, and a factor at the end.
perfspec::subject repeated(const char* name, int count, double factor) {
    constexpr int width = 64;
    return model(name, at::full({width, width}, 1.0 / width), [count, factor](const at::Tensor& x) {
        at::Tensor y = x;
        for (int i = 0; i < count; ++i) y = at::matmul(y, x);
        return std::vector<at::Tensor>{y * factor};
    });
}

const at::Tensor square = at::rand({size, size});

}  // namespace

TEST_CASE("less work, another output") { PERF_CHECK(speedup(repeated("right", 16, 1), repeated("wrong", 1, 2)) > 2); }

TEST_CASE("memory instead of strides") {
    const auto ignores_strides = [](const at::Tensor& x) { return computed(at::as_strided(x, x.sizes(), {size, 1})); };
    const at::Tensor gaps = at::cat({square, square.t()}, 1).slice(1, 0, size);
    PERF_CHECK(same_output(model("reference", gaps, computed), model("ignores strides", gaps, ignores_strides)));
}

TEST_CASE("a buffer that each call fills") {
    const at::Tensor buffer = at::ones({size, size});
    const auto fills = [buffer](const at::Tensor& x) {
        at::Tensor out = buffer;
        return std::vector<at::Tensor>{at::matmul_out(out, x, x)};
    };
    const auto more = [](const at::Tensor& x) { return std::vector<at::Tensor>{at::matmul(x, x) + 0 * product(x)}; };
    PERF_CHECK(speedup(model("more", square, more), model("fills", square, fills)) > 1.2);
}

TEST_CASE("a result that is written to an input") {
    const at::Tensor out = at::ones({size, size});
    const auto writes = [](const at::Tensor& x, at::Tensor to) { return at::matmul_out(to, x, x); };
    const auto more = [](const at::Tensor& x, const at::Tensor&) { return at::matmul(x, x) + 0 * product(x); };
    PERF_CHECK(speedup(with_buffer("more", square, out, more), with_buffer("writes", square, out, writes)) > 1.2);
}

TEST_CASE("a grid that depends on no input is kept") {
    const at::Tensor grid = at::ones({4});
    const auto keeps = [grid](const at::Tensor& x) { return std::vector<at::Tensor>{product(x), grid}; };
    const auto makes = [](const at::Tensor& x) {
        return std::vector<at::Tensor>{product(x) + 0 * product(x) + 0 * product(x), at::ones({4})};
    };
    PERF_CHECK(speedup(model("makes", square, makes), model("keeps", square, keeps)) > 1.2);
}
