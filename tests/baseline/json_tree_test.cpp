// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "entries.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/quantity/json_tree.hpp>
#include <perfspec/stats/summary.hpp>

#include <support/test.hpp>

#include <random>

namespace perfspec {

TEST_CASE("read_json counts values", "[baseline][unit]") {
    const std::string_view text = R"({"a": {"x": [1, 2], "y": 3}})";
    CHECK(detail::read_json(text, {.values = 6}).member("a")->member("y")->number == 3);
    CHECK_THROWS_WITH(detail::read_json(text, {.values = 5}), testing::StartsWith("more than 5 values, "));
}

TEST_CASE("json_number is short, plain and exact", "[baseline][unit]") {
    const auto [value, text] = GENERATE(table<double, const char*>({
        {3214000, "3214000"},
        {0.1, "0.1"},
        {1.42, "1.42"},
        {0, "0"},
        {-0.0, "0"},
        {-2.5, "-2.5"},
        {1e15, "1e+15"},
        {999999999999999, "999999999999999"},
        {1e-5, "0.00001"},
        {9.9e-6, "9.9e-06"},
        {1e300, "1e+300"},
        {5e-324, "5e-324"},
        {-1.7976931348623157e308, "-1.7976931348623157e+308"},
        {0.00001234567890123456, "0.00001234567890123456"},
        {123456789012345.67, "123456789012345.67"},
    }));
    CHECK(detail::json_number(value) == text);
}

TEST_CASE("json escapes what JSON must", "[baseline][unit]") {
    CHECK(detail::json("a\"b\\c\nd\te\x01 \x7f\U0001F680") == "\"a\\\"b\\\\c\\nd\\te\\u0001 \x7f\U0001F680\"");
    CHECK(detail::json(std::string(1, '\0')) == "\"\\u0000\"");
}

TEST_CASE("read_json knows the line of every value", "[baseline][unit]") {
    const auto root = detail::read_json("{\n\"a\": 1\n,\n\"b\": [\n2,\n3\n],\n\"c\":\n\"x\",\"d\": {\n}\n}");
    CHECK(root.line == 1);
    CHECK(root.member("a")->line == 2);  // the parser has already seen the end of that line
    CHECK(root.member("b")->line == 4);
    CHECK(root.member("b")->items[0].line == 5);
    CHECK(root.member("b")->items[1].line == 6);
    CHECK(root.member("c")->line == 9);
    CHECK(root.member("d")->line == 9);
}

namespace {

std::vector<double> rounded(const std::vector<double>& fresh, const std::vector<double>& stored = {}) {
    return values_of(rounded_processes(processes_of(fresh), processes_of(stored)));
}

TEST_CASE("rounded_processes keeps one digit more than the leading digit of the spread", "[baseline][unit]") {
    const auto [fresh, stored, expected] =
        GENERATE(table<std::vector<double>, std::vector<double>, std::vector<double>>({
            // MAD 12300: to 1000
            {{3214567, 3226867, 3202267}, {}, {3215000, 3227000, 3202000}},
            // MAD 1.23: to 0.1
            {{321.4567, 322.6867, 320.2267}, {}, {321.5, 322.7, 320.2}},
            // MAD 0.0123: to 0.001; the nearest double, not 1.4240000000000002
            {{1.424321, 1.436621, 1.412021}, {}, {1.424, 1.437, 1.412}},
            // MAD 40 % of the value: three digits at least
            {{1234.5, 1728.3, 740.7}, {}, {1230, 1730, 741}},
            // the spread of stored and fresh processes together: MAD 1
            {{1234.5678}, {1233.5678, 1235.5678}, {1234.6}},
        }));
    CHECK(rounded(fresh, stored) == expected);
}

TEST_CASE("rounded_processes rounds the quantiles as the value", "[baseline][unit]") {
    auto processes = processes_of(std::vector<double>{3214567, 3226867, 3202267});
    processes[0].q1 = 3198765;
    processes[0].q3 = 3251499;
    processes[0].p90 = 3402501;
    processes[0].p99 = 41271234;
    const auto first = rounded_processes(processes, {}).front();
    CHECK(first.q1 == 3199000);
    CHECK(first.q3 == 3251000);
    CHECK(first.p90 == 3403000);
    CHECK(first.p99 == 41271000);
}

TEST_CASE("rounded_processes leaves alone what has no spread", "[baseline][unit]") {
    CHECK(rounded({1234567.891}) == std::vector<double>{1234567.891});
    CHECK(rounded({1234567.891, 1234567.891, 7}) == std::vector<double>{1234567.891, 1234567.891, 7});
    CHECK(rounded({0, 0, 0}) == std::vector<double>{0, 0, 0});
    CHECK(rounded({}).empty());
}

TEST_CASE("rounded_processes keeps counts whole and zero zero", "[baseline][unit]") {
    CHECK(rounded({0, 12, 13, 14, 15}) == std::vector<double>{0, 12, 13, 14, 15});
}

TEST_CASE("rounded_processes is at most half a unit off", "[baseline][unit]") {
    std::mt19937_64 random{20261118};
    std::lognormal_distribution<double> noise(0, 0.02);
    for (const double scale : {3e-9, 0.5, 7.0, 3.2e6, 9.9e11}) {
        std::vector<double> fresh(10);
        for (auto& value : fresh) value = scale * noise(random);
        const double unit = std::pow(10, std::floor(std::log10(summarize(fresh).mad)) - 1);
        const auto after = rounded(fresh);
        for (std::size_t i = 0; i < fresh.size(); ++i) CHECK(std::abs(after[i] - fresh[i]) <= unit * 0.5000001);
    }
}

/// The fraction of comparisons of a stored with a new process that rounding changes. A tie counts half.
double changed_comparisons(double sd, int sets) {
    std::mt19937_64 random{7};
    std::lognormal_distribution<double> noise(0, sd);
    double changed = 0;
    for (int set = 0; set < sets; ++set) {
        std::vector<double> stored(10);
        for (auto& value : stored) value = 3.2e6 * noise(random);
        const auto after = rounded(stored);
        for (int process = 0; process < 5; ++process) {
            const double fresh = 3.2e6 * noise(random);
            for (std::size_t i = 0; i < 10; ++i) changed += (stored[i] > fresh) != (after[i] > fresh) ? 1 : 0;
        }
    }
    return changed / (sets * 50.0);
}

TEST_CASE("rounded_processes seldom changes a rank", "[baseline][unit]") {
    // The worst case is a spread just above a power of ten, where the unit is a tenth of it: half a unit is 0.05 MAD,
    // and a pair of normal processes lies so close to the rounded edge in about 1 % of cases.
    const double sd = GENERATE(0.0005, 0.001, 0.003, 0.01, 0.03, 0.1);
    CAPTURE(sd);
    CHECK(changed_comparisons(sd, 2000) < 0.01);
}

}  // namespace

}  // namespace perfspec
