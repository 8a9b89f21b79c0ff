// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/waiver.hpp>

#include <perfspec/quantity/text.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace perfspec {
namespace {

using Catch::Matchers::StartsWith;

std::string error_of(const waiver& w) {
    try {
        check_waiver(w, "here");
    } catch (const input_error& e) { return e.what(); }
    return "<taken>";
}

}  // namespace

TEST_CASE("check_waiver names what is wrong and shows a legal text", "[plan][unit]") {
    struct row {
        const char* ceiling;
        const char* until;
        const char* error;
    };
    const auto r = GENERATE(values<row>({
        {"20%", "2027-01-31", "<taken>"},
        {"150us", "2028-02-29", "<taken>"},
        {"20%", "soon", "here: the last day \"soon\" is not a day; write for example \"2027-01-31\""},
        {"20%", "2027-13-01", "here: the last day \"2027-13-01\" is not a day"},
        {"20%", "2027-02-29", "here: the last day \"2027-02-29\" is not a day"},
        {"20%", "27-01-31", "here: the last day \"27-01-31\" is not a day"},
        {"20%", "2027-1a-31", "here: the last day \"2027-1a-31\" is not a day"},
        {"0%", "2027-01-31",
         "here: the ceiling \"0%\" is neither a percentage above 0% and at most 1000%, nor a value; write for example "
         "\"20%\", \"150us\" or \"3\""},
        {"-5%", "2027-01-31", "here: the ceiling \"-5%\" is neither"},
        {"1001%", "2027-01-31", "here: the ceiling \"1001%\" is neither"},
        {"nan", "2027-01-31", "here: the ceiling \"nan\" is neither"},
        {"inf", "2027-01-31", "here: the ceiling \"inf\" is neither"},
        {"-3", "2027-01-31", "here: the ceiling \"-3\" is neither"},
        {"3 apples", "2027-01-31", "here: the ceiling \"3 apples\" is neither"},
    }));
    CHECK_THAT(error_of({.ceiling = r.ceiling, .until = r.until}), StartsWith(r.error));
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

}  // namespace perfspec
