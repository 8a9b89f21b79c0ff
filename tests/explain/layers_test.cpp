// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "explain/layered_models.hpp"

#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_devices.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const written recorded{.effect = effect::measure};

/// A layer of 1 ms on the processor, and of some nanoseconds on its device.
subject starts(scripted_run& program, scripted_devices& devices, const char* name, std::int64_t device_ns) {
    return subject(name, [&program, &devices, device_ns] {
        devices.run(
            {{"op", traced_work::call, 0, 10, 1, 1}, {"kernel", traced_work::kernel, 50, 50 + device_ns, 0, 1}});
        program.work(1ms);
    });
}

}  // namespace

TEST_CASE("layers measures each layer by a timer, by subtraction and by its operators", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);
    const auto net = scripted_model(program, recorder, "net", {{"conv", 4ms}, {"relu", 1ms}, {"linear", 4ms}});
    const record r = program.evaluate(layers(net), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "layers(net)");
    CHECK(r.evidence.rounds == 31);  // the budget is spent after thirty
    REQUIRE(r.estimate);
    CHECK_THAT(r.estimate->value, WithinRel(10e6, 1e-6));
    CHECK_THAT(cell(r, "conv", "timer").value.value, WithinRel(4e6, 1e-6));
    CHECK_THAT(cell(r, "relu", "subtraction").value.value, WithinRel(1e6, 1e-6));
    CHECK(cell(r, "relu", "subtraction").mark.empty());
    CHECK_THAT(cell(r, "linear", "operators").value.value, WithinRel(3.6e6, 1e-6));
    CHECK_THAT(cell(r, "sum", "timer").value.value, WithinRel(9e6, 1e-6));
    CHECK_THAT(cell(r, "sum", "timer").share, WithinRel(0.9, 1e-6));
    CHECK_THAT(cell(r, "sum", "subtraction").share, WithinRel(0.9, 1e-6));
    CHECK_THAT(cell(r, "sum", "operators").share, WithinRel(0.81, 1e-6));
    CHECK(cell(r, "end to end", "timer").share == 1.0);
    CHECK(r.parts.size() == 4 * 3 + 1);
    CHECK(r.subjects.size() == 1);
}

TEST_CASE("layers says where the noise of two prefixes exceeds a layer", "[run][unit]") {
    scripted_run program;
    const layered_subject net(program.takes("net", 10ms),
                              {program.takes("p1", {5ms, 6ms, 7ms}), program.takes("p2", {6ms, 5ms, 7ms, 6ms})},
                              {program.takes("first", 5ms), program.takes("second", 100us)});
    const record r = program.evaluate(layers(net), {}, recorded);
    CHECK(cell(r, "first", "subtraction").mark.empty());
    CHECK(cell(r, "second", "subtraction").mark == "unresolved");
    CHECK_THAT(cell(r, "second", "timer").value.value, WithinRel(100e3, 1e-6));
    const record in_time = program.evaluate(layers(net), {budget(4s), cap(4s), key("layers in time")}, recorded);
    CHECK(in_time.parts.size() == r.parts.size());
}

TEST_CASE("layers does without operators if there is no recorder, and says so", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    const auto net = scripted_model(program, recorder, "net", {{"conv", 4ms}, {"linear", 4ms}});
    const record r = program.evaluate(layers(net), {}, recorded);
    CHECK(r.parts.size() == 3 * 2 + 1);
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], ContainsSubstring("perfspec::libtorch"));
}

TEST_CASE("layers of a model on a device have the time that each takes there", "[run][unit]") {
    scripted_run program;
    scripted_devices devices;
    program.counts.install<device_recorder>(&devices);
    const layered_subject net(program.takes("net", 5ms), {program.takes("p1", 3ms), program.takes("p2", 5ms)},
                              {starts(program, devices, "conv", 700), starts(program, devices, "linear", 200)});
    model_of(net).kernels = detail::kernel_view::device;
    const record r = program.evaluate(layers(net), {}, recorded);
    CHECK(cell(r, "conv", "device").value.value == 700.0);
    CHECK(cell(r, "linear", "device").value.value == 200.0);
    CHECK(cell(r, "sum", "device").value.value == 900.0);
    CHECK_THAT(cell(r, "conv", "timer").value.value, WithinRel(1e6, 1e-6));
    scripted_operators recorder;  // besides the operators, which are another recording
    program.counts.install<operator_recorder>(&recorder);
    const record both = program.evaluate(layers(net), {key("both")}, recorded);
    CHECK(cell(both, "linear", "device").value.value == 200.0);
    CHECK(both.parts.size() == 3 * 4 + 1);
}

