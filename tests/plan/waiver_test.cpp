// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/waiver.hpp>

#include <perfspec/plan/environment.hpp>
#include <perfspec/plan/resolve.hpp>
#include <perfspec/quantity/error.hpp>
#include <support/scripted_environment.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <string>

namespace perfspec {
namespace {

using Catch::Matchers::StartsWith;

std::string error_of(const std::string& text) {
    try {
        static_cast<void>(parse_waiver(text));
    } catch (const input_error& e) { return e.what(); }
    return "<taken>";
}

}  // namespace

TEST_CASE("parse_waiver reads ceiling, last day and reason", "[plan][unit]") {
    CHECK(parse_waiver("20% until 2027-01-31: libfoo 3 sorts slower: #123") ==
          waiver{.key = "",
                 .reason = "libfoo 3 sorts slower: #123",
                 .owner = "",
                 .ceiling = "20%",
                 .until = "2027-01-31",
                 .place = "call"});
    CHECK(parse_waiver("  150us   until 2028-02-29 :r") ==
          waiver{.key = "", .reason = "r", .owner = "", .ceiling = "150us", .until = "2028-02-29", .place = "call"});
}

TEST_CASE("parse_waiver names what is wrong and shows a legal text", "[plan][unit]") {
    struct row {
        const char* text;
        const char* error;
    };
    const auto r = GENERATE(values<row>({
        {"",
         "waived(\"\"): this is no waiver; write its ceiling, its last day and its reason, for example waived(\"20% until 2027-01-31: "},
        {"20%: slow", "waived(\"20%: slow\"): this is no waiver; "},
        {"20% until 2027-01-31", "waived(\"20% until 2027-01-31\"): this is no waiver; "},
        {"20% until 2027-01-31: ",
         "waived(\"20% until 2027-01-31: \"): there is no reason; write why the violation is tolerated"},
        {"20% until soon: r",
         "waived(\"20% until soon: r\"): the last day \"soon\" is no day; write for example \"2027-01-31\""},
        {"20% until 2027-13-01: r", "waived(\"20% until 2027-13-01: r\"): the last day \"2027-13-01\" is no day"},
        {"20% until 2027-02-29: r", "waived(\"20% until 2027-02-29: r\"): the last day \"2027-02-29\" is no day"},
        {"20% until 27-01-31: r", "waived(\"20% until 27-01-31: r\"): the last day \"27-01-31\" is no day"},
        {"20% until 2027-1a-31: r", "waived(\"20% until 2027-1a-31: r\"): the last day \"2027-1a-31\" is no day"},
        {"0% until 2027-01-31: r",
         "waived(\"0% until 2027-01-31: r\"): the ceiling \"0%\" is neither a percentage above 0% and at most "
         "1000%, nor a value; write for example \"20%\", \"150us\" or \"3\""},
        {"-5% until 2027-01-31: r", "waived(\"-5% until 2027-01-31: r\"): the ceiling \"-5%\" is neither"},
        {"1001% until 2027-01-31: r", "waived(\"1001% until 2027-01-31: r\"): the ceiling \"1001%\" is neither"},
        {"nan until 2027-01-31: r", "waived(\"nan until 2027-01-31: r\"): the ceiling \"nan\" is neither"},
        {"inf until 2027-01-31: r", "waived(\"inf until 2027-01-31: r\"): the ceiling \"inf\" is neither"},
        {"-3 until 2027-01-31: r", "waived(\"-3 until 2027-01-31: r\"): the ceiling \"-3\" is neither"},
        {"3 apples until 2027-01-31: r",
         "waived(\"3 apples until 2027-01-31: r\"): the ceiling \"3 apples\" is neither"},
    }));
    CHECK_THAT(error_of(r.text), StartsWith(r.error));
}

TEST_CASE("ceiling_of tells percentages, times and numbers apart", "[plan][unit]") {
    const auto of = [](const char* ceiling) { return ceiling_of({.ceiling = ceiling, .until = "2027-01-31"}); };
    CHECK(of("20%").fraction == 0.2);
    CHECK_FALSE(of("20%").value);
    CHECK(of("50 pct").fraction == 0.5);
    CHECK(of("150us").value == 150e3);
    CHECK(of("150us").is_duration);
    CHECK(of("3").value == 3);
    CHECK_FALSE(of("3").is_duration);
    CHECK(of("0").value == 0);
}

TEST_CASE("a waiver covers the keys that its whole pattern is", "[plan][unit]") {
    const auto is_covered = [](const char* pattern, const char* key) { return covers({.key = pattern}, key); };
    CHECK(is_covered("sort / latency(a)", "sort / latency(a)"));
    CHECK_FALSE(is_covered("sort / latency(a)", "sort / latency(a) / n=8"));
    CHECK_FALSE(is_covered("latency(a)", "sort / latency(a)"));
    CHECK(is_covered("sort / *", "sort / latency(a)"));
    CHECK(is_covered("*latency(a)*", "sort / latency(a) / n=8"));
    CHECK(is_covered("*a*b*", "xxaxxaxbx"));
    CHECK_FALSE(is_covered("*a*b", "xxaxxbxa"));
    CHECK(is_covered("*b", "abab"));
    CHECK(is_covered("a*", "a"));
    CHECK_FALSE(is_covered("", "a"));
}

TEST_CASE("resolve refuses a waiver that is none", "[plan][unit]") {
    const testing::scripted_environment none{{"HOME", "/nonexistent"}};
    const std::array good{waived("20% until 2027-01-31: r")};
    CHECK(resolve(good, {}, none).waived == "20% until 2027-01-31: r");
    const std::array wrong{waived("20%")};
    CHECK_THROWS_AS(resolve(wrong, {}, none), input_error);
}

}  // namespace perfspec
