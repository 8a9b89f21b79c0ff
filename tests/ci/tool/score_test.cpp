// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/reports/summaries.hpp>

#include <perfspec/quantity/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinRel;

record time_result(const std::string& key, double value) { return stored_result(key, value, verdict::holds, 2); }

record rate_of(const std::string& key, double value) {
    record r = time_result(key, value);
    r.query = "throughput(sort)";
    r.unit = dimension::item_rate;
    r.direction = better::more;
    return r;
}

tool::suite_score score(const std::vector<record>& run, const std::vector<record>& reference) {
    return tool::score_of(run, reference);
}

tool::program_end report(const std::vector<record>& run, const std::vector<record>& reference,
                         std::vector<std::string> more = {}) {
    scripted_tool tool;
    for (const auto& [path, records] : {std::pair("r.jsonl", &run), std::pair("ref.jsonl", &reference)})
        tool.put_records(path, *records);
    std::vector<std::string> arguments{"report", "r.jsonl", "--quiet", "--score", "ref.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tool.run(arguments);
}

}  // namespace

TEST_CASE("score_of is 1000 times the geometric mean of how many times better each key is", "[ci][unit]") {
    const auto all =
        score({time_result("a", 1e6), time_result("b", 4e6)}, {time_result("a", 4e6), time_result("b", 4e6)});
    REQUIRE(all.rows.size() == 1);
    CHECK(all.rows.front().metric == "latency in ns");
    CHECK_THAT(all.rows.front().score, WithinRel(2000.0, 1e-12));  // the root of 4 times 1
    CHECK(all.rows.front().keys == 2);
    CHECK(all.rows.front().changed == 1);
    CHECK(score({time_result("a", 1e6)}, {time_result("a", 1e6)}).rows.front().score == 1000.0);
}

TEST_CASE("score_of takes less of a time for better, and more of a throughput", "[ci][unit]") {
    const auto all = score({time_result("a", 2e6), rate_of("b", 2e6)}, {time_result("a", 1e6), rate_of("b", 1e6)});
    REQUIRE(all.rows.size() == 2);
    CHECK_THAT(all.rows.at(0).score, WithinRel(500.0, 1e-12));
    CHECK(all.rows.at(1).metric == "throughput in items/s");
    CHECK_THAT(all.rows.at(1).score, WithinRel(2000.0, 1e-12));
}

TEST_CASE("score_of counts a change within the dead band as none, and one beyond it in full", "[ci][unit]") {
    struct row {
        double now;
        double expected;
    };
    const auto given =
        GENERATE(values<row>({{1.065, 1000.0}, {0.935, 1000.0}, {1.125, 1000.0 / 1.125}, {0.875, 1000.0 / 0.875}}));
    CHECK_THAT(score({time_result("a", given.now)}, {time_result("a", 1.0)}).rows.front().score,
               WithinRel(given.expected, 1e-12));
}

TEST_CASE("score_of counts the keys that moved by more than the dead band, and by no more than their noise",
          "[ci][unit]") {
    record noisy = time_result("a", 1.2e6);
    noisy.estimate->low = 0.8e6;
    record open = time_result("b", 1.2e6);
    open.estimate->high = std::numeric_limits<double>::infinity();
    const auto row = score({noisy, open, time_result("c", 1.2e6)},
                           {time_result("a", 1e6), time_result("b", 1e6), time_result("c", 1e6)})
                         .rows.front();
    CHECK(row.changed == 3);
    CHECK(row.unclear == 2);
}

TEST_CASE("score_of has no score where a key of the reference cannot be compared", "[ci][unit]") {
    record nothing = time_result("a", 1e6);
    nothing.verdict = verdict::invalid;
    record own = time_result("a", 1e6);
    own.unit = dimension::own;
    own.own_unit = "tokens";
    record turned = time_result("a", 1e6);
    turned.direction = better::more;
    struct row {
        record now;
        std::string fault;
    };
    const auto given = GENERATE_COPY(values<row>({{time_result("c", 1e6), "a has no result"},
                                                  {nothing, "a is invalid"},
                                                  {own, "a is in tokens, the reference in ns"},
                                                  {turned, "a has another metric"},
                                                  {time_result("a", 0.0), "a is zero, so that it has no ratio"}}));
    const auto all = score({given.now, time_result("b", 1e6)}, {time_result("a", 1e6), time_result("b", 1e6)});
    CHECK(all.rows.empty());
    CHECK(all.faults == std::vector{given.fault});
}

TEST_CASE("score_of takes two zeros for no change", "[ci][unit]") {
    CHECK(score({time_result("a", 0.0)}, {time_result("a", 0.0)}).rows.front().score == 1000.0);
}

TEST_CASE("score_of refuses a reference of another machine, and one without values", "[ci][unit]") {
    record elsewhere = time_result("a", 1e6);
    elsewhere.hardware_key = "other-cpu-8c";
    CHECK_THROWS_MATCHES(
        score({time_result("a", 1e6)}, {elsewhere}), input_error,
        MessageMatches(ContainsSubstring("the reference is of other-cpu-8c and the results of test-cpu-4c")));
    record nothing = time_result("a", 1e6);
    nothing.estimate.reset();
    CHECK_THROWS_MATCHES(score({time_result("a", 1e6)}, {nothing}), input_error,
                         MessageMatches(ContainsSubstring("the reference has no measured value")));
}

TEST_CASE("report --score prints the score, what has no part in it, and exits with it", "[ci][unit]") {
    const std::vector<record> run{time_result("a", 1.25e6), time_result("b", 1e6), time_result("come", 1e6)};
    const std::vector<record> reference{time_result("a", 1e6), time_result("b", 1.01e6)};
    const auto end = report(run, reference);
    CHECK(end.code == 0);
    CHECK_THAT(
        end.out,
        EndsWith(
            "\nscore against 9a8b7c6 of 2026-11-19: 1000 is the reference, more is better; a change of 7 % or less "
            "counts as none\n"
            "  metric         score  keys  changed  within their noise\n"
            "  latency in ns  894    2     1        0\n"
            "1 key has no part in the score, such as come: the reference does not have it\n"));
    CHECK_THAT(report(run, reference, {"--markdown", "-"}).out,
               ContainsSubstring(
                   "| metric | score | keys | changed | within their noise |\n|---|---|---|---|---|\n| latency in "
                   "ns | 894 | 2 | 1 | 0 |\n"));
}

TEST_CASE("report --score exits with 4 where there is no score", "[ci][unit]") {
    const auto end = report({time_result("b", 1e6)}, {time_result("a", 1e6), time_result("b", 1e6)});
    CHECK(end.code == 4);
    CHECK_THAT(
        end.out,
        EndsWith(
            "\nno score against 9a8b7c6 of 2026-11-19: 1 key of the reference cannot be compared; run the same tests, or "
            "measure a reference anew\n"
            "a has no result\n"));
}

}  // namespace perfspec
