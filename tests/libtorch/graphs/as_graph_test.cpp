// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_graph.hpp"
#include "fake_timers.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand_like.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::graphs;
using perfspec::evaluate;
using perfspec::input_error;
using perfspec::subject;
using perfspec::verdict;
using perfspec::verification_code;
using axis = std::pair<std::string, std::string>;

at::Tensor plus_one(const at::Tensor& x) { return x + 1; }

subject plus_one_kernel(const at::Tensor& input = at::ones({2})) {
    return fake::model(input, fake::kernel_of(plus_one));
}

/// What happened in the meantime.
struct counted {
    int captures_before{graphs::captures()};
    int replays_before{graphs::replays()};

    [[nodiscard]] int captures() const { return graphs::captures() - captures_before; }
    [[nodiscard]] int replays() const { return graphs::replays() - replays_before; }
};

/// Two replays check that outputs are written.
constexpr int checking_replays = 2;

}  // namespace

TEST_CASE("as_graph on the processor is skipped", "[libtorch][unit]") {
    const auto r = evaluate_record(latency(as_graph(plus_one_kernel())) < std::chrono::seconds(1));
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("as_graph reports what the device of its subject lacks", "[libtorch][unit]") {
    const auto there = configured(plus_one_kernel(), {.device = at::kXLA});
    CHECK(as_graph(there).state().skip_reason == "this LibTorch is built without device xla");
    CHECK(perfspec::detail::why_no_graphs(at::Device(at::kXLA)) == "this LibTorch has no graphs for device xla");
    CHECK(perfspec::detail::make_device_graph(at::kXLA) == nullptr);
}

TEST_CASE("as_graph refuses what a graph cannot be of, and says what to give", "[libtorch][unit]") {
    const auto refusal = [](const subject& x) {
        try {
            static_cast<void>(as_graph(x));
            return std::string("none");
        } catch (const input_error& error) { return std::string(error.what()); }
    };
    const auto model = plus_one_kernel();
    CHECK_RECORDED(refusal(subject("work", [] {})));
    CHECK_THAT(refusal(streams(model, 2)), ContainsSubstring("as_graph(\"fake\"): it runs on several streams"));
    CHECK_THAT(refusal(as_graph(model)), ContainsSubstring("as_graph(\"fake\"): it is a graph already"));
    perfspec::detail::torch_model trained;
    trained.trains = true;
    CHECK_RECORDED(refusal(perfspec::detail::torch_subject("step", std::move(trained), at::ones({2}))));
}

TEST_CASE("what needs the model itself refuses a graph", "[libtorch][unit]") {
    const auto graph = as_graph(plus_one_kernel());
    CHECK_THROWS_RECORDED(input_error, streams(graph, 2));
    CHECK_THROWS_RECORDED(input_error, configured(graph, {.threads = 1}));
    CHECK_THROWS_RECORDED(input_error, perfspec::largest_batch(graph, {.memory = perfspec::GiB(1)}));
}

TEST_CASE("a graph is captured before the time, and an iteration is a replay", "[libtorch][unit]") {
    const fake::device device;
    int calls = 0;
    const auto model = fake::model(at::ones({2}), [&](const at::Tensor& x) {
        ++calls;
        return fake::kernel_of(plus_one)(x);
    });
    const auto graph = fake::graph_of(model, device);
    CHECK(graph.state().axes == std::vector<axis>{{"graph", "on"}});
    const counted all;
    perfspec::run_untimed(graph, 5);
    CHECK(calls == 4);  // three warm ones and the captured one
    CHECK(all.captures() == 1);
    CHECK(all.replays() == checking_replays + 5);
    perfspec::run_untimed(graph, 3);
    CHECK(calls == 4);
    CHECK(all.captures() == 1);
    CHECK(all.replays() == checking_replays + 8);
    CHECK(device.current_stream() == 0);
}

TEST_CASE("capturing is part of the time of loading", "[libtorch][unit]") {
    const fake::device device;
    int loads = 0;
    auto model = plus_one_kernel();
    model.load([&] { ++loads; });
    const auto graph = fake::graph_of(model, device);
    const counted all;
    perfspec::ensure_loaded(graph);
    CHECK(loads == 1);
    CHECK(all.captures() == 1);
}

TEST_CASE("a graph is captured on its own stream and replayed on that of the program", "[libtorch][unit]") {
    const fake::device device;
    std::vector<std::int64_t> streams;
    const auto model = fake::model(at::ones({2}), [&](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        streams.push_back(device.current_stream());
        graphs::launch([&, x, y] {
            streams.push_back(device.current_stream());
            y.copy_(x + 1);
        });
        return y;
    });
    perfspec::run_untimed(fake::graph_of(model, device), 1);
    CHECK(streams == std::vector<std::int64_t>{1, 1, 1, 1, 1, 1, 1, 0, 0,
                                               0});  // call and kernel three times, the capture, three replays
}

TEST_CASE("device_time of a graph is that of one replay", "[libtorch][unit]") {
    const fake::device device;
    const auto model = fake::model(at::ones({2}), [&](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        graphs::launch([&, x, y] {
            device.work(0.25);
            y.copy_(x + 1);
        });
        return y;
    });
    CHECK(take_device_time(fake::graph_of(model, device)) == 0.25e6);
}

TEST_CASE("device_time of a graph is taken by the timers of its device", "[libtorch][unit]") {
    const fake::device device;
    const fake::timers timers(device);
    const auto graph = fake::graph_of(plus_one_kernel(), device);
    perfspec::detail::torch_body_of(graph)->clock.select_timers(graph, device.name());
    CHECK(readings_of(graph).timing == "hot");
    static_cast<void>(take_device_time(graph));
    REQUIRE(timers.samples.size() == 1);
    CHECK(timers.samples[0].is_held);
    CHECK_FALSE(timers.samples[0].waits_for_last);
}

TEST_CASE("a graph of a host-synchronized model is so, too", "[libtorch][unit]") {
    const fake::device device;
    CHECK(perfspec::detail::torch_body_of(as_graph(host_synchronized(plus_one_kernel())))->clock.is_host_synchronized);
    CHECK_THROWS_RECORDED(input_error, host_synchronized(fake::graph_of(plus_one_kernel(), device)));
}

TEST_CASE("a graph has the outputs of its model", "[libtorch][unit]") {
    const fake::device device;
    CHECK(fake::verify(plus_one_kernel(), fake::graph_of(plus_one_kernel(), device)).code == verification_code::pass);
    const auto plus_two = fake::model(at::ones({2}), fake::kernel_of([](const at::Tensor& x) { return x + 2; }));
    CHECK(fake::verify(plus_one_kernel(), fake::graph_of(plus_two, device)).code == verification_code::fail);
}

TEST_CASE("a graph of a model that draws random numbers has the outputs of its model", "[libtorch][unit]") {
    const fake::device device;
    const auto dropout = [](const at::Tensor& x) { return x * at::rand_like(x); };
    const auto model = fake::model(at::ones({8}), fake::kernel_of(dropout));
    CHECK(fake::verify(model, fake::graph_of(model, device)).code == verification_code::pass);
}

TEST_CASE("a graph reads what its inputs hold when it is replayed", "[libtorch][unit]") {
    const fake::device device;
    const at::Tensor input = at::ones({2});
    const auto graph = fake::graph_of(plus_one_kernel(input), device);
    perfspec::run_untimed(graph, 1);
    input.fill_(5);
    perfspec::detail::torch_body& body = *perfspec::detail::torch_body_of(graph);
    const counted all;
    CHECK(at::equal(body.results(body.inputs_to_run).at(0).value, at::full({2}, 6.0)));
    CHECK(all.captures() == 0);
}

TEST_CASE("a graph is captured again where it would read the memory of another tensor", "[libtorch][unit]") {
    const fake::device device;
    at::Tensor weight = at::ones({2});
    const auto model =
        fake::model(at::ones({2}), fake::kernel_of([weight](const at::Tensor& x) { return x + weight; }), {weight});
    const auto graph = fake::graph_of(model, device);
    perfspec::run_untimed(graph, 1);
    const counted all;
    weight.fill_(2);
    perfspec::run_untimed(graph, 1);
    CHECK(all.captures() == 0);
    weight.set_data(at::full({2}, 3.0));
    perfspec::run_untimed(graph, 1);
    CHECK(all.captures() == 1);
}

TEST_CASE("a graph is captured again under other settings of PyTorch", "[libtorch][unit]") {
    const fake::device device;
    const auto graph = fake::graph_of(plus_one_kernel(), device);
    perfspec::run_untimed(graph, 1);
    const counted all;
    at::Context& context = at::globalContext();
    const bool before = context.benchmarkCuDNN();
    context.setBenchmarkCuDNN(!before);
    perfspec::run_untimed(graph, 1);
    context.setBenchmarkCuDNN(before);
    CHECK(all.captures() == 1);
}

TEST_CASE("a graph takes another batch and other threads of a run, and no device without graphs", "[libtorch][unit]") {
    const fake::device device;
    const auto graph = fake::graph_of(plus_one_kernel(at::ones({2, 3})), device);
    perfspec::run_untimed(graph, 1);
    const counted all;
    const auto take = graph.state().functions->take_settings;
    CHECK(take(graph, {.batch = 4}).empty());
    perfspec::run_untimed(graph, 1);
    CHECK(all.captures() == 1);
    CHECK(perfspec::detail::torch_body_of(graph)->results(at::ones({4, 3})).at(0).value.size(0) == 4);
    perfspec::detail::torch_body_of(graph)->device = device.name();
    CHECK_RECORDED(take(graph, {.device = "cpu"}));
}

TEST_CASE("operators and memory of a graph are skipped, because a replay shows none", "[libtorch][unit]") {
    const fake::device device;
    const auto graph = fake::graph_of(plus_one_kernel(), device);
    for (const perfspec::record& r :
         {evaluate_record(operators(graph) <= 1), evaluate_record(perfspec::flop_count(graph) <= 1)}) {
        CHECK(r.verdict == verdict::skipped);
        CHECK_THAT(r.reason, ContainsSubstring("\"fake\" is replayed as a graph, and a replay calls no operators"));
    }
    for (const perfspec::record& r :
         {evaluate_record(tensor_allocations(graph) <= 1), evaluate_record(tensor_memory(graph) < perfspec::bytes(1)),
          evaluate_record(tensor_memory(graph) < tensor_memory(plus_one_kernel()))}) {
        CHECK(r.verdict == verdict::skipped);
        CHECK_THAT(r.reason, ContainsSubstring("whose memory was allocated when it was captured"));
    }
    graph.state().device = device.name().str();
    CHECK_RECORDED(evaluate_record(device_memory(graph) < perfspec::bytes(1)).reason);
}

TEST_CASE("a claim on a graph and its model is judged", "[libtorch][unit]") {
    const fake::device device;
    const auto model = plus_one_kernel();
    const auto r =
        evaluate_record(speedup(model, fake::graph_of(model, device)) > 1e-6, perfspec::language::rounds(30));
    CHECK(r.query == "speedup(fake, fake graph=on)");
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.verified);
    CHECK(r.verified->code == verification_code::pass);
}

TEST_CASE("a package is loaded apart for its graph", "[libtorch][unit]") {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    const perfspec::tensor_list input{at::ones({1, 8})};
    const auto package = perfspec::aot_inductor("inductor", PERFSPEC_TOY_FOLDER "/libtorch_toy.pt2", input);
    auto model = perfspec::detail::torch_body_of(package)->model.capturable();
    model.ready();
    const perfspec::tensor_list captured = model.run(input, 1);
    CHECK_FALSE(package.state().loaded);
    perfspec::run_untimed(package, 1);
    CHECK(at::equal(captured.at(0), perfspec::detail::torch_body_of(package)->results(input).at(0).value));
    CHECK(perfspec::detail::torch_body_of(as_graph(package))->model.capturable == nullptr);
}
