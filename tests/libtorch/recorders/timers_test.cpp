// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Does a clock around each layer, or a recorder of operators, change the measured times? Each way to observe a model is
// a subject, compared with the unobserved model in the same rounds. The device is the processor, where waits are free.
#include "fake_module.hpp"

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <c10/core/InferenceMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using perfspec::evaluation;
using perfspec::layer_list;
using perfspec::layer_side;
using perfspec::layered;
using perfspec::setup;
using perfspec::subject;
using perfspec::verdict;
using perfspec::language::iterations;
using perfspec::testing::evaluate_record;

const at::Tensor input = at::ones({128, 128});

/// Layers of products. A product keeps ones as they are, so any number of products has the same output.
layer_list products(const std::vector<int>& each) {
    layer_list all;
    for (const int n : each) {
        all.push_back({"layer" + std::to_string(all.size() + 1), [n](at::Tensor x) {
                           for (int i = 0; i < n; ++i) x = at::relu(at::matmul(x, x)) * (1.0 / 128);
                           return x;
                       }});
    }
    return all;
}

enum class waiting : unsigned char { no, each_layer };
enum class timing : unsigned char { no, each_layer };
enum class recording : unsigned char { no, yes };

/// Operators are recorded while it lives.
struct recording_scope {
    explicit recording_scope(recording r) : on(r == recording::yes) {
        if (on) perfspec::installed_recorder<perfspec::operator_recorder>()->begin(perfspec::input_shapes::ignored);
    }
    recording_scope(const recording_scope&) = delete;
    recording_scope& operator=(const recording_scope&) = delete;
    recording_scope(recording_scope&& other) noexcept : on(std::exchange(other.on, false)) {}
    ~recording_scope() {
        if (on) static_cast<void>(perfspec::installed_recorder<perfspec::operator_recorder>()->end());
    }
    bool on;
};

/// The layers one after the other, with a clock around each as a person would write it.
subject observed(const char* name, layer_list layers, waiting w, timing t, recording r) {
    return {name, setup([r] { return recording_scope(r); }), [layers = std::move(layers), w, t](recording_scope&) {
                const c10::InferenceMode inference;
                perfspec::monotonic_clock time;
                const c10::Device device = input.device();
                std::vector<std::int64_t> each;
                at::Tensor x = input;
                for (const auto& layer : layers) {
                    const std::int64_t begin = t == timing::each_layer ? time.now() : 0;
                    x = layer.run(x);
                    if (w == waiting::each_layer && !device.is_cpu())
                        c10::impl::VirtualGuardImpl{device.type()}.synchronizeDevice(device.index());
                    if (t == timing::each_layer) each.push_back(time.now() - begin);
                }
                perfspec::do_not_optimize(each);
                return x;
            }};
}

/// One thread: under other load several threads would wait for each other, and their waits would dominate the times.
const bool on_one_thread = [] {
    at::set_num_threads(1);
    return true;
}();

/// A mixture's choice for each layer: "first second ".
std::string choice_of(const perfspec::record& mixture) {
    constexpr const char* words[] = {"first ", "second ", "third "};
    std::string text;
    for (const layer_side side : chosen_layers(evaluation(mixture))) text += words[index_of(side)];
    return text;
}

