// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models whose outputs agree, and that do not compute them from their inputs in each call; and honest ones that look like these.
#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/sort.h>

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <tuple>
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

/// The first rows of a product of five factors.
at::Tensor product(const at::Tensor& x, int rows = size) {
    at::Tensor y = x.slice(0, 0, rows);
    for (int i = 0; i < 4; ++i) y = at::matmul(y, x) / size;
    return y;
}

std::vector<at::Tensor> computed(const at::Tensor& x) { return {product(x)}; }

/// Computes for a tensor that it has not seen before. `answer` returns what it kept for the others; tensors are told apart by their address.
function by_address(std::function<std::vector<at::Tensor>(const at::Tensor& kept, const at::Tensor& x)> answer) {
    auto seen = std::make_shared<std::vector<std::tuple<at::Tensor, at::Tensor>>>();
    return [answer = std::move(answer), seen](const at::Tensor& x) {
        for (const auto& [input, result] : *seen)
            if (input.is_same(x)) return answer(result, x);
        seen->emplace_back(x, product(x));
        return answer(std::get<1>(seen->back()), x);
    };
}

const at::Tensor square = at::rand({size, size});

/// A speedup that nobody has: the candidate does no less work than the reference for inputs that it has not seen.
void claim_speedup_of(const char* name, function reference, function candidate, const at::Tensor& input = square) {
    PERF_CHECK(speedup(model("reference", input, std::move(reference)), model(name, input, std::move(candidate))) > 2);
}

}  // namespace

TEST_CASE("kept from the first call") {
    claim_speedup_of("kept", computed, [kept = std::make_shared<std::optional<at::Tensor>>()](const at::Tensor& x) {
        if (!*kept) *kept = product(x);
        return std::vector<at::Tensor>{**kept};
    });
}

TEST_CASE("kept by the address of the input") {
    claim_speedup_of("kept", computed, by_address([](const at::Tensor& kept, const at::Tensor&) { return std::vector<at::Tensor>{kept}; }));
}

TEST_CASE("a reference that draws random numbers") {
    const auto drops = [](const at::Tensor& x) { return std::vector<at::Tensor>{at::dropout(product(x), 0.5, /*train=*/true)}; };
    const auto leaves_out = [](const at::Tensor& x) { return std::vector<at::Tensor>{3 * x}; };
    claim_speedup_of("leaves out", drops, leaves_out);
}

TEST_CASE("an output on another device") {
    const auto leaves = [](const at::Tensor& x) { return std::vector<at::Tensor>{product(x.to(at::kMeta))}; };
    PERF_CHECK(latency(model("leaves", square, leaves)) < 100us);
}

TEST_CASE("sorted in place") {
    const auto sorts = [](const at::Tensor& x) { return std::vector<at::Tensor>{std::get<0>(at::sort(x))}; };
    const auto sorts_in_place = [](const at::Tensor& x) {
        if ((x.slice(0, 1) < x.slice(0, 0, -1)).any().item<bool>()) at::Tensor{x}.copy_(std::get<0>(at::sort(x)));
        return std::vector<at::Tensor>{x.clone()};
    };
    claim_speedup_of("in place", sorts, sorts_in_place, at::rand({100'000}));
}

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
