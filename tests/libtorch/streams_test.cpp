// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_device.hpp"
#include "fake_module.hpp"

#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/error.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using perfspec::evaluate;
using perfspec::verdict;
using axis = std::pair<std::string, std::string>;

perfspec::subject plus_one() {
    return fake::model(at::ones({2}), [](const at::Tensor& x) { return x + 1; });
}

}  // namespace

TEST_CASE("streams on the processor are not judged", "[libtorch][unit]") {
    for (const auto& x : {plus_one(), perfspec::subject("work", [] {}), on_device(perfspec::subject("work", [] {}), at::kCPU)}) {
        const auto several = streams(x, 2);
        CHECK_THAT(several.state().lack, ContainsSubstring("it runs on the processor, which has no streams"));
        CHECK(several.state().axes.back() == axis("streams", "2"));
        const auto r = evaluate(latency(several) < std::chrono::seconds(1));
        CHECK(r.verdict == verdict::not_judged);
        CHECK_FALSE(r.measured);
    }
}

TEST_CASE("streams tells what the device of its subject lacks", "[libtorch][unit]") {
    CHECK(streams(on_device(perfspec::subject("work", [] {}), at::Device(at::kXLA)), 2).state().lack ==
          "this LibTorch is built without device xla");
}

TEST_CASE("streams needs one to ten, and a subject without", "[libtorch][unit]") {
    const int n = GENERATE(0, -1, 11);
    CHECK_THROWS_MATCHES(streams(plus_one(), n), perfspec::input_error,
                         MessageMatches(ContainsSubstring("streams(\"fake\", " + std::to_string(n) + "): found " + std::to_string(n) +
                                                          " streams, needs 1 to 10: streams(x, 4)")));
    CHECK_NOTHROW(streams(plus_one(), 1));
    CHECK_NOTHROW(streams(plus_one(), 10));
    CHECK_THROWS_MATCHES(streams(streams(plus_one(), 2), 3), perfspec::input_error,
                         MessageMatches(ContainsSubstring("on several streams already")));
}

TEST_CASE("streams runs its subject once on each stream, and waits for the device", "[libtorch][unit]") {
    fake::device device;
    const auto work = perfspec::subject("work", [&] { device.log("run on " + std::to_string(device.current_stream())); }).items(5);
    const auto several = streams(on_device(work, device.name()), 3);
    CHECK(several.state().lack.empty());
    CHECK(several.state().items == 15.0);
    CHECK(several.state().axes == std::vector<axis>{{"device", "privateuseone:0"}, {"streams", "3"}});
    perfspec::run_untimed(several, 2);
    CHECK(device.taken() ==
          std::vector<std::string>{"wait", "run on 1", "run on 2", "run on 3", "run on 1", "run on 2", "run on 3", "wait", "wait"});
    CHECK(device.current_stream() == 0);
    perfspec::run_untimed(several, 1);  // on the same streams
    CHECK(device.taken() == std::vector<std::string>{"wait", "run on 1", "run on 2", "run on 3", "wait", "wait"});
}

TEST_CASE("streams leaves the stream of the program current where its subject throws", "[libtorch][unit]") {
    fake::device device;
    const auto several = streams(on_device(perfspec::subject("work", [] { throw std::runtime_error("no kernel"); }), device.name()), 2);
    CHECK_THROWS(perfspec::run_untimed(several, 1));
    CHECK(device.current_stream() == 0);
}

TEST_CASE("an iteration of several streams is timed until all are done", "[libtorch][unit]") {
    fake::device device;
    const auto work = perfspec::subject("work", [&] { device.log({}); });
    const auto r = evaluate(latency(streams(on_device(work, device.name()), 2)) < std::chrono::seconds(1));
    if (r.verdict == verdict::not_judged) SKIP(r.reason);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.key, ContainsSubstring("streams=2"));
}