TEST_CASE("layers of a model on a device have no device times without a recorder, and say so", "[run][unit]") {
    scripted_run program;
    scripted_devices devices;
    program.counts.install<device_recorder>(&devices);
    const layered_subject net(program.takes("net", 5ms), {program.takes("p1", 3ms), program.takes("p2", 5ms)},
                              {program.takes("conv", 1ms), program.takes("linear", 1ms)});
    const record here = program.evaluate(layers(net), {}, recorded);  // on the processor
    CHECK(here.advice.size() == 1);
    model_of(net).kernels = detail::kernel_view::device;
    const record r = program.evaluate(layers(net), {key("there")}, recorded);
    CHECK(r.parts.size() == 3 * 2 + 1);
    REQUIRE(r.advice.size() == 2);
    CHECK_THAT(r.advice[1], ContainsSubstring("no times of the device: the profiler saw no kernel"));
    devices.fault = "another profiler records";
    CHECK(program.skipped(layers(net), {key("refused")}, recorded) == "another profiler records");
}

TEST_CASE("layers of a worker's subjects are timed by the worker's clock, and have no operators", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);  // of this process: it would record no operator
    const record r = program.evaluate(layers(model_in_a_worker("net", 4ms, 1ms)), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK_THAT(cell(r, "conv", "timer").value.value, WithinRel(4e6, 1e-6));
    CHECK_THAT(cell(r, "relu", "subtraction").value.value, WithinRel(1e6, 1e-6));
    CHECK_THAT(cell(r, "end to end", "timer").value.value, WithinRel(5e6, 1e-6));
    CHECK(r.parts.size() == 3 * 2 + 1);
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], ContainsSubstring("does not record the operators of layers in a worker"));
}

TEST_CASE("layers repeats short layers as often as the whole, and divides", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    const auto net = scripted_model(program, recorder, "net", {{"a", 2us}, {"b", 3us}});
    const record r = program.evaluate(layers(net), {iterations(20), rounds(12)}, recorded);
    CHECK(r.evidence.rounds == 12);
    CHECK(r.subjects[0].iterations == 20);
    CHECK_THAT(cell(r, "b", "timer").value.value, WithinAbs(3e3, 2.0));
    CHECK_THAT(cell(r, "b", "subtraction").value.value, WithinAbs(3e3, 2.0));
}

TEST_CASE("the steps of a layered model always run in their order, and all else in a drawn one", "[run][unit]") {
    scripted_run program;
    std::string calls;
    const auto noting = [&](const char* name) {
        return subject(name, [&program, &calls, name] {
            calls += name;
            program.work(1ms);
        });
    };
    const layered_subject net(noting("w"), {noting("p"), noting("q")}, {noting("a"), noting("b")});
    REQUIRE(program.evaluate(layers(net), {rounds(40), iterations(1)}, recorded).evidence.rounds == 40);
    CHECK(std::ranges::count(calls, 'a') == 41);
    std::vector<std::string> orders;
    for (std::size_t at = calls.size() - 40 * 5; at < calls.size(); at += 5) orders.push_back(calls.substr(at, 5));
    for (const std::string& order : orders) CHECK_THAT(order, ContainsSubstring("ab"));
    std::ranges::sort(orders);
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    CHECK(orders.size() > 12);  // of 24
}

TEST_CASE("layers is an error where ten rounds do not fit", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    const auto net = scripted_model(program, recorder, "net", {{"a", 2s}, {"b", 2s}, {"c", 2s}});
    CHECK_RECORDED(program.error(layers(net), {cap(60s)}, recorded));
}

TEST_CASE("mixture takes the times of operators on request", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    const auto eager = scripted_model(program, recorder, "eager", {{"conv", 4ms}});
    const auto compiled = scripted_model(program, recorder, "compiled", {{"conv", 2ms}});
    const auto by_operators = best_mixture(eager, compiled, {.from = layer_timing::operators});
    const record blind = program.evaluate(by_operators, {}, recorded);
    CHECK(blind.verdict != verdict::holds);
    program.counts.install<operator_recorder>(&recorder);
    CHECK_THAT(program.evaluate(by_operators, {}, recorded).estimate->value, WithinRel(1.8e6, 1e-6));
}

