// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/libtorch/recorders/operator_recorder-inl.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::named_model;
using perfspec::evaluate;
using perfspec::operator_times;
using perfspec::verdict;

const at::Tensor input = at::ones({64, 64});

perfspec::operator_recorder& recorder() {
    auto* const known = perfspec::installed_recorder<perfspec::operator_recorder>();
    REQUIRE(known != nullptr);
    return *known;
}

std::vector<operator_times> operators_of(const perfspec::subject& x) {
    return tabulate(record_operators(recorder(), x));
}

const operator_times* find(const std::vector<operator_times>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &operator_times::name);
    return found == all.end() ? nullptr : &*found;
}

perfspec::record judged(perfspec::record r) {
    if (r.verdict == verdict::skipped) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("the recorder reports how many threads operators have", "[libtorch][unit]") {
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    CHECK(recorder().settings() == "1 thread");
    at::set_num_threads(3);
    CHECK(recorder().settings() == "3 threads");
    at::set_num_threads(before);
}

TEST_CASE("operators are recorded with those that they call", "[libtorch][unit]") {
    const auto all =
        operators_of(named_model("x", input, [](const at::Tensor& x) { return at::matmul(x, x) + x + x; }));
    const auto* const matmul = find(all, "aten::matmul");
    const auto* const mm = find(all, "aten::mm");
    const auto* const add = find(all, "aten::add");
    REQUIRE(matmul != nullptr);
    REQUIRE(mm != nullptr);
    REQUIRE(add != nullptr);
    CHECK(add->calls == 2);
    CHECK(matmul->calls == 1);
    CHECK(matmul->total_ns >= mm->total_ns);  // of one reading: the inner call lies within the outer one
    CHECK(matmul->self_ns <= matmul->total_ns - mm->total_ns);
}

TEST_CASE("operators are recorded while somebody asks, and not before or after", "[libtorch][unit]") {
    at::relu(input);
    const auto all = operators_of(named_model("x", input, [](const at::Tensor& x) { return x + x; }));
    CHECK(find(all, "aten::relu") == nullptr);
    at::relu(input);
    CHECK(recorder().seen() == 0);
}

TEST_CASE("operators of other threads are recorded, each thread by itself", "[libtorch][unit]") {
    const perfspec::subject both("both", [] {
        std::thread other([] { at::relu(input); });
        other.join();
        return at::matmul(input, input);
    });
    const auto events = record_operators(recorder(), both);
    const auto relu = std::ranges::find(events, "aten::relu", &perfspec::operator_event::name);
    const auto mm = std::ranges::find(events, "aten::mm", &perfspec::operator_event::name);
    REQUIRE(relu != events.end());
    REQUIRE(mm != events.end());
    CHECK(relu->thread != mm->thread);
}

TEST_CASE("operators counts the operators of an iteration exactly", "[libtorch][unit]") {
    const auto sums = named_model("sums", input, [](const at::Tensor& x) { return x + x + x + x; });
    const auto more = named_model("more", input, [](const at::Tensor& x) { return x + x + x + x + x - x; });
    const auto exact = judged(evaluate_record(operators(sums) == 3));
    CHECK(exact.verdict == verdict::holds);
    CHECK(evaluate_record(operators(sums) <= 2, perfspec::confirm::off).verdict == verdict::violated);
    CHECK(evaluate_record(operators(sums) < operators(more)).verdict == verdict::holds);
}

TEST_CASE("operators of a name counts that operator alone, and refuses a name that LibTorch does not have",
          "[libtorch][unit]") {
    const auto sums = named_model("products", input, [](const at::Tensor& x) { return at::matmul(x + x, x) + x; });
    CHECK(judged(evaluate_record(operators(sums, "aten::add") == 2)).verdict == verdict::holds);
    CHECK(evaluate_record(operators(sums, "aten::mm") == 1).verdict == verdict::holds);  // which matmul calls
    CHECK(evaluate_record(operators(sums, "aten::relu") == 0).verdict == verdict::holds);
    CHECK(evaluate_record(operators(sums, "aten::add") <= 1, perfspec::confirm::off).verdict == verdict::violated);
    const auto misspelled = evaluate_record(operators(sums, "aten::ad") == 0);
    CHECK(misspelled.verdict == verdict::error);
    CHECK_THAT(misspelled.reason, ContainsSubstring("has no operator \"aten::ad\""));
}

TEST_CASE("operators sees operators that call operators", "[libtorch][unit]") {
    const auto one = named_model("one", input, [](const at::Tensor& x) { return at::matmul(x, x); });
    const auto two = judged(evaluate_record(operators(one) >= 2));
    CHECK(two.verdict == verdict::holds);  // aten::matmul, aten::mm, and what this version adds
}

TEST_CASE("operators are recorded with the shapes of their inputs where somebody asks", "[libtorch][unit]") {
    const at::Tensor first = at::ones({16, 3, 3, 3}), second = at::ones({4, 16, 1, 1}), bias = at::ones({4});
    const auto net = named_model("net", at::ones({8, 3, 32, 32}), [=](const at::Tensor& image) {
        const at::Tensor y = at::conv2d(at::relu(at::conv2d(image, first)), second, bias);
        return at::cat({y, y, y, y + 1}, 1);
    });
    const auto calls = [&](perfspec::input_shapes shapes, const std::string& name, const std::string& of) {
        const auto events = record_operators(recorder(), net, shapes);
        return std::ranges::count_if(events, [&](const auto& e) { return e.name == name && e.shapes == of; });
    };
    CHECK(calls(perfspec::input_shapes::recorded, "aten::conv2d", "[8,3,32,32] [16,3,3,3]") == 1);
    CHECK(calls(perfspec::input_shapes::recorded, "aten::conv2d", "[8,16,30,30] [4,16,1,1] [4]") == 1);
    CHECK(calls(perfspec::input_shapes::recorded, "aten::relu", "[8,16,30,30]") == 1);
    CHECK(calls(perfspec::input_shapes::recorded, "aten::add", "[8,4,30,30]") > 0);  // without the number
    CHECK(calls(perfspec::input_shapes::recorded, "aten::cat", "[8,4,30,30]x4") == 1);
    CHECK(calls(perfspec::input_shapes::ignored, "aten::conv2d", "") == 2);
}

TEST_CASE("shapes_text joins three or more equal inputs in a row", "[libtorch][unit]") {
    using shapes = std::vector<std::vector<std::int64_t>>;
    CHECK(perfspec::detail::shapes_text(shapes{{8, 3, 32, 32}, {16, 3, 3, 3}}) == "[8,3,32,32] [16,3,3,3]");
    CHECK(perfspec::detail::shapes_text(shapes{{2, 64}, {64}, {64}, {64}, {64}}) == "[2,64] [64]x4");
    CHECK(perfspec::detail::shapes_text(shapes{{64}, {64}, {32}, {64}}) == "[64] [64] [32] [64]");
    CHECK(perfspec::detail::shapes_text(shapes{{}, {1, 2}, {}}) == "[1,2]");
    CHECK(perfspec::detail::shapes_text(shapes{}).empty());
}

TEST_CASE("profile by shape shows each convolution of a model apart", "[libtorch][unit]") {
    const at::Tensor first = at::ones({16, 3, 3, 3}), more = at::ones({16, 16, 3, 3});
    const auto net = named_model("net", at::ones({2, 3, 32, 32}), [=](const at::Tensor& image) {
        const at::Tensor x = at::conv2d(image, first, {}, 1, 1);
        return at::conv2d(at::conv2d(x, more, {}, 1, 1), more, {}, 1, 1);
    });
    const auto found = judged(evaluate_record(profile(net, perfspec::by_shape)));
    REQUIRE(found.verdict == verdict::measured);
    const auto calls = [&](const std::string& row) {
        const auto part =
            std::ranges::find_if(found.parts, [&](const auto& p) { return p.part == row && p.method == "calls"; });
        return part == found.parts.end() ? 0.0 : part->value.value;
    };
    CHECK(calls("aten::conv2d [2,3,32,32] [16,3,3,3]") == 1.0);
    CHECK(calls("aten::conv2d [2,16,32,32] [16,16,3,3]") == 2.0);
    CHECK(calls("aten::conv2d") == 0.0);
}

TEST_CASE("profile lists the operators of a model", "[libtorch][unit]") {
    const auto net = named_model("net", input, [](const at::Tensor& x) { return at::relu(at::matmul(x, x)); });
    const auto found = judged(evaluate_record(profile(net)));
    CHECK(found.verdict == verdict::measured);
    const auto calls =
        std::ranges::find_if(found.parts, [](const auto& p) { return p.part == "aten::mm" && p.method == "calls"; });
    REQUIRE(calls != found.parts.end());
    CHECK(calls->value.value == 1.0);
    CHECK(found.parts.back().part == "end to end");
}

TEST_CASE("quiet_start changes the environment at its first start alone", "[libtorch][unit]") {
    if (std::getenv("KINETO_LOG_LEVEL") != nullptr) SKIP("the environment says KINETO_LOG_LEVEL");
    perfspec::detail::quiet_start around;
    std::vector<std::string> levels;
    const auto look = [&] {
        const char* const level = std::getenv("KINETO_LOG_LEVEL");
        levels.emplace_back(level == nullptr ? "nothing" : level);
    };
    CHECK_THROWS_AS(around([&] {
                        look();
                        throw std::runtime_error("no device");
                    }),
                    std::runtime_error);
    look();
    around(look);
    CHECK(levels == std::vector<std::string>{"6", "nothing", "nothing"});
}
