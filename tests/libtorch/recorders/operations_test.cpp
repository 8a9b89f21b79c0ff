// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Floating-point operations. The expected numbers are 2 for each multiplication and addition of a product, by the
// shapes.
#include "fake_module.hpp"

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/recorders.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::named_model;
using perfspec::evaluate;
using perfspec::flop_count;
using perfspec::subject;
using perfspec::verdict;

const at::Tensor input = at::ones({4, 8});

std::int64_t operations_of(const subject& x) {
    perfspec::operation_counter operations(perfspec::installed_recorder<perfspec::operation_recorder>);
    const perfspec::counting counts(operations);
    REQUIRE(counts.fault().empty());
    return take_sample(x, 1, perfspec::warm_call::no, operations).elapsed_ns;
}

// Claims are judged in optimized builds only; there these tests have nothing to see.
perfspec::evaluation judged(perfspec::evaluation r) {
    if (r.verdict == verdict::skipped && r.reason.find("optimis") != std::string::npos) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("operations are those of PyTorch's formulas", "[libtorch][unit]") {
    struct row {
        const char* name;
        at::Tensor input;
        std::function<at::Tensor(const at::Tensor&)> model;
        std::int64_t operations;
    };
    const auto weight = at::ones({16, 8}), image = at::ones({2, 3, 10, 10}), batches = at::ones({5, 4, 8});
    const auto r = GENERATE_COPY(values<row>({
        {"mm", input, [](const at::Tensor& x) { return at::mm(x, x.t()); }, 2 * 4 * 8 * 4},
        {"addmm", input, [=](const at::Tensor& x) { return at::addmm(at::ones({16}), x, weight.t()); }, 2 * 4 * 8 * 16},
        {"linear calls addmm", input, [=](const at::Tensor& x) { return at::linear(x, weight, at::ones({16})); },
         2 * 4 * 8 * 16},
        {"matmul calls mm", input, [=](const at::Tensor& x) { return at::matmul(x, weight.t()); }, 2 * 4 * 8 * 16},
        {"bmm", batches, [](const at::Tensor& x) { return at::bmm(x, x.transpose(1, 2)); }, 2 * 5 * 4 * 8 * 4},
        {"conv2d, without what it calls", image,
         [](const at::Tensor& x) {
             return at::conv2d(x, at::ones({6, 3, 3, 3}));
         },
         2 * 2 * 6 * 8 * 8 * 3 * 3 * 3},
        {"grouped conv2d", at::ones({2, 4, 10, 10}),
         [](const at::Tensor& x) {
             return at::conv2d(x, at::ones({6, 2, 3, 3}), {}, 1, 1, 1, 2);
         },
         2 * 2 * 6 * 10 * 10 * 2 * 3 * 3},
        {"add and mul of elements", input, [](const at::Tensor& x) { return (x + x) * x; }, 2 * 4 * 8},
        {"the same in place", input, [](const at::Tensor& x) { return x.clone().add_(x).mul_(x); }, 2 * 4 * 8},
        {"relu, which has none, beside a sum", input, [](const at::Tensor& x) { return at::relu(x) + x; }, 4 * 8},
    }));
    CAPTURE(r.name);
    CHECK(operations_of(named_model(r.name, r.input, r.model)) == r.operations);
}

TEST_CASE("operations of other threads count, but not those outside of iterations", "[libtorch][unit]") {
    const subject both("both", [] {
        std::thread other([] { static_cast<void>(at::mm(input, input.t())); });
        other.join();
        return at::mm(input, input.t());
    });
    CHECK(operations_of(both) == 2 * 2 * 4 * 8 * 4);
    CHECK(operations_of(both) == 2 * 2 * 4 * 8 * 4);
}

TEST_CASE("flops compares the operations of a model exactly", "[libtorch][unit]") {
    const auto product = named_model("product", input, [](const at::Tensor& x) { return at::mm(x, x.t()); });
    auto half = named_model("half", input, [](const at::Tensor& x) { return at::mm(x, x.slice(0, 0, 2).t()); });
    const auto exact = judged(evaluate(flop_count(product) == 256));
    CHECK(exact.verdict == verdict::holds);
    CHECK(exact.query == "flop_count(product)");
    CHECK(exact.notes.empty());
    CHECK(evaluate(flop_count(product) <= 1e9).verdict == verdict::holds);
    CHECK(evaluate(flop_count(product) < 256, perfspec::confirm::off).verdict == verdict::violated);
    CHECK(evaluate(flop_count(half.unverified()) < flop_count(product)).verdict ==
          verdict::holds);  // their outputs differ on purpose
}

TEST_CASE("flops names products and convolutions that have no formula", "[libtorch][unit]") {
    const at::Tensor signal = at::ones({1, 2, 16});
    const auto partly = named_model("partly", signal, [](const at::Tensor& x) {
        return at::conv1d(x, at::ones({2, 2, 3})) + 1;
    });
    const auto found = judged(evaluate(flop_count(partly) <= 1e6));
    CHECK(found.verdict == verdict::holds);
    REQUIRE(found.notes.size() == 1);
    CHECK_THAT(
        found.notes.front(),
        StartsWith("the operations of these operators are not counted, because there is no formula for them: aten::") &&
            ContainsSubstring("conv"));
    const at::Tensor heads = at::ones({1, 2, 16, 8});
    const auto attention = named_model(
        "attention", heads, [](const at::Tensor& x) { return at::scaled_dot_product_attention(x, x, x) + x; });
    CHECK_THAT(judged(evaluate(flop_count(attention) <= 1e6)).notes.at(0), ContainsSubstring("attention"));
}

TEST_CASE("flops of a model without any counted operator is skipped", "[libtorch][unit]") {
    const auto found = judged(
        evaluate(flop_count(named_model("relu", input, [](const at::Tensor& x) { return at::relu(x); })) <= 1e9));
    CHECK(found.verdict == verdict::skipped);
    CHECK(found.reason ==
          "the number of operations is unknown, because no operator with a formula ran. There are formulas for "
          "aten::conv2d, mm, addmm, bmm, baddbmm, mul and add (also in place)");
    CHECK(evaluate(flop_count(subject("plain", [] { return 1; })) <= 1e9).verdict == verdict::skipped);
}

TEST_CASE("flops of a package is skipped, whether it announces its kernels or not", "[libtorch][unit]") {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    for (const char* name : {"libtorch_toy", "libtorch_stages"}) {
        const auto package =
            perfspec::aot_inductor(name, std::string(PERFSPEC_TOY_FOLDER "/") + name + ".pt2", at::ones({1, 8}));
        const auto found = judged(evaluate(flop_count(package) <= 1e9));
        CHECK(found.verdict == verdict::skipped);
        CHECK_THAT(found.reason, ContainsSubstring("runs its own kernels, for which PyTorch has no formula"));
    }
}
