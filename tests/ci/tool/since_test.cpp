// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/results/claims.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;

std::vector<record> with_claims(std::vector<record> records, const std::vector<std::string>& claims) {
    for (std::size_t i = 0; i < claims.size(); ++i) records[i].claim = claims[i];
    return records;
}

struct two_files : scripted_tool {
    two_files(const std::vector<record>& before, const std::vector<record>& now) {
        put_records("before.jsonl", before);
        put_records("now.jsonl", now);
    }
    [[nodiscard]] tool::program_end report(std::vector<std::string> options = {}) {
        options.insert(options.begin(), {"report", "now.jsonl", "--quiet", "--before", "before.jsonl"});
        return run(options);
    }
};

}  // namespace

TEST_CASE("report --before tells the verdicts that changed, and results that are missing", "[ci][unit]") {
    two_files files({stored_result("a", 1e6, verdict::holds), stored_result("b", 1e6, verdict::holds),
                     stored_result("c", 1e6, verdict::holds)},
                    {stored_result("a", 1e6, verdict::holds), stored_result("b", 2e6, verdict::violated),
                     stored_result("d", 1e6, verdict::undecided)});
    const auto end = files.report();
    CHECK(end.code == 2);
    CHECK_THAT(
        end.out,
        ContainsSubstring("\n3 of 4 verdicts changed since 9a8b7c6 of 2026-11-19\n"
                          "  before     now        key  value before                  value now\n"
                          "  holds      no result  c    1.000 ms (0.990 .. 1.010 ms)\n"
                          "  holds      violated   b    1.000 ms (0.990 .. 1.010 ms)  2.000 ms (1.980 .. 2.020 ms)\n"
                          "  no result  undecided  d                                  1.000 ms (0.990 .. 1.010 ms)\n"));
}

TEST_CASE("report --before says that no verdict changed, and its exit code is that of the results of now",
          "[ci][unit]") {
    two_files files({stored_result("a", 1e6, verdict::holds)}, {stored_result("a", 1.02e6, verdict::holds)});
    const auto end = files.report();
    CHECK(end.code == 0);
    CHECK_THAT(end.out, ContainsSubstring("\nNo verdict changed since 9a8b7c6 of 2026-11-19.\n"));
}

TEST_CASE("report --before takes one file each time, so that results may follow it", "[ci][unit]") {
    two_files files({stored_result("a", 1e6, verdict::holds)}, {stored_result("a", 1e6, verdict::holds)});
    files.put_records("more.jsonl", {stored_result("b", 1e6, verdict::violated)});
    const auto end = files.run({"report", "--quiet", "--before", "before.jsonl", "now.jsonl", "more.jsonl"});
    CHECK(end.code == 2);
    CHECK_THAT(end.out, ContainsSubstring("1 of 2 verdicts changed since"));
    CHECK_THAT(files.report({"--before", "more.jsonl"}).out, ContainsSubstring("  violated  no result  b"));
}

TEST_CASE("report --before lists a hundred rows, and counts the others", "[ci][unit]") {
    std::vector<record> before;
    std::vector<record> now;
    for (int i = 0; i < 102; ++i) {
        before.push_back(stored_result(fmt::format("k{}", i), 1e6, verdict::holds));
        now.push_back(stored_result(fmt::format("k{}", i), 1e6, verdict::undecided));
    }
    two_files files(before, now);
    const auto end = files.report({"--markdown", "summary.txt"});
    CHECK_THAT(end.out, ContainsSubstring("  holds   undecided  k99 ") &&
                            ContainsSubstring("\nand 2 more; the page of --html has them\n"));
    CHECK_THAT(end.out, !ContainsSubstring("k100"));
    CHECK_THAT(files.files.text("summary.txt"), ContainsSubstring("\n- and 2 more; the page of --html has them\n"));
}

TEST_CASE("report --before tells a waiver that began or ended", "[ci][unit]") {
    record waived = stored_result("a", 1.2e6, verdict::violated);
    waived.failed = false;
    waived.waiver = applied_waiver{waiver_effect::waived, "20%", "2027-01-31", "known", "#1", "b/perfspec.json:2"};
    const record before = stored_result("a", 1.2e6, verdict::violated);
    CHECK_THAT(two_files({before}, {waived}).report().out, ContainsSubstring("  violated  violated, waived  a"));
}

TEST_CASE("report --before writes the same to Markdown, where no name can become markup", "[ci][unit]") {
    record hostile = stored_result("a|b", 1e6, verdict::violated);
    hostile.test = "a|`b";
    hostile.commit = "<b>";
    two_files files({hostile}, {stored_result("d", 1e6, verdict::holds)});
    static_cast<void>(files.report({"--markdown", "summary.txt"}));
    const std::string text = files.files.text("summary.txt");
    CHECK_THAT(text, ContainsSubstring("2 of 2 verdicts changed since \\<b\\> of 2026-11-19\n\n"
                                       "| before | now | key | value before | value now |\n|---|---|---|---|---|\n"));
    CHECK_THAT(text, ContainsSubstring("| violated | no result | a\\|b |"));
}

TEST_CASE("claims_in_two_runs matches claims of one key in their order", "[ci][unit]") {
    const record a = stored_result("a", 1e6, verdict::holds);
    const std::vector<record> before = with_claims({a, a}, {"x < 1", "x < 2"});
    const std::vector<record> now = with_claims({a, a}, {"x < 1", "x < 4"});
    const auto claims = tool::claims_in_two_runs(before, now);
    REQUIRE(claims.size() == 2);
    CHECK(claims[0].before == &before[0]);
    CHECK(claims[1].before == &before[1]);
}

TEST_CASE("claims_in_two_runs keeps machines apart", "[ci][unit]") {
    record there = stored_result("a", 1e6, verdict::holds);
    there.hardware_key = "other-cpu";
    const std::vector<record> both{there, stored_result("a", 1e6, verdict::holds)};
    const std::vector<record> now{stored_result("a", 1e6, verdict::holds)};
    const auto claims = tool::claims_in_two_runs(both, now);
    REQUIRE(claims.size() == 2);
    CHECK(claims[0].before == &both[1]);
    CHECK(claims[1].before == &both[0]);
}

TEST_CASE("claims_in_two_runs gives each claim of before to one claim of now", "[ci][unit]") {
    const record a = stored_result("a", 1e6, verdict::holds);
    const std::vector<record> one{a};
    const std::vector<record> two{a, a};
    const auto claims = tool::claims_in_two_runs(one, two);
    CHECK(claims[0].before == one.data());
    CHECK(claims[1].before == nullptr);
    CHECK(tool::claims_in_two_runs(two, one).size() == 2);
}

}  // namespace perfspec
