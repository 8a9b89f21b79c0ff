// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/recorders.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/scripted_operations.hpp>
#include <support/scripted_operators.hpp>
#include <support/scripted_tensors.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// Installs a scripted recorder for one test.
template <class Recorder, class Scripted> struct known_library {
    Scripted events;
    known_library() { now = &events; }
    known_library(const known_library&) = delete;
    known_library& operator=(const known_library&) = delete;
    ~known_library() { now = nullptr; }

    static Recorder* get() noexcept { return now; }

private:
    inline static Scripted* now{};
};
using known_tensors = known_library<tensor_recorder, scripted_tensors>;
using known_operations = known_library<operation_recorder, scripted_operations>;

std::int64_t read(counter& by, const subject& x, std::uint64_t iterations = 1) {
    return take_sample(x, iterations, warm_call::no, by).elapsed_ns;
}

}  // namespace

TEST_CASE("tensor_counter counts blocks", "[measure][unit]") {
    known_tensors of;
    tensor_counter blocks(known_tensors::get);
    const counting counts(blocks);
    CHECK(counts.fault().empty());
    const subject x("x", [&] {
        of.events.allocate(8);
        of.events.allocate(8);
        of.events.free(16);
    });
    CHECK(read(blocks, x) == 2);
    CHECK(read(blocks, x, 3) == 6);
}

TEST_CASE("tensor_memory_counter measures each peak from the level before it", "[measure][unit]") {
    known_tensors of;
    tensor_memory_counter peak(known_tensors::get);
    const counting counts(peak);
    of.events.allocate(1000);  // weights
    const subject x("x", [&] {
        of.events.allocate(300);
        of.events.free(200);
        of.events.allocate(100);
        of.events.free(100);
    });
    CHECK(read(peak, x) == 300);
    CHECK(read(peak, x) == 300);  // each iteration leaves 100, and the next begins from there
    const subject frees("frees", [&] { of.events.free(500); });
    CHECK(read(peak, frees) == 0);
}

TEST_CASE("tensor_memory_counter starts from zero after a body that throws", "[measure][unit]") {
    known_tensors of;
    tensor_memory_counter peak(known_tensors::get);
    const subject throws("throws", [&]() -> void { throw std::runtime_error("no input"); });
    const subject x("x", [&] {
        of.events.allocate(300);
        of.events.free(300);
    });
    {
        const counting counts(peak);
        CHECK_THROWS(read(peak, throws));
    }
    const counting counts(peak);
    CHECK(read(peak, x) == 300);
}

TEST_CASE("tensors are not counted where nothing sees them", "[measure][unit]") {
    tensor_counter blocks(known_tensors::get);
    CHECK_THAT(counting(blocks).fault(), ContainsSubstring("Link perfspec::libtorch"));
    known_tensors of;
    of.events.fault = "no memory";
    tensor_memory_counter peak(known_tensors::get);
    CHECK(counting(peak).fault() == "no memory");
    CHECK(of.events.begun == of.events.ended);
}

TEST_CASE("operation_counter adds up the operations of an iteration", "[measure][unit]") {
    known_operations of;
    operation_counter operations(known_operations::get);
    const counting counts(operations);
    CHECK(counts.fault().empty());
    const subject x("x", [&] {
        of.events.run(1000);
        of.events.run(24);
    });
    CHECK(read(operations, x) == 1024);
    CHECK(read(operations, x, 3) == 3072);
    CHECK(operations.caveat().empty());
    const subject of_nothing("of nothing", [&] { of.events.run(0); });
    CHECK(read(operations, of_nothing) == 0);  // a product of an empty tensor
}

TEST_CASE("operation_counter has no count of a body without a counted call", "[measure][unit]") {
    known_operations of;
    operation_counter operations(known_operations::get);
    const counting counts(operations);
    const subject counted("counted", [&] { of.events.run(5); });
    CHECK(read(operations, counted) == 5);
    const subject silent("silent", [] {});
    CHECK_THROWS_RECORDED(measurement_failure, read(operations, silent));
}

