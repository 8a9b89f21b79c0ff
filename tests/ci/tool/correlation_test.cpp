// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/reports/summaries.hpp>

#include <perfspec/quantity/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;

/// A result of the test "layers" for one layer of a model.
record of_layer(const std::string& model, int layer, const std::string& query, double value) {
    record r = stored_result(query + std::to_string(layer) + model, value, verdict::holds, 2);
    r.suite = "models";
    r.test = "layers";
    r.axes = {{"layer", std::to_string(layer)}, {"model", model}};
    r.query = query + "(" + model + std::to_string(layer) + ")";
    return r;
}

record speedup_of_layer(const std::string& model, int layer, double value, double half_width = 0.1) {
    record r = of_layer(model, layer, "speedup", value);
    r.unit = dimension::ratio;
    r.estimate = estimate{value, value, value - half_width, value + half_width, 0.95};
    return r;
}

record parameters_of_layer(const std::string& model, int layer, double value) {
    record r = of_layer(model, layer, "metric", value);
    r.unit = dimension::own;
    r.own_unit = "parameters";
    return r;
}

/// Layers of two models: the speedups of one rise with its parameters, those of the other fall.
std::vector<record> two_models() {
    std::vector<record> records;
    for (int layer = 1; layer <= 5; ++layer) {
        records.push_back(speedup_of_layer("up", layer, 0.5 + 0.25 * layer));  // 0.75, 1.00, 1.25, 1.50, 1.75
        records.push_back(parameters_of_layer("up", layer, 100.0 * layer * layer));
        records.push_back(speedup_of_layer("down", layer, 2.0 - 0.2 * layer));  // 1.8, 1.6, 1.4, 1.2, 1.0
        records.push_back(parameters_of_layer("down", layer, 10.0 * layer));
    }
    return records;
}

}  // namespace

TEST_CASE("rank_correlation is that of Spearman, with ties", "[ci][unit]") {
    const std::vector<double> x{1, 2, 3, 4, 5};
    const auto of = [&](const std::vector<double>& y) { return tool::find_rank_correlation(x, y).value(); };
    CHECK_THAT(of({10, 20, 30, 40, 50}).centre, WithinAbs(1.0, 1e-12));
    CHECK_THAT(of({5, 4, 3, 2, 1}).centre, WithinAbs(-1.0, 1e-12));
    // 1 - 6 * (1 + 1 + 0 + 1 + 1) / (5 * 24) for ranks 2, 1, 3, 5, 4.
    CHECK_THAT(of({2, 1, 3, 5, 4}).centre, WithinAbs(0.8, 1e-12));
    // Ranks 1.5, 1.5, 3, 4, 5 against 1 to 5: 9.5 / sqrt(10 * 9.5).
    CHECK_THAT(of({7, 7, 8, 9, 10}).centre, WithinAbs(0.974679434480896, 1e-12));
}

TEST_CASE("the interval of a rank_correlation holds it, and is narrower with more points", "[ci][unit]") {
    // atanh(0.8) -+ 1.96 * sqrt(1.32 / 2) = 1.0986 -+ 1.5923
    const auto five =
        tool::find_rank_correlation(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{2, 1, 3, 5, 4}).value();
    CHECK_THAT(five.low, WithinAbs(-0.4571, 5e-5));
    CHECK_THAT(five.high, WithinAbs(0.9908, 5e-5));
    std::vector<double> x, y;
    for (int i = 0; i < 40; ++i) {
        x.push_back(i);
        y.push_back(i ^ 7);
    }
    const auto forty = tool::find_rank_correlation(x, y).value();
    CHECK(forty.high - forty.low < 0.15);
    CHECK(forty.low <= forty.centre);
    CHECK(forty.centre <= forty.high);
    const auto whole = tool::find_rank_correlation(x, x).value();
    CHECK(whole.high == 1.0);
    CHECK(whole.low > 0.99);
}

TEST_CASE("rank_correlation needs five points, and values that differ", "[ci][unit]") {
    const std::vector<double> four{1, 2, 3, 4};
    CHECK_FALSE(tool::find_rank_correlation(four, four).has_value());
    CHECK_FALSE(
        tool::find_rank_correlation(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>(5, 2.0)).has_value());
    CHECK_FALSE(tool::find_rank_correlation(std::vector<double>{1, 2, 3, 4, 5}, four).has_value());
}

