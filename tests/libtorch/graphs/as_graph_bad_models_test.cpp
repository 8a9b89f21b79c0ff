// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models whose graphs do only part of their work, or none. A claim on their speed is false, and must not hold.
#include "fake_graph.hpp"

#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand_like.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::graphs;
using perfspec::evaluate;
using perfspec::subject;
using perfspec::verdict;
using perfspec::verification_code;
using function = std::function<at::Tensor(const at::Tensor&)>;

at::Tensor plus_one(const at::Tensor& x) { return x + 1; }

/// The reason of a claim on the time of a graph alone, which compares no outputs.
std::string reason_of(const function& model, const at::Tensor& input = at::ones({2})) {
    const fake::device device;
    const auto r = evaluate(latency(fake::graph_of(fake::model(input, model), device)) < std::chrono::hours(1));
    CHECK(r.verdict == verdict::error);
    CHECK(device.current_stream() == 0);
    CHECK(graphs::capturing() == nullptr);
    return r.reason;
}

/// The code of the comparison of a graph with its model.
verification_code code_of(const function& model, const at::Tensor& input = at::ones({2})) {
    const fake::device device;
    const auto x = fake::model(input, model);
    return fake::verify(x, fake::graph_of(x, device)).code;
}

/// A model that computes its first output, and whose second output is that of the function.
subject two_outputs(const function& second) {
    perfspec::detail::torch_model model;
    model.run = [second](const perfspec::tensor_list& x, auto) {
        return perfspec::tensor_list{fake::kernel_of(plus_one)(x[0]), second(x[0])};
    };
    return perfspec::detail::torch_subject("two outputs", std::move(model), at::ones({2}));
}

constexpr const char* unwritten = "a replay of its graph does not write 2 of 2 elements of output 1";

}  // namespace

TEST_CASE("a graph of work on another stream is an error, because a replay does not do it", "[libtorch][unit]") {
    const function elsewhere = [](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        graphs::launch_elsewhere([&] { y.copy_(x + 1); });
        return y;
    };
    CHECK_THAT(reason_of(elsewhere), ContainsSubstring(unwritten));
    CHECK_THAT(reason_of(elsewhere), ContainsSubstring("on another stream or on the processor"));
    CHECK(code_of(elsewhere) == verification_code::exception_raised);
    CHECK_THAT(reason_of(elsewhere, at::ones({2}, at::kLong)), ContainsSubstring(unwritten));
    CHECK_THAT(reason_of(elsewhere, at::full({2}, std::numeric_limits<float>::quiet_NaN())),
               ContainsSubstring(unwritten));
    CHECK_THAT(reason_of([](const at::Tensor& x) { return x.eq(1); }), ContainsSubstring(unwritten));
}

TEST_CASE("a graph of a model that computes on the processor is an error", "[libtorch][unit]") {
    CHECK_THAT(reason_of(plus_one), ContainsSubstring(unwritten));
    const auto claim = [](const fake::device& device) {
        const auto model = fake::model(at::ones({2}), plus_one);
        return evaluate(speedup(model, fake::graph_of(model, device)) > 1e-6, perfspec::language::rounds(30));
    };
    const fake::device device;
    const auto r = claim(device);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring(unwritten));
}

TEST_CASE("a graph that writes a part of its outputs is an error", "[libtorch][unit]") {
    const function half = [](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        graphs::launch([=] { y[0].copy_(x[0] + 1); });
        graphs::launch_elsewhere([&] { y[1].copy_(x[1] + 1); });
        return y;
    };
    CHECK_THAT(reason_of(half), ContainsSubstring("does not write 1 of 2 elements"));
}

TEST_CASE("a model may keep an output that depends on no input beside one that it computes", "[libtorch][unit]") {
    const fake::device device;
    const at::Tensor grid = at::full({3}, 2.0);
    const auto graph = fake::graph_of(two_outputs([&](const at::Tensor&) { return grid; }), device);
    CHECK_NOTHROW(perfspec::run_untimed(graph, 1));
    CHECK(at::equal(grid, at::full({3}, 2.0)));
    CHECK(fake::verify(two_outputs([&](const at::Tensor&) { return grid; }), graph).code == verification_code::pass);
}

TEST_CASE("an output that holds zeros or ones is written all the same", "[libtorch][unit]") {
    for (const double value : {0.0, 1.0})
        CHECK(code_of(fake::kernel_of([=](const at::Tensor& x) { return at::full_like(x, value); })) ==
              verification_code::pass);
}

TEST_CASE("an output of drawn zeros and ones is written all the same", "[libtorch][unit]") {
    const fake::device device;
    const auto mask = [](const at::Tensor& x) { return at::rand_like(x).ge(0.5).to(at::kFloat); };
    const auto graph = fake::graph_of(fake::model(at::ones({1000}), fake::kernel_of(mask)), device);
    CHECK_NOTHROW(perfspec::run_untimed(graph, 1));
}

TEST_CASE("a graph whose random numbers are drawn once is wrong", "[libtorch][unit]") {
    CHECK(code_of([](const at::Tensor& x) {
              const at::Tensor y = at::empty_like(x);
              const at::Tensor drawn = at::rand_like(x);
              graphs::launch([=] { y.copy_(x * drawn); });
              return y;
          }) == verification_code::fail);
}

TEST_CASE("a graph that writes its outputs in its first replays only is wrong", "[libtorch][unit]") {
    int replays = 0;
    const function stops = [&](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        graphs::launch([&replays, x, y] {
            if (graphs::is_replaying() && ++replays > 2) return;
            y.copy_(x + 1);
        });
        return y;
    };
    CHECK(code_of(stops) == verification_code::fail);
}

TEST_CASE("a model that waits for its device cannot be captured, and the stream is as before", "[libtorch][unit]") {
    const function waits = [](const at::Tensor& x) {
        const at::Tensor y = fake::kernel_of(plus_one)(x);
        graphs::synchronize();
        return y;
    };
    CHECK_RECORDED(reason_of(waits));
    CHECK(code_of(waits) == verification_code::exception_raised);
}

TEST_CASE("a capture that fails without an exception of the model is reported", "[libtorch][unit]") {
    CHECK_RECORDED(reason_of([](const at::Tensor& x) {
        try {
            graphs::synchronize();
        } catch (const std::exception&) {}
        return fake::kernel_of(plus_one)(x);
    }));
}

TEST_CASE("a model that throws before it is captured says so itself", "[libtorch][unit]") {
    CHECK_RECORDED(reason_of([](const at::Tensor&) -> at::Tensor { throw std::runtime_error("no kernel for this"); }));
}

TEST_CASE("a graph of a model with an input elsewhere is refused, because it would read that once",
          "[libtorch][unit]") {
    const fake::device device;
    const auto graph = fake::graph_of(fake::model(at::ones({2}), plus_one), device);
    const perfspec::detail::torch_body& body = *perfspec::detail::torch_body_of(graph);
    CHECK_THROWS_MATCHES(
        body.graph->capture(body, {at::ones({2}), at::ones({2}, at::kMeta)}), std::runtime_error,
        Catch::Matchers::Message("input 2 is on meta, and a graph would read it only once, during the capture: put it "
                                 "on cpu"));
}

TEST_CASE("a graph whose outputs are its inputs is an error, because nothing shows that it computes them",
          "[libtorch][unit]") {
    CHECK_RECORDED(reason_of([](const at::Tensor& x) { return x; }));
    CHECK_RECORDED(reason_of([](const at::Tensor& x) { return x.sum().expand({4}); }));
}
