// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/scripted_run.hpp"

#include <perfspec/explain/metrics.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_devices.hpp>
#include <support/scripted_operators.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const written recorded{.effect = effect::measure};

/// Two additions and a product in each call, 1 ms.
subject arithmetic(scripted_run& program, scripted_operators& recorder) {
    return {"arithmetic", [&] {
                recorder.run("add", 100'000);
                recorder.run("mul", 400'000);
                recorder.run("add", 100'000);
                program.work(1ms);
            }};
}

/// "conv [1,3]: 2 calls, 200 us" an operator, in the order of the table.
std::vector<std::string> calls_of(const record& r) {
    std::vector<std::string> lines;
    for (const part_value& p : r.parts) {
        if (p.method != "calls") continue;
        const auto self =
            std::ranges::find_if(r.parts, [&](const auto& q) { return q.part == p.part && q.method == "self"; });
        lines.push_back(p.part + ": " + std::to_string(std::lround(p.value.value)) +
                        (p.value.value == 1.0 ? " call, " : " calls, ") +
                        std::to_string(std::lround(self->value.value / 1000)) + " us");
    }
    return lines;
}

/// "oneDNN self 400 us; " a library, in the order of the table.
std::string libraries_of(const record& r) {
    std::string text;
    for (const part_value& p : r.parts)
        if (p.mark == "library")
            text += p.part + " " + p.method + " " + std::to_string(std::lround(p.value.value / 1000)) + " us; ";
    return text;
}

}  // namespace

TEST_CASE("profile is a table of operators by their self times", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);
    const record r = program.evaluate(profile(arithmetic(program, recorder)), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "profile(arithmetic)");
    CHECK(r.evidence.rounds == 10);
    REQUIRE(r.parts.size() == 9);
    const auto is = [&](std::size_t i, const char* part, const char* method, double value) {
        return r.parts[i].part == part && r.parts[i].method == method && r.parts[i].value.value == value;
    };
    CHECK(is(0, "mul", "self", 400'000));
    CHECK(is(1, "mul", "total", 400'000));
    CHECK(is(2, "mul", "calls", 1));
    CHECK(r.parts[2].unit == dimension::count);
    CHECK(r.parts[2].value.low == r.parts[2].value.high);  // the same in every round
    CHECK(is(3, "add", "self", 200'000));
    CHECK(is(5, "add", "calls", 2));
    CHECK(is(6, "others", "self", 600'000));
    CHECK(r.parts[6].mark == "library");
    CHECK(is(7, "sum", "self", 600'000));
    CHECK(r.parts[8].part == "end to end");
    CHECK(program.bodies_run == 22);  // a plain and a recorded one before ten rounds of both
    const subject again = arithmetic(program, recorder);
    CHECK(program.evaluate(profile(again), {rounds(12), key("twelve")}, recorded).evidence.rounds == 12);
}

TEST_CASE("profile sums up the self times of operators by library", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);
    const subject net("net", [&] {
        recorder.run("aten::mkldnn_convolution", 300'000, "[8,3,32,32]");
        recorder.run("mkldnn::_linear_pointwise", 100'000);
        recorder.run("aten::addmm", 50'000);
        recorder.run("mine::op", 10'000);
        program.work(1ms);
    });
    const std::string expected =
        "oneDNN self 400 us; ATen, or a library that it does not name self 50 us; others self 10 us; ";
    CHECK(libraries_of(program.evaluate(profile(net), {}, recorded)) == expected);
    CHECK(libraries_of(program.evaluate(profile(net, by_shape), {}, recorded)) == expected);
}

TEST_CASE("profile sums up the times of kernels on a device by library", "[run][unit]") {
    scripted_run program;
    scripted_devices devices;
    program.counts.install<device_recorder>(&devices);
    const subject x("x", [&] {
        devices.run({{"aten::addmm", traced_work::call, 0, 90'000, 1, 2},
                     {"ampere_sgemm_128x64_tn", traced_work::kernel, 50, 700'050, 0, 2},
                     {"void splitKreduce_kernel<float, float>(int)", traced_work::kernel, 700'050, 800'050, 0, 2},
                     {"Memcpy DtoH (Device -> Pageable)", traced_work::transfer, 800'050, 810'050, 0, 0}});
        program.work(1us);
    });
    model_of(x).kernels = detail::kernel_view::device;
    CHECK_RECORDED(libraries_of(program.evaluate(profile(x), {}, recorded)));
}

TEST_CASE("profile by shape has a row for each shapes of an operator's inputs", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);
    const subject net("net", [&] {
        recorder.run("conv", 300'000, "[8,3,32,32] [16,3,3,3]");
        recorder.run("conv", 100'000, "[8,16,32,32] [16,16,3,3]");
        recorder.run("conv", 100'000, "[8,16,32,32] [16,16,3,3]");
        recorder.run("empty", 10'000);
        program.work(1ms);
    });
    const record r = program.evaluate(profile(net, by_shape), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "profile(net, by_shape)");
    CHECK_RECORDED(calls_of(r));
    CHECK(calls_of(program.evaluate(profile(net), {}, recorded)) ==
          std::vector<std::string>{"conv: 3 calls, 500 us", "empty: 1 call, 10 us"});
}

TEST_CASE("profile by shape of a subject on a device has the shapes of its calls", "[run][unit]") {
    scripted_run program;
    scripted_devices devices;
    program.counts.install<device_recorder>(&devices);
    const subject x("x", [&] {
        devices.run({{"addmm", traced_work::call, 0, 90'000, 1, 2, "[10] [4,64] [64,10]"},
                     {"gemm", traced_work::kernel, 50, 750, 0, 2}});
        program.work(1us);
    });
    model_of(x).kernels = detail::kernel_view::device;
    const record r = program.evaluate(profile(x, by_shape), {}, recorded);
    CHECK(calls_of(r) == std::vector<std::string>{"addmm [10] [4,64] [64,10]: 1 call, 90 us"});
    CHECK(calls_of(program.evaluate(profile(x), {}, recorded)) == std::vector<std::string>{"addmm: 1 call, 90 us"});
}

TEST_CASE("profile by shape says so where no call has shapes", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);
    const record r = program.evaluate(profile(arithmetic(program, recorder), by_shape), {}, recorded);
    REQUIRE(r.advice.size() == 1);
    CHECK(r.advice[0] == "no rows by shape, because the recorder does not report the shapes of inputs");
}

TEST_CASE("profile of a subject on a device has the device's times beside the processor's", "[run][unit]") {
    scripted_run program;
    scripted_devices devices;
    program.counts.install<device_recorder>(&devices);
    const subject x("x", [&] {
        devices.run({{"linear", traced_work::call, 0, 100, 1, 1},
                     {"addmm", traced_work::call, 10, 90, 1, 2},
                     {"gemm", traced_work::kernel, 50, 750, 0, 2}});
        program.work(1us);
    });
    model_of(x).kernels = detail::kernel_view::device;
    const record r = program.evaluate(profile(x), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    const auto value = [&](const char* part, const char* method) {
        for (const part_value& p : r.parts)
            if (p.part == part && p.method == method) return p.value.value;
        return -1.0;
    };
    CHECK(value("addmm", "self") == 80.0);
    CHECK(value("addmm", "device self") == 700.0);
    CHECK(value("linear", "device self") == 0.0);
    CHECK(value("linear", "device total") == 700.0);
    CHECK(value("sum", "device self") == 700.0);
    CHECK(value("end to end", "device self") == -1.0);
    CHECK(r.advice.empty());
    devices.fault = "another profiler records";
    CHECK(program.evaluate(profile(x), {key("again")}, recorded).verdict == verdict::skipped);
}

TEST_CASE("profile of a subject on a device without a recorder says why it has no times of it", "[run][unit]") {
    scripted_run program;
    scripted_devices devices;
    program.counts.install<device_recorder>(&devices);
    const subject x("x", [&] {
        devices.run({{"linear", traced_work::call, 0, 100, 1, 1}});
        program.work(1us);
    });
    model_of(x).kernels = detail::kernel_view::device;
    const record r = program.evaluate(profile(x), {}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK_THAT(r.advice.at(0), ContainsSubstring("no times of the device: the profiler saw no kernel"));
}

TEST_CASE("profile records all operators that could have run, where an adapter tells", "[run][unit]") {
    scripted_run program;
    scripted_operators recorder;
    program.counts.install<operator_recorder>(&recorder);
    CHECK_FALSE(program.evaluate(profile(arithmetic(program, recorder)), {}, recorded).known_parts);
    recorder.all = {"Library 1", {{"ns", {"add", "mul", "sub"}}}};
    const record r = program.evaluate(profile(arithmetic(program, recorder)), {key("again")}, recorded);
    REQUIRE(r.known_parts);
    CHECK(r.known_parts->library == "Library 1");
    REQUIRE(r.known_parts->namespaces.size() == 1);
    CHECK(r.known_parts->namespaces[0].name == "ns");
    CHECK(r.known_parts->namespaces[0].parts == std::vector<std::string>{"add", "mul", "sub"});
}

TEST_CASE("operators compares what an iteration runs exactly", "[run][unit]") {
    scripted_run program;
    const subject x = program.counts_in_calls("x", detail::metrics::operators, {12});
    const record r = program.evaluate(operators(x) == 12);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "operators(x)");
    CHECK(r.evidence.exact);
    CHECK(r.hardware_key.starts_with("any-"));
    CHECK(program.evaluate(operators(x) <= 11, {confirm::off}).verdict == verdict::violated);
}

TEST_CASE("operators of a name compares the calls of that operator alone", "[run][unit]") {
    scripted_run program;
    scripted_counter& multiplications = program.counts.of(detail::metrics::operators, "ns::mul");
    scripted_counter& additions = program.counts.of(detail::metrics::operators, "ns::add");
    const subject x("x", [&] {
        program.work(1ms);
        multiplications.add(2);
        additions.add(3);
    });
    const record r = program.evaluate(operators(x, "ns::mul") == 2);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "operators(x, ns::mul)");
    CHECK(program.evaluate(operators(x, "ns::add") == 3).verdict ==
          verdict::holds);  // in the same test case, so not the count before
    CHECK(program.evaluate(operators(x, "ns::add") <= 2, {confirm::off}).verdict == verdict::violated);
    const subject y("y", [&] {
        program.work(1ms);
        additions.add(4);
    });
    CHECK(program.evaluate(operators(x, "ns::add") < operators(y, "ns::add")).verdict == verdict::holds);
    CHECK(program.evaluate(operators(y, "ns::add") < operators(x, "ns::add"), {confirm::off}).verdict ==
          verdict::violated);
}

TEST_CASE("a varying count of one operator says nothing of another operator in the same test case", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject x("x", [&] {
        program.work(1ms);
        program.counts.of(detail::metrics::operators, "ns::mul").add(++calls % 2 == 0 ? 2 : 3);
        program.counts.of(detail::metrics::operators, "ns::add").add(3);
    });
    CHECK(program.evaluate(operators(x, "ns::mul") == 3, {confirm::off}).verdict == verdict::violated);
    CHECK(program.evaluate(operators(x, "ns::add") == 3).verdict == verdict::holds);
}

TEST_CASE("op_counts of two names, and of a name and of all, are not compared", "[run][unit]") {
    scripted_run program;
    const subject x = program.takes("x", 1ms);
    for (const claim& each :
         {operators(x, "ns::mul") < operators(x, "ns::add"), operators(x, "ns::mul") < operators(x)}) {
        CHECK_THAT(program.error(each), ContainsSubstring("these are counts of different operators"));
    }
}

TEST_CASE("operators and profile are errors without a recorder", "[run][unit]") {
    scripted_run program;
    program.counts.of(detail::metrics::operators).fault = "this program cannot record operators";
    const subject x = program.takes("x", 1ms);
    CHECK_THAT(program.error(operators(x) == 12), ContainsSubstring("cannot record operators"));
    CHECK_THAT(program.error(profile(x), {}, recorded), ContainsSubstring("cannot record operators"));
}

TEST_CASE("operators and profile are skipped of a subject whose operators are hidden", "[run][unit]") {
    scripted_run program;
    const subject x = program.takes("x", 1ms);
    model_of(x).hidden_operators = "a package hides its kernels";
    CHECK(program.skipped(operators(x) == 12) == "a package hides its kernels");
    CHECK(program.evaluate(operators(program.takes("y", 1ms)) <= operators(x)).verdict == verdict::skipped);
    CHECK(program.evaluate(profile(x), {}, recorded).verdict == verdict::skipped);
    CHECK(program.evaluate(kernels(x) == 12).reason == "a package hides its kernels");
}

TEST_CASE("kernels compares what an iteration runs exactly, for the hardware that it was compiled for", "[run][unit]") {
    scripted_run program;
    const subject x = program.counts_in_calls("x", detail::metrics::kernels, {12});
    model_of(x).kernels = detail::kernel_view::operators;
    const record r = program.evaluate(kernels(x) == 12);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "kernels(x)");
    CHECK(r.evidence.exact);
    CHECK_FALSE(r.hardware_key.starts_with("any-"));
    CHECK(program.evaluate(kernels(x) <= 11, {confirm::off}).verdict == verdict::violated);
}

TEST_CASE("kernels is skipped of a subject without a recorder of kernels", "[run][unit]") {
    scripted_run program;
    const subject x = program.takes("x", 1ms);
    CHECK_RECORDED(program.skipped(kernels(x) == 12));
}

TEST_CASE("kernels of a subject on a device is what ran there", "[run][unit]") {
    scripted_run program;
    const subject x("x", [&] {
        program.counts.of(detail::metrics::kernels).add(40);  // what its processor announces
        program.counts.of(detail::metrics::device_kernels).add(7);
    });
    model_of(x).kernels = detail::kernel_view::device;
    const record r = program.evaluate(kernels(x) == 7);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate->value == 7.0);
    CHECK(program.counts.of(detail::metrics::device_kernels).ended ==
          program.counts.of(detail::metrics::device_kernels).begun);
}

TEST_CASE("kernels of a device on which nothing was seen is skipped, rather than 0", "[run][unit]") {
    scripted_run program;
    const subject x = program.takes("x", 1ms);
    model_of(x).kernels = detail::kernel_view::device;
    CHECK_THAT(program.skipped(kernels(x) <= 7), ContainsSubstring("saw no kernel on the device"));
    program.counts.of(detail::metrics::device_kernels).fault = "another profiler records";
    CHECK(program.skipped(kernels(x) <= 8) == "another profiler records");
}

TEST_CASE("kernels does not compare kernels of the processor with those of a device", "[run][unit]") {
    scripted_run program;
    const subject here = program.counts_in_calls("here", detail::metrics::kernels, {12});
    const subject there = program.counts_in_calls("there", detail::metrics::kernels, {12});
    model_of(here).kernels = detail::kernel_view::operators;
    model_of(there).kernels = detail::kernel_view::device;
    CHECK_RECORDED(program.skipped(kernels(here) <= kernels(there)));
}

}  // namespace perfspec