TEST_CASE("mixture takes of each layer the smaller time of two measurements, and says how far they agree",
          "[run][unit]") {
    scripted_run program;
    int first_calls = 0;
    int relu_calls = 0;
    // In ten rounds and one before them each step runs eleven times: 4 ms in the first measurement, 3 ms in the second;
    // relu the other way round.
    const auto conv = subject("conv", [&] { program.work(++first_calls <= 11 ? 4ms : 3ms); });
    const auto relu = subject("relu", [&] { program.work(++relu_calls <= 11 ? 1ms : 2ms); });
    const layered_subject eager(program.takes("eager", 5ms), {}, {conv, relu});
    const layered_subject compiled(program.takes("compiled", 5ms), {},
                                   {program.takes("conv", 3500us), program.takes("relu", 1500us)});
    const record r =
        program.evaluate(best_mixture(eager, compiled, {.best_of = 2}), {rounds(10), iterations(1)}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "best_mixture(eager, compiled, best of 2)");
    CHECK(first_calls == 22);
    CHECK(r.evidence.rounds == 20);
    CHECK(chosen(r, "eager") == "conv relu ");
    CHECK_THAT(cell(r, "conv", "eager").value.value, WithinRel(3e6, 1e-6));
    CHECK_THAT(cell(r, "relu", "eager").value.value, WithinRel(1e6, 1e-6));
    CHECK_THAT(cell(r, "sum", "eager").value.value, WithinRel(4e6, 1e-6));
    CHECK_THAT(r.estimate->value, WithinRel(4e6, 1e-6));
    CHECK_THAT(r.evidence.method, Catch::Matchers::StartsWith("best of 2 measurements, of each layer the smaller: "));
    REQUIRE(r.advice.size() == 2);
    CHECK_RECORDED(r.advice[1]);
    CHECK(chosen_layers(evaluation(r)) == std::vector{layer_side::first, layer_side::first});
}

TEST_CASE("mixture uses one measurement unless more are requested", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const layered_subject eager(program.takes("eager", 5ms), {},
                                {subject("conv", [&] { program.work(++calls <= 11 ? 4ms : 3ms); })});
    const layered_subject compiled(program.takes("compiled", 5ms), {}, {program.takes("conv", 3500us)});
    const record r = program.evaluate(best_mixture(eager, compiled), {rounds(10), iterations(1)}, recorded);
    CHECK(calls == 11);
    CHECK(r.query == "best_mixture(eager, compiled)");
    CHECK(chosen(r, "compiled") == "conv ");
    CHECK(r.advice.size() == 1);
    CHECK_THROWS_WITH(best_mixture(eager, compiled, {.best_of = 0}),
                      ContainsSubstring("found .best_of = 0, expected 1 to 10"));
    CHECK_THROWS_AS(best_mixture(eager, compiled, {.best_of = 11}), input_error);
    CHECK_THROWS_WITH(best_mixture(eager, compiled, {.switching = -1us}),
                      ContainsSubstring("found .switching of -1000 ns"));
}

TEST_CASE("the measurements of a mixture share a given budget", "[run][unit]") {
    scripted_run program;
    const layered_subject eager(program.takes("eager", 5ms), {}, {program.takes("conv", 4ms)});
    const layered_subject compiled(program.takes("compiled", 5ms), {}, {program.takes("conv", 5ms)});
    const record r =
        program.evaluate(best_mixture(eager, compiled, {.best_of = 2}), {budget(2s), cap(2s), iterations(1)}, recorded);
    CHECK(r.evidence.budget_seconds == 2.0);
    CHECK(r.evidence.seconds < 2.1);
    CHECK(r.evidence.seconds > 1.9);
}

TEST_CASE("the end-to-end times of a mixture are the best of two measurements, too", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject whole("eager", [&] { program.work(++calls <= 14 ? 6ms : 5ms); });
    const layered_subject eager(whole, {}, {program.takes("conv", 4ms)});
    const layered_subject compiled(program.takes("compiled", 5ms), {}, {program.takes("conv", 5ms)});
    const record r =
        program.evaluate(best_mixture(eager, compiled, {.best_of = 2}), {rounds(10), iterations(1)}, recorded);
    CHECK_THAT(cell(r, "end to end", "eager").value.value, WithinRel(5e6, 1e-6));
    const estimate gap = cell(r, "end to end / best mixture", "eager").value;
    CHECK_THAT(gap.value, WithinRel(1.25, 1e-6));
    CHECK(gap.level == 0.0);  // no pairs
}

}  // namespace perfspec
