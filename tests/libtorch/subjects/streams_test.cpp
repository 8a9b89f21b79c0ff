// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_device.hpp"
#include "fake_module.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::evaluate;
using perfspec::verdict;
using axis = std::pair<std::string, std::string>;

perfspec::subject plus_one() {
    return fake::model(at::ones({2}), [](const at::Tensor& x) { return x + 1; });
}

}  // namespace

TEST_CASE("streams on the processor are skipped", "[libtorch][unit]") {
    for (const auto& x :
         {plus_one(), perfspec::subject("work", [] {}), on_device(perfspec::subject("work", [] {}), at::kCPU)}) {
        const auto several = streams(x, 2);
        CHECK_THAT(several.state().skip_reason, ContainsSubstring("it runs on the processor, which has no streams"));
        CHECK(several.state().axes.back() == axis("streams", "2"));
        const auto r = evaluate(latency(several) < std::chrono::seconds(1));
        CHECK(r.verdict == verdict::skipped);
        CHECK_FALSE(r.value);
    }
}

TEST_CASE("streams reports what the device of its subject lacks", "[libtorch][unit]") {
    CHECK(streams(on_device(perfspec::subject("work", [] {}), at::Device(at::kXLA)), 2).state().skip_reason ==
          "this LibTorch is built without device xla");
}

TEST_CASE("streams needs one to ten, and a subject without", "[libtorch][unit]") {
    const int n = GENERATE(0, -1, 11);
    CHECK_THROWS_MATCHES(streams(plus_one(), n), perfspec::input_error,
                         MessageMatches(ContainsSubstring("streams(\"fake\", " + std::to_string(n) +
                                                          "): give 1 to 10 streams, such as streams(x, 4)")));
    CHECK_NOTHROW(streams(plus_one(), 1));
    CHECK_NOTHROW(streams(plus_one(), 10));
    CHECK_THROWS_RECORDED(perfspec::input_error, streams(streams(plus_one(), 2), 3));
}

TEST_CASE("streams runs its subject once on each stream, and waits for the device", "[libtorch][unit]") {
    fake::device device;
    const auto work =
        perfspec::subject("work", [&] { device.log("run on " + std::to_string(device.current_stream())); }).items(5);
    const auto several = streams(on_device(work, device.name()), 3);
    CHECK(several.state().skip_reason.empty());
    CHECK(several.state().items == 15.0);
    CHECK(several.state().axes == std::vector<axis>{{"device", "privateuseone:0"}, {"streams", "3"}});
    perfspec::run_untimed(several, 2);
    CHECK_RECORDED(device.take_log());
    CHECK(device.current_stream() == 0);
    perfspec::run_untimed(several, 1);  // on the same streams
    CHECK(device.take_log() == std::vector<std::string>{"wait", "run on 1", "run on 2", "run on 3", "wait"});
}

TEST_CASE("streams leaves the stream of the program current where its subject throws", "[libtorch][unit]") {
    fake::device device;
    const auto several =
        streams(on_device(perfspec::subject("work", [] { throw std::runtime_error("no kernel"); }), device.name()), 2);
    CHECK_THROWS(perfspec::run_untimed(several, 1));
    CHECK(device.current_stream() == 0);
}

TEST_CASE("streams gives each of its runs its own input", "[libtorch][unit]") {
    fake::device device;
    int made = 0;
    const auto work =
        perfspec::subject("work", perfspec::setup([&] { return std::vector{++made}; }), [&](std::vector<int>& input) {
            const auto taken = std::exchange(input, {});
            device.log("run " + std::to_string(taken.at(0)) + " on " + std::to_string(device.current_stream()));
        });
    const auto several = streams(on_device(work, device.name()), 2);
    perfspec::run_untimed(several, 2);
    CHECK_RECORDED(device.take_log());
}

TEST_CASE("an iteration of several streams is timed until all are done", "[libtorch][unit]") {
    fake::device device;
    struct logging_clock final : perfspec::clock {
        explicit logging_clock(fake::device& d) : to(d) {}
        std::int64_t now() override {
            to.log("clock");
            return ++time;
        }
        fake::device& to;
        std::int64_t time{};
    } clock(device);
    const auto work = perfspec::subject("work", [&] { device.log("run"); });
    static_cast<void>(take_sample(streams(on_device(work, device.name()), 2), 1, perfspec::warm_call::no, clock));
    CHECK(device.take_log() == std::vector<std::string>{"wait", "clock", "run", "run", "wait", "clock"});
}

TEST_CASE("streams of LibTorch's subjects are verified, by themselves and against one stream", "[libtorch][unit]") {
    const auto wrong = fake::model(at::ones({2}), [](const at::Tensor& x) { return x + 2; });
    const auto several = streams(plus_one(), 2);
    CHECK(several.state().functions->same_output == plus_one().state().functions->same_output);
    CHECK(fake::verify(several, streams(plus_one(), 2)).code == perfspec::verification_code::pass);
    CHECK(fake::verify(several, streams(wrong, 2)).code == perfspec::verification_code::fail);
    CHECK(fake::verify(plus_one(), streams(wrong, 2)).code == perfspec::verification_code::fail);
    CHECK_NOTHROW(same_output(plus_one(), several, perfspec::accuracy{.tolerance = 1e-3}));
}

TEST_CASE("streams of a LibTorch subject run its model on each", "[libtorch][unit]") {
    fake::device device;
    const auto model = fake::model(at::ones({2}), [&](const at::Tensor& x) {
        device.log("run on " + std::to_string(device.current_stream()));
        return x;
    });
    const auto several = streams(model, 2);
    perfspec::detail::torch_body& body = *perfspec::detail::torch_body_of(several);
    body.streams.device = device.name();  // the tensors stay on the processor
    perfspec::run_untimed(several, 2);
    CHECK_RECORDED(device.take_log());
    CHECK(device.current_stream() == 0);
}

TEST_CASE("streams loads what its subject does", "[libtorch][unit]") {
    fake::device device;
    int loads = 0;
    auto work = perfspec::subject("work", [] {}).load([&] { ++loads; });
    model_of(work).compile_ns = 5;
    work.state().error_reason = "its file is damaged";
    const auto several = streams(on_device(work, device.name()), 2);
    CHECK(model_of(several).compile_ns == 5.0);
    CHECK_THROWS_RECORDED(perfspec::measurement_failure, perfspec::run_untimed(several, 1));
    CHECK(loads == 0);
    const auto intact = perfspec::subject("work", [] {}).load([&] { ++loads; });
    const auto loaded = streams(on_device(intact, device.name()), 2);
    perfspec::run_untimed(loaded, 1);
    perfspec::run_untimed(intact, 1);
    perfspec::run_untimed(streams(on_device(intact, device.name()), 3), 1);
    CHECK(loads == 1);
}

TEST_CASE("streams of a package load it", "[libtorch][unit]") {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    auto package = perfspec::aot_inductor("inductor", PERFSPEC_TOY_FOLDER "/libtorch_toy.pt2", at::ones({1, 8}));
    model_of(package).compile_ns = 7;
    const auto several = streams(package, 2);
    CHECK(several.state().run_load != nullptr);
    CHECK(model_of(several).compile_ns == 7.0);
}
