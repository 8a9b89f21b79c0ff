// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/language/growth.hpp>

namespace perfspec {
namespace {

using namespace testing;

constexpr double as_given = 1.0;

/// A program whose body takes 100 us x (n / 1000)^power, times a factor of its size.
struct growing_program : scripted_run {
    using scripted_run::scripted_run;

    [[nodiscard]] query<dimension::power> grows(
        double power, double (*factor)(double n) = [](double) { return as_given; }) {
        return growth(
            setup([](std::size_t n) { return n; }),
            [this, power, factor](std::size_t& n) {
                const auto size = static_cast<double>(n);
                work(std::chrono::nanoseconds(std::llround(1e5 * std::pow(size / 1000.0, power) * factor(size))));
            },
            {1000, 2000, 4000, 8000, 16000});
    }
};

}  // namespace

TEST_CASE("a body that grows as claimed holds after ten blocks", "[run][unit]") {
    growing_program program;
    const record r = program.evaluate(program.grows(1.0) <= order::power(1), {}, {.line = 42});
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.unit == dimension::power);
    CHECK(r.query == "growth(sort_test.cpp:42)");
    CHECK_THAT(r.estimate.value().centre, WithinAbs(1.0, 1e-3));
    CHECK_THAT(r.bound.value(), WithinAbs(1.15, 1e-12));
    CHECK_THAT(r.bound_text, StartsWith("1.000 and a tolerance of 0.1500"));
    REQUIRE(r.subjects.size() == 5);
    CHECK(r.subjects[0].subject == "n=1000");
    CHECK(r.subjects[4].samples == 40);  // four a block
    CHECK_THAT(r.subjects[4].median, WithinAbs(1.6e6, 1.0));
}

TEST_CASE("a body that grows by a power too much is violated", "[run][unit]") {
    growing_program program({confirms(verdict::violated)});
    const record r = program.evaluate(program.grows(1.5) <= order::power(1));
    CHECK(r.verdict == verdict::violated);
    CHECK_THAT(r.estimate.value().centre, WithinAbs(1.5, 1e-3));
    CHECK(r.evidence.confirming_rounds == 12);
}

TEST_CASE("a factor of the logarithm passes, in both directions a wrong power does not", "[run][unit]") {
    growing_program program({confirms(verdict::violated)});
    CHECK(program.evaluate(program.grows(1.0, [](double n) { return std::log2(n); }) <= order::power(1)).verdict ==
          verdict::holds);
    CHECK(program.evaluate(program.grows(2.0) >= order::power(2), {key("quadratic")}).verdict == verdict::holds);
    CHECK(program.evaluate(program.grows(1.0) >= order::power(2), {key("linear")}).verdict == verdict::violated);
}

TEST_CASE("a growth is recorded without a bound", "[run][unit]") {
    growing_program program;
    const record r = program.evaluate(program.grows(2.0), {}, {.effect = effect::record, .line = 42});
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().centre, WithinAbs(2.0, 1e-3));
    CHECK_THAT(r.evidence.method, ContainsSubstring("least-squares slope"));
    CHECK(r.query == "growth(sort_test.cpp:42)");
}

TEST_CASE("a growth around its bound is undecided, and says what tells more", "[run][unit]") {
    growing_program program;
    const record r = program.evaluate(program.grows(1.0, [](double n) {
        static int calls = 0;
        return n > 15000 && ++calls / 4 % 2 == 0 ? 3.0 : as_given;
    }) <= order::power(1));
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason, StartsWith("20 blocks do not show whether"));
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], StartsWith("give larger sizes"));
}

TEST_CASE("a growth that takes too long is invalid", "[run][unit]") {
    growing_program program;
    CHECK_THAT(program.invalid(program.grows(2.0) <= order::power(2), {budget(std::chrono::milliseconds(300))}),
               ContainsSubstring("10 blocks of this growth need about"));
}

TEST_CASE("a growth needs three different sizes, far apart", "[run][unit]") {
    const auto with = [](std::initializer_list<std::size_t> sizes) {
        return growth(
            setup([](std::size_t n) { return n; }), [](std::size_t&) {}, sizes);
    };
    CHECK_THROWS_MATCHES(with({1000, 1000, 8000}), input_error,
                         MessageMatches(StartsWith("growth: found 2 different sizes, from 1000 to 8000")));
    CHECK_THROWS_AS(with({0, 10, 80}), input_error);
    CHECK_THROWS_AS(with({10, 20, 79}), input_error);
    CHECK_NOTHROW(with({10, 20, 80}));
}

}  // namespace perfspec