TEST_CASE("operation_counter names what has no formula", "[measure][unit]") {
    known_operations of;
    operation_counter operations(known_operations::get);
    const counting counts(operations);
    const subject x("x", [&] { of.events.run_without_formula("lib::convolution"); });
    CHECK_THROWS_RECORDED(measurement_failure, read(operations, x));
    CHECK_RECORDED(operations.caveat());
    for (const char* name : {"b", "c", "d", "e", "f"}) of.events.run_without_formula(name);
    CHECK_THAT(operations.caveat(), ContainsSubstring(": lib::convolution, b, c, d and 2 others"));
}

TEST_CASE("operation_counter starts from zero after a body that throws", "[measure][unit]") {
    known_operations of;
    operation_counter operations(known_operations::get);
    const subject throws("throws", [&]() -> void { throw std::runtime_error("no input"); });
    const subject x("x", [&] { of.events.run(7); });
    {
        const counting counts(operations);
        CHECK_THROWS(read(operations, throws));
    }
    const counting counts(operations);
    CHECK(read(operations, x) == 7);
}

TEST_CASE("operations are not counted where nothing sees them", "[measure][unit]") {
    operation_counter operations(known_operations::get);
    CHECK_THAT(counting(operations).fault(), ContainsSubstring("Link perfspec::libtorch"));
    CHECK(operations.caveat().empty());
}

namespace {

// conv calls _conv, which calls empty twice; relu follows at once.
const std::vector<operator_event> of_one_thread{
    {"conv", 0, 100, 1}, {"_conv", 10, 90, 1}, {"empty", 20, 25, 1}, {"empty", 30, 40, 1}, {"relu", 100, 130, 1}};

}  // namespace

TEST_CASE("tabulate gives each operator what it did not spend in others", "[measure][unit]") {
    const std::vector<operator_times> expected{
        {"_conv", 65, 80, 1}, {"relu", 30, 30, 1}, {"conv", 20, 100, 1}, {"empty", 15, 15, 2}};
    CHECK(tabulate(of_one_thread) == expected);
    CHECK(total_self_ns(of_one_thread) == 130.0);
}

TEST_CASE("tabulate takes events in any order", "[measure][unit]") {
    std::vector<operator_event> turned(of_one_thread.rbegin(), of_one_thread.rend());
    CHECK(tabulate(turned) == tabulate(of_one_thread));
}

TEST_CASE("tabulate keeps threads apart", "[measure][unit]") {
    const std::vector<operator_event> events{{"outer", 0, 100, 1}, {"other", 10, 60, 2}};
    const std::vector<operator_times> expected{{"outer", 100, 100, 1}, {"other", 50, 50, 1}};
    CHECK(tabulate(events) == expected);
    CHECK(total_self_ns(events) == 150.0);
}

TEST_CASE("tabulate counts an operator within itself once in its total", "[measure][unit]") {
    const std::vector<operator_event> events{{"to", 0, 100, 1}, {"copy", 10, 90, 1}, {"to", 20, 50, 1}};
    const std::vector<operator_times> expected{{"copy", 50, 80, 1}, {"to", 50, 100, 2}};
    CHECK(tabulate(events) == expected);
}

TEST_CASE("tabulate takes the longer of two calls that begin at once for the caller", "[measure][unit]") {
    const std::vector<operator_event> events{{"inner", 0, 40, 1}, {"outer", 0, 100, 1}};
    const std::vector<operator_times> expected{{"outer", 60, 100, 1}, {"inner", 40, 40, 1}};
    CHECK(tabulate(events) == expected);
}

TEST_CASE("tabulate of nothing is nothing", "[measure][unit]") {
    CHECK(tabulate({}).empty());
    CHECK(total_self_ns({}) == 0.0);
}

