// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/operator_events.hpp>

#include <support/scripted_operators.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

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

TEST_CASE("record_operators asks for shapes where it is asked for them", "[measure][unit]") {
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

TEST_CASE("operator_counter counts those within no other where it is asked to", "[measure][unit]") {
    static testing::scripted_operators recorder;
    operator_counter kernels([]() noexcept -> operator_recorder* { return &recorder; }, &operator_recorder::outermost);
    CHECK(kernels.begin().empty());
    recorder.run("sort", 10);
    recorder.run("copy", 10);
    recorder.within_others = 1;
    CHECK(kernels.now() == 1);
    kernels.end();
}

TEST_CASE("named_operator_counter counts calls of one operator that the library has", "[measure][unit]") {
    static testing::scripted_operators recorder;
    recorder.all = {"Library 1", {{"ns", {"add", "mul", "multiply_and_add"}}, {"other", {"add"}}}};
    named_operator_counter counts([]() noexcept -> operator_recorder* { return &recorder; });
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

TEST_CASE("named_operator_counter does not count a name that no operator has", "[measure][unit]") {
    static testing::scripted_operators recorder;
    recorder.all = {"Library 1", {{"aten", {"copy_", "mul"}}}};
    named_operator_counter counts([]() noexcept -> operator_recorder* { return &recorder; });
    counts.count_only("aten::copi_");
    CHECK(counts.begin() == "Library 1 has no operator \"aten::copi_\"; did you mean \"aten::copy_\"?");
    CHECK_FALSE(recorder.records());
    counts.count_only("convolution");
    CHECK(
        counts.begin() ==
        "Library 1 has no operator \"convolution\": write its full name, such as aten::copy_, which PERF_RECORD(profile(x)) shows");
    counts.count_only("aten::mul");
    CHECK(counts.begin().empty());
    counts.end();
    named_operator_counter nobody([]() noexcept -> operator_recorder* { return nullptr; });
    nobody.count_only("aten::mul");
    CHECK_THAT(nobody.begin(), ContainsSubstring("link perfspec::libtorch"));
}

TEST_CASE("operator_counter says what to link where nobody records", "[measure][unit]") {
    operator_counter counts([]() noexcept -> operator_recorder* { return nullptr; });
    CHECK_THAT(counts.begin(), ContainsSubstring("link perfspec::libtorch"));
    counts.end();
}

}  // namespace perfspec