TEST_CASE("report --correlate has a row for all points, and for each value of an axis that divides them",
          "[ci][unit]") {
    scripted_tool tool;
    tool.put_records("r.jsonl", two_models());
    const auto end = tool.run({"report", "r.jsonl", "--quiet", "--correlate", "parameters"});
    CHECK(end.code == 0);
    CHECK_THAT(
        end.out,
        EndsWith(
            "\n"
            "metric   where                         points  rank correlation with parameters  above 1  below 1  unclear\n"
            "speedup  models / layers               10      -0.16 (-0.72 .. 0.52)             7        1        2\n"
            "speedup  models / layers / model=down  5       -1.00 (-1.00 .. 0.22)             4        0        1\n"
            "speedup  models / layers / model=up    5       1.00 (-0.22 .. 1.00)              3        1        1\n"));
    CHECK_THAT(tool.run({"report", "r.jsonl", "--markdown", "-", "--correlate", "parameters"}).out,
               ContainsSubstring("|---|---|---|---|---|---|---|\n| speedup | models / layers | 10 | -0.16"));
}

TEST_CASE("correlate takes an axis of numbers, too, and counts only ratios as above 1", "[ci][unit]") {
    const auto found = tool::correlate(two_models(), "layer");
    REQUIRE(found.rows.size() == 6);
    CHECK(found.rows.at(0).metric == "parameters");
    CHECK_FALSE(found.rows.at(0).is_ratio);
    CHECK(found.rows.at(1).where == "models / layers / model=down");
    CHECK_THAT(found.rows.at(1).correlation.value().centre, WithinAbs(1.0, 1e-12));
    CHECK(found.rows.at(3).metric == "speedup");
    CHECK(found.rows.at(3).is_ratio);
}

TEST_CASE("correlate leaves out what is invalid, and says which results lack the value", "[ci][unit]") {
    std::vector<record> records = two_models();
    records.push_back(speedup_of_layer("up", 6, 3.0));
    records.push_back(speedup_of_layer("up", 5, 0.1));
    records.back().verdict = verdict::invalid;
    const auto found = tool::correlate(records, "parameters");
    CHECK(found.left_out == 1);
    CHECK(found.rows.at(0).points == 10);
    CHECK(found.rows.at(0).above == 7);
    CHECK_THAT(tool::console_of(tool::correlation_part(found)),
               EndsWith("1 result of points without parameters has no part in this\n"));
}

TEST_CASE("correlate keeps two queries of one metric apart", "[ci][unit]") {
    std::vector<record> records;
    for (int layer = 1; layer <= 5; ++layer) {
        records.push_back(parameters_of_layer("up", layer, layer));
        records.push_back(speedup_of_layer("up", layer, 1.0 + layer));
        records.push_back(speedup_of_layer("up", layer, 10.0 - layer));
        records.back().query = "speedup(eager, other)";
    }
    const auto found = tool::correlate(records, "parameters");
    REQUIRE(found.rows.size() == 2);
    CHECK(found.rows.at(0).metric == "speedup");
    CHECK_THAT(found.rows.at(0).correlation.value().centre, WithinAbs(1.0, 1e-12));
    CHECK(found.rows.at(1).metric == "speedup 2");
    CHECK_THAT(found.rows.at(1).correlation.value().centre, WithinAbs(-1.0, 1e-12));
}

TEST_CASE("correlation_part says why there is no correlation", "[ci][unit]") {
    std::vector<record> few;
    for (int layer = 1; layer <= 4; ++layer) {
        few.push_back(speedup_of_layer("up", layer, 1.0 + layer));
        few.push_back(parameters_of_layer("up", layer, layer));
    }
    CHECK_THAT(tool::console_of(tool::correlation_part(tool::correlate(few, "parameters"))),
               ContainsSubstring("4       needs 5 points "));
    for (int layer = 5; layer <= 6; ++layer) {
        few.push_back(speedup_of_layer("up", layer, 1.0 + layer));
        few.push_back(parameters_of_layer("up", layer, layer));
    }
    for (record& r : few)
        if (r.unit == dimension::own) r.estimate->centre = 7;
    CHECK_THAT(tool::console_of(tool::correlation_part(tool::correlate(few, "parameters"))),
               ContainsSubstring("6       one of them is constant "));
}

TEST_CASE("correlate refuses a value that no result has", "[ci][unit]") {
    CHECK_THROWS_MATCHES(tool::correlate(two_models(), "model"), input_error,
                         MessageMatches(ContainsSubstring("--correlate \"model\": no result has such a value")));
}

}  // namespace perfspec
