// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

using perfspec::parse_duration;
using perfspec::parse_fraction;
using perfspec::parse_number;
using perfspec::detail::leading_number;
using perfspec::detail::read_leading_number;

namespace {

struct row {
    std::string text;
    std::optional<double> value;
};

/// A text that starts with a number, and the text after it.
struct number_row {
    std::string_view text;
    std::optional<double> value;
    std::string_view rest = "";
};

void check(const std::optional<leading_number>& read, const number_row& expected) {
    CAPTURE(expected.text);
    REQUIRE(read.has_value() == expected.value.has_value());
    if (!read) return;
    CHECK(read->value == *expected.value);
    CHECK(read->rest == expected.rest);
}

}  // namespace

TEST_CASE("parse_duration reads a number and its unit as nanoseconds", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {"10s", 1e10},
        {"1.5 ms", 1.5e6},
        {"250us", 2.5e5},
        {"100 ns", 100},
        {"2min", 1.2e11},
        {"1h", 3.6e12},
        {"7 \u00b5s", 7e3},
        {"7\u03bcs", 7e3},
        {"0s", 0},
        {".5s", 5e8},
        {"1e3ns", 1e3},
        {"1  s", 1e9},
    }));
    CHECK(parse_duration(r.text) == r.value);
}

TEST_CASE("parse_duration finds none in other texts", "[quantity][unit]") {
    const auto text = GENERATE(as<std::string>(), "", "10", "s", "ten s", "10 sec", "10S", "10s ", " 10s", "10\ts",
                               "10 s s", "-1s", "-0s", "+1s", "nan s", "inf s", "1e400s", "1e308h", "1,5s", "0x10s",
                               "1 0s", "5e s", std::string("1s\0", 3));
    CHECK(parse_duration(text) == std::nullopt);
}

TEST_CASE("parse_fraction reads per cent and plain fractions", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {"1 %", 0.01},
        {"1%", 0.01},
        {"0.5pct", 0.005},
        {"0.5 pct", 0.005},
        {"1_pct", 0.01},
        {"35%", 0.35},
        {"0.01", 0.01},
        {"1e-3", 0.001},
        {"0", 0},
        {"-5%", -0.05},
    }));
    CHECK(parse_fraction(r.text) == r.value);
}

TEST_CASE("parse_fraction finds none in other texts", "[quantity][unit]") {
    const auto text = GENERATE(as<std::string>(), "", "%", "pct", "1 percent", "1 _pct", "1%%", "1 % ", " 1%", "0.01 ",
                               "nan", "inf%", "1,5%", "1s");
    CHECK(parse_fraction(text) == std::nullopt);
}

TEST_CASE("parse_number reads a whole text", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {"0", 0},
        {"-1.5", -1.5},
        {"1e-3", 0.001},
        {"30", 30},
        {"", std::nullopt},
        {"30 ", std::nullopt},
        {" 30", std::nullopt},
        {"30x", std::nullopt},
        {"+30", std::nullopt},
        {"0x1f", std::nullopt},
        {"nan", std::nullopt},
        {"-inf", std::nullopt},
        {"1e999", std::nullopt},
        {"1,5", std::nullopt},
    }));
    CHECK(parse_number(r.text) == r.value);
}

TEST_CASE("read_leading_number reads numbers as in C", "[quantity][unit]") {
    const auto r = GENERATE(values<number_row>({
        {"0", 0.0},
        {"12.5ms", 12.5, "ms"},
        {"-1.5e-3 s", -0.0015, " s"},
        {"1.", 1.0},
        {".5x", 0.5, "x"},
        {"1e", 1.0, "e"},
        {"1e+", 1.0, "e+"},
        {"1.5.2", 1.5, ".2"},
        {"1,5", 1.0, ",5"},
        {"0x1f", 0.0, "x1f"},
        {"3.2140000000000001", 3.214},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"", std::nullopt},
        {"-", std::nullopt},
        {".", std::nullopt},
        {"-.e5", std::nullopt},
        {"+1", std::nullopt},
        {" 1", std::nullopt},
        {"nan", std::nullopt},
        {"inf", std::nullopt},
        {"1e999", std::nullopt},
    }));
    check(read_leading_number(r.text), r);
}