perfspec::record judged(perfspec::record r) {
    if (r.verdict == verdict::skipped) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("a clock around each layer costs a model nothing that shows, and a recorder little",
          "[libtorch][calibration]") {
    const layer_list net = products({2, 2, 2, 2});
    const subject pure = observed("pure", net, waiting::no, timing::no, recording::no);
    const subject waited = observed("synchronized", net, waiting::each_layer, timing::no, recording::no);
    const subject timed = observed("timed", net, waiting::no, timing::each_layer, recording::no);
    const subject both =
        observed("timed and synchronized", net, waiting::each_layer, timing::each_layer, recording::no);
    const subject profiled = observed("profiled", net, waiting::no, timing::no, recording::yes);
    const subject all =
        observed("profiled, timed and synchronized", net, waiting::each_layer, timing::each_layer, recording::yes);
    const auto table = judged(evaluate_record(speedups(pure, waited, timed, both, profiled, all), iterations(1)));
    for (const auto& row : table.compared)
        UNSCOPED_INFO(row.subject << ": " << 100.0 / row.speedup.value << " % of pure");
    for (const subject& x : {waited, timed, both})
        CHECK(evaluate_record(speedup(pure, x) > 0.9, iterations(1)).verdict != verdict::violated);
    for (const subject& x : {profiled, all})
        CHECK(evaluate_record(speedup(pure, x) > 0.7, iterations(1)).verdict != verdict::violated);
}

TEST_CASE("the four ways of looking at layers agree on a model whose layers are long enough",
          "[libtorch][calibration]") {
    const auto found = judged(evaluate_record(layers(layered("net", products({1, 4, 2}), input))));
    REQUIRE(found.verdict == verdict::measured);
    const auto share = [&](const char* part, const char* method) {
        const auto cell =
            std::ranges::find_if(found.parts, [&](const auto& p) { return p.part == part && p.method == method; });
        REQUIRE(cell != found.parts.end());
        return cell->share;
    };
    for (const char* method : {"timer", "subtraction", "operators"}) {
        INFO(method << ": layer2 " << share("layer2", method) << ", sum " << share("sum", method));
        CHECK(share("sum", method) > 0.5);
        CHECK(share("sum", method) < 2.0);
        CHECK(share("layer2", method) > share("layer1", method));
    }
}

TEST_CASE("a mixture finds the faster layers, and the mixture that it chose is faster than either variant",
          "[libtorch][calibration]") {
    auto first = layered("first", products({1, 8, 1}), input);
    auto second = layered("second", products({8, 1, 1}), input);
    const auto found = judged(evaluate_record(best_mixture(first, second)));
    const auto choice = chosen_layers(evaluation(found));
    REQUIRE(choice.size() == 3);
    CHECK(choice[0] == layer_side::first);
    CHECK(choice[1] == layer_side::second);
    CHECK(mixture_gap(evaluation(found)).value() > 1.0);  // ten products instead of three
    auto mixed = perfspec::hybrid("mixed", {first, second}, choice);
    CHECK(evaluate_record(speedup(first, mixed) > 1.5).verdict == verdict::holds);
    CHECK(evaluate_record(speedup(second, mixed) > 1.5).verdict == verdict::holds);
}

TEST_CASE("a mixture goes by operators on request, and the mixture that it chose is faster than either variant",
          "[libtorch][calibration]") {
    auto first = layered("first", products({1, 8, 1}), input);
    auto second = layered("second", products({8, 1, 4}), input);
    const auto found =
        judged(evaluate_record(best_mixture(first, second, {.from = perfspec::layer_timing::operators})));
    REQUIRE(found.verdict == verdict::measured);
    CHECK(choice_of(found) == "first second first ");
    CHECK(mixture_gap(evaluation(found)).value() > 1.0);  // thirteen products instead of three
    auto mixed = perfspec::hybrid("mixed", {first, second}, chosen_layers(evaluation(found)));
    CHECK(evaluate_record(speedup(first, mixed) > 1.5).verdict == verdict::holds);
    CHECK(evaluate_record(speedup(second, mixed) > 1.5).verdict == verdict::holds);
}

TEST_CASE(
    "a mixture finds the fastest layers of three variants by timers and by subtraction, and their mixture is faster than each",
    "[libtorch][calibration]") {
    const std::vector variants{layered("a", products({1, 6, 6}), input), layered("b", products({6, 1, 6}), input),
                               layered("c", products({6, 6, 1}), input)};
    for (const auto from : {perfspec::layer_timing::timers, perfspec::layer_timing::subtraction}) {
        const auto found = judged(evaluate_record(best_mixture(variants, {.from = from})));
        REQUIRE(found.verdict == verdict::measured);
        CHECK(choice_of(found) == "first second third ");
        CHECK(mixture_gap(evaluation(found), layer_side::third).value() > 1.0);  // thirteen products instead of three
        auto mixed = perfspec::hybrid("mixed by " + found.query, variants, chosen_layers(evaluation(found)));
        for (const auto& each : variants) CHECK(evaluate_record(speedup(each, mixed) > 1.5).verdict == verdict::holds);
    }
}

TEST_CASE("a mixture by operators does not see what a layer does between them, and one by timers does",
          "[libtorch][calibration]") {
    layer_list beside = products({1, 8});
    beside[0].run = [run = beside[0].run](const at::Tensor& x) {
        std::uint64_t state = 1;  // each step needs the one before: milliseconds, where a product takes a tenth of one
        for (std::uint64_t i = 0; i < 4'000'000; ++i) state = state * 6364136223846793005ULL + i;
        perfspec::do_not_optimize(state);
        return run(x);
    };
    auto first = layered("first", beside, input);
    auto second = layered("second", products({4, 1}), input);
    const auto by_operators =
        judged(evaluate_record(best_mixture(first, second, {.from = perfspec::layer_timing::operators})));
    CHECK(choice_of(by_operators) == "first second ");
    CHECK(choice_of(evaluate_record(best_mixture(first, second))) == "second second ");
}