TEST_CASE("record_operators records one iteration", "[measure][unit]") {
    testing::scripted_operators recorder;
    const subject x("x", [&] { recorder.run("add", 10); });
    recorder.run("before", 1);
    const auto events = record_operators(recorder, x);
    REQUIRE(events.size() == 1);
    CHECK(events[0].name == "add");
    recorder.run("after", 1);
    CHECK(recorder.seen() == 0);
}

TEST_CASE("record_operators records shapes on request", "[measure][unit]") {
    testing::scripted_operators recorder;
    const subject x("x", [&] { recorder.run("conv", 10, "[1,3]"); });
    CHECK(record_operators(recorder, x, input_shapes::recorded).at(0).shapes == "[1,3]");
    CHECK(record_operators(recorder, x).at(0).shapes.empty());
}

TEST_CASE("record_operators stops recording where the body throws", "[measure][unit]") {
    testing::scripted_operators recorder;
    CHECK_THROWS_WITH(record_operators(recorder, subject("x", [] { throw std::runtime_error("no kernel"); })),
                      ContainsSubstring("\"x\" threw: no kernel"));
    CHECK_FALSE(recorder.records());
}

TEST_CASE("operator_counter counts what its recorder sees", "[measure][unit]") {
    static testing::scripted_operators recorder;
    operator_counter counts([]() noexcept -> operator_recorder* { return &recorder; });
    CHECK(counts.begin().empty());
    recorder.run("add", 10);
    recorder.run("add", 10);
    CHECK(counts.now() == 2);
    CHECK(counts.may_stand_still());
    counts.end();
    CHECK_FALSE(recorder.records());
}

TEST_CASE("operator_counter counts those within no other on request", "[measure][unit]") {
    static testing::scripted_operators recorder;
    operator_counter kernels([]() noexcept -> operator_recorder* { return &recorder; }, &operator_recorder::outermost);
    CHECK(kernels.begin().empty());
    recorder.run("sort", 10);
    recorder.run("copy", 10);
    recorder.within_others = 1;
    CHECK(kernels.now() == 1);
    kernels.end();
}

TEST_CASE("operator_counter counts calls of one operator that the library has", "[measure][unit]") {
    static testing::scripted_operators recorder;
    recorder.all = {"Library 1", {{"ns", {"add", "mul", "multiply_and_add"}}, {"other", {"add"}}}};
    operator_counter counts([]() noexcept -> operator_recorder* { return &recorder; });
    counts.count_only("ns::add");
    CHECK(counts.begin().empty());
    recorder.run("ns::add", 10);
    recorder.run("other::add", 10);
    recorder.run("ns::mul", 10);
    recorder.run("ns::add", 10);
    CHECK(counts.now() == 2);
    counts.count_only("ns::mul");
    CHECK(counts.now() == 1);
    counts.end();
    CHECK_FALSE(recorder.records());
}

TEST_CASE("operator_counter does not count a name that no operator has", "[measure][unit]") {
    static testing::scripted_operators recorder;
    recorder.all = {"Library 1", {{"aten", {"copy_", "mul"}}}};
    operator_counter counts([]() noexcept -> operator_recorder* { return &recorder; });
    counts.count_only("aten::copi_");
    CHECK(counts.begin() == "Library 1 has no operator \"aten::copi_\"; did you mean \"aten::copy_\"?");
    CHECK_FALSE(recorder.records());
    counts.count_only("convolution");
    check_recorded("2", counts.begin());
    counts.count_only("aten::mul");
    CHECK(counts.begin().empty());
    counts.end();
    operator_counter without_recorder([]() noexcept -> operator_recorder* { return nullptr; });
    without_recorder.count_only("aten::mul");
    CHECK_THAT(without_recorder.begin(), ContainsSubstring("Link perfspec::libtorch"));
}

TEST_CASE("operator_counter says what to link without a recorder", "[measure][unit]") {
    operator_counter counts([]() noexcept -> operator_recorder* { return nullptr; });
    CHECK_THAT(counts.begin(), ContainsSubstring("Link perfspec::libtorch"));
    counts.end();
}

}  // namespace perfspec
