// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/operation_events.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/scripted_operations.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <string>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;

testing::scripted_operations* library{};
operation_recorder* of_library() noexcept { return library; }

/// Makes operations visible for one test.
struct known_library {
    testing::scripted_operations operations;
    known_library() { library = &operations; }
    known_library(const known_library&) = delete;
    known_library& operator=(const known_library&) = delete;
    ~known_library() { library = nullptr; }
};

std::int64_t read(counter& by, const subject& x, std::uint64_t iterations = 1) {
    return take_sample(x, iterations, warm_call::no, by).elapsed_ns;
}

}  // namespace

TEST_CASE("operation_counter adds up the operations of an iteration", "[measure][unit]") {
    known_library of;
    operation_counter operations(of_library);
    const counting counts(operations);
    CHECK(counts.fault().empty());
    const subject x("x", [&] {
        of.operations.run(1000);
        of.operations.run(24);
    });
    CHECK(read(operations, x) == 1024);
    CHECK(read(operations, x, 3) == 3072);
    CHECK(operations.caveat().empty());
    const subject of_nothing("of nothing", [&] { of.operations.run(0); });
    CHECK(read(operations, of_nothing) == 0);  // a product of an empty tensor
}

TEST_CASE("operation_counter has no count of a body without a counted call", "[measure][unit]") {
    known_library of;
    operation_counter operations(of_library);
    const counting counts(operations);
    const subject counted("counted", [&] { of.operations.run(5); });
    CHECK(read(operations, counted) == 5);
    const subject silent("silent", [] {});
    CHECK_THROWS_MATCHES(
        read(operations, silent), measurement_failure,
        Message(
            "no operator whose operations can be counted ran, so they are unknown; there are formulas for lib::product"));
}

TEST_CASE("operation_counter names what has no formula", "[measure][unit]") {
    known_library of;
    operation_counter operations(of_library);
    const counting counts(operations);
    const subject x("x", [&] { of.operations.run_without_formula("lib::convolution"); });
    CHECK_THROWS_MATCHES(
        read(operations, x), measurement_failure,
        Message(
            "no operator whose operations can be counted ran, so they are unknown; there are formulas for lib::product, "
            "and none for lib::convolution"));
    CHECK(operations.caveat() ==
          "operations that are not counted, because there is no formula for them: lib::convolution");
    for (const char* name : {"b", "c", "d", "e", "f"}) of.operations.run_without_formula(name);
    CHECK_THAT(operations.caveat(), ContainsSubstring(": lib::convolution, b, c, d and 2 others"));
}

TEST_CASE("operation_counter begins anew after a body that throws", "[measure][unit]") {
    known_library of;
    operation_counter operations(of_library);
    const subject throws("throws", [&]() -> void { throw std::runtime_error("no input"); });
    const subject x("x", [&] { of.operations.run(7); });
    {
        const counting counts(operations);
        CHECK_THROWS(read(operations, throws));
    }
    const counting counts(operations);
    CHECK(read(operations, x) == 7);
}

TEST_CASE("operations are not counted where nothing sees them", "[measure][unit]") {
    operation_counter operations(of_library);
    CHECK_THAT(counting(operations).fault(), ContainsSubstring("link perfspec::libtorch"));
    CHECK(operations.caveat().empty());
}

}  // namespace perfspec
