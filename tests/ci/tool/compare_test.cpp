// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A time with an interval.
std::string time_between(const std::string& key, double value, double low, double high,
                         better direction = better::less) {
    record r = stored_result(key, value, verdict::holds, 2);
    r.estimate->low = low;
    r.estimate->high = high;
    r.direction = direction;
    return line_of(r);
}

/// The result of `perfspec compare` on the lines of two runs.
tool::program_end compared(const std::vector<std::string>& old, const std::vector<std::string>& now,
                           const std::vector<std::string>& options = {}) {
    scripted_tool tool;
    tool.put_results("old.jsonl", old);
    tool.put_results("new.jsonl", now);
    std::vector<std::string> words{"compare", "old.jsonl", "new.jsonl"};
    words.insert(words.end(), options.begin(), options.end());
    return tool.run(std::move(words));
}

}  // namespace

TEST_CASE("compare shows each key's change, its interval, and what is on one side only", "[ci][unit]") {
    const auto end = compared({time_of("a", 1e6), time_of("b", 1e6), time_of("c", 1e6), time_of("gone", 1e6)},
                              {time_of("a", 1.2e6), time_of("b", 0.8e6), time_of("c", 1.01e6), time_of("come", 2e6)});
    CHECK(end.code == 0);
    CHECK(end.out == "  key  old       new       change  interval\n"
                     "  a    1.000 ms  1.200 ms  +20 %   +18 % .. +22 %  worse\n"
                     "  b    1.000 ms  800.0 us  -20 %   -22 % .. -18 %  better\n"
                     "  c    1.000 ms  1.010 ms  +1 %    -1 % .. +3 %\n"
                     "  only in old: gone: 1.000 ms (sorts on test-cpu-4c)\n"
                     "  only in new: come: 2.000 ms (sorts on test-cpu-4c)\n"
                     "geometric means, above 1 where new is better\n"
                     "  latency in ns: 1.010x of 3 keys\n"
                     "3 keys compared: 1 worse, 1 better, 1 without a clear difference\n");
}

TEST_CASE("compare has the geometric mean of each metric, of valid values above zero", "[ci][unit]") {
    const auto rate = [](const std::string& key, double value) {
        record r = stored_result(key, value, verdict::holds, 2);
        r.query = "throughput(sort)";
        r.metric = "throughput";
        r.names = {"sort"};
        r.unit = dimension::item_rate;
        r.direction = better::more;
        return line_of(r);
    };
    record invalid = stored_result("wrong", 1e3, verdict::invalid);
    invalid.failed = true;
    CHECK_THAT(compared({time_of("a", 4e6), time_of("b", 1e6), time_of("wrong", 1e6), time_of("zero", 0.0),
                         rate("c", 2e6), rate("d", 2e6)},
                        {time_of("a", 1e6), time_of("b", 1e6), line_of(invalid), time_of("zero", 0.0), rate("c", 6e6),
                         rate("d", 6e6)})
                   .out,
               ContainsSubstring("geometric means, above 1 where new is better\n"
                                 "  latency in ns: 2.000x of 2 keys\n"
                                 "  throughput in items/s: 3.000x of 2 keys\n"
                                 "6 keys compared: "));
}

TEST_CASE("compare --change exits with 2 where a whole interval is worse or better than the threshold", "[ci][unit]") {
    struct row {
        double now;
        int code;
        std::string last;
    };
    const auto example =
        GENERATE(values<row>({{1.2e6, 2, "1 worse, 0 better, 0 without a clear difference; 1 by more than 7 %\n"},
                              {0.8e6, 2, "0 worse, 1 better, 0 without a clear difference; 1 by more than 7 %\n"},
                              {1.08e6, 0, "1 worse, 0 better, 0 without a clear difference; 0 by more than 7 %\n"},
                              {0.93e6, 0, "0 worse, 1 better, 0 without a clear difference; 0 by more than 7 %\n"}}));
    const auto end = compared({time_of("a", 1e6)}, {time_of("a", example.now)}, {"--change", "7%"});
    CHECK(end.code == example.code);
    CHECK_THAT(end.out, EndsWith("1 key compared: " + example.last));
    CHECK((end.out.find("beyond the threshold") != std::string::npos) == (example.code == 2));
}

TEST_CASE("compare --change exits with 4 where either run has a key that the other lacks", "[ci][unit]") {
    record nothing = stored_result("b", 1e6, verdict::invalid);
    nothing.estimate.reset();
    const std::vector<std::string> both{time_of("a", 1e6), time_of("b", 2e6)};
    const std::vector<std::string> one =
        GENERATE_COPY(std::vector<std::string>{time_of("a", 1e6)}, std::vector{time_of("a", 1e6), line_of(nothing)});
    scripted_tool tool;
    tool.put_results("both.jsonl", both);
    tool.put_results("one.jsonl", one);
    const auto come = tool.run({"compare", "one.jsonl", "both.jsonl", "--change", "7%"});
    CHECK(come.code == 4);
    CHECK_THAT(come.out, EndsWith("\n1 key of new has nothing in old to compare with: --change cannot judge it\n"));
    const auto incomplete = tool.run({"compare", "both.jsonl", "one.jsonl", "--change", "7%"});
    CHECK(incomplete.code == 4);
    CHECK_THAT(incomplete.out,
               EndsWith("\n1 key of old has nothing in new to compare with: --change cannot judge it\n"));
}

TEST_CASE("compare exits with 3 where a change by a factor of two may hide in an interval", "[ci][unit]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    struct row {
        std::string before;
        std::string after;
        int code;
    };
    const auto example = GENERATE_COPY(values<row>({
        {time_of("a", 1e6), time_between("a", 1e6, 0.99e6, infinity), 3},
        {time_between("a", 1e6, 0.0, 1.01e6), time_of("a", 1e6), 3},
        {time_of("a", 1e6), time_between("a", 1e6, 0.0, 1.01e6), 3},
        {time_between("a", 1e6, 0.99e6, infinity), time_of("a", 1e6), 3},
        {time_of("a", 1e6), time_between("a", 1e6, -infinity, infinity), 3},
        {time_between("a", 1e6, 0.99e6, 1.01e6, better::more), time_between("a", 1e6, 0.0, 1.01e6, better::more), 3},
        {time_between("a", 1e6, 0.99e6, 1.01e6, better::more), time_between("a", 1e6, 0.99e6, infinity, better::more),
         3},
        {time_between("a", 1e6, -infinity, 1.01e6), time_between("a", 1e6, 0.99e6, 1.01e6), 3},
        {time_of("a", 1e6), time_between("a", 2e6, 1.9e6, infinity), 2},      // worse, wherever the interval ends
        {time_of("a", 1e6), time_between("a", 5e5, 0.0, 5.1e5), 2},           // better, wherever it begins
        {time_of("a", 1e6), time_between("a", 1.05e6, 1.03e6, infinity), 3},  // worse by an unknown amount
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.9e6, 2e6), 3},
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.9e6, 1.99e6), 0},
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.5e6, 1.1e6), 3},
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.51e6, 1.1e6), 0},
        {time_between("a", 1e6, 1e6, 1e6, better::more), time_between("a", 1e6, 0.5e6, 1.1e6, better::more), 3},
        {time_between("a", 1e6, 1e6, 1e6, better::more), time_between("a", 1e6, 0.9e6, 2e6, better::more), 3},
    }));
    scripted_tool tool;
    tool.put_results("old.jsonl", {example.before, time_of("b", 1e6)});
    tool.put_results("new.jsonl", {example.after, time_of("b", 1e6)});
    CAPTURE(example.before, example.after);
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl", "--change", "7%"}).code == example.code);
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl"}).code == 0);
}

TEST_CASE("compare lists a key with an open interval as open", "[ci][unit]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto end = compared({time_of("a", 1e6), time_of("b", 1e6), time_of("c", 1e6)},
                              {time_between("a", 1e6, 0.0, infinity), time_between("b", 2e6, 1.9e6, infinity),
                               time_between("c", 1.04e6, 1.03e6, infinity)},
                              {"--change", "7%"});
    CHECK(end.code == 2);
    CHECK(
        end.out ==
        "  key  old       new       change  interval\n"
        "  a    1.000 ms  1.000 ms  +0 %    - .. -      open\n"
        "  b    1.000 ms  2.000 ms  +100 %  +88 % .. -  worse, beyond the threshold, open\n"
        "  c    1.000 ms  1.040 ms  +4 %    +2 % .. -   worse, open\n"
        "geometric means, above 1 where new is better\n"
        "  latency in ns: 0.7834x of 3 keys\n"
        "3 keys compared: 2 worse, 0 better, 0 without a clear difference, 1 open; 1 by more than 7 %\n"
        "2 keys are undecided: a change by a factor of two may hide in the interval, because too little was measured; "
        "run again with a larger --perf-budget\n");
}

TEST_CASE("compare counts what is exact as decided", "[ci][unit]") {
    const auto exactly = [](double value) { return time_between("a", value, value, value); };
    scripted_tool tool;
    const auto [before, after, code] =
        GENERATE(table<double, double, int>({{0, 0, 0}, {0, 5, 2}, {5, 0, 2}, {5, 5, 0}}));
    tool.put_results("old.jsonl", {exactly(before)});
    tool.put_results("new.jsonl", {exactly(after)});
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl", "--change", "7%"}).code == code);
}

TEST_CASE("compare does not compare values in two units of the user's own, nor values below zero", "[ci][unit]") {
    const auto own = [](double value, const std::string& unit) {
        record r = stored_result("a", value, verdict::holds, 2);
        r.unit = dimension::own;
        r.own_unit = unit;
        return line_of(r);
    };
    scripted_tool tool;
    tool.put_results("old.jsonl", {own(100, "tokens/s")});
    tool.put_results("new.jsonl", {own(100, "requests/s")});
    tool.put_results("below.jsonl", {own(-100, "tokens/s")});
    const auto other = tool.run({"compare", "old.jsonl", "new.jsonl", "--change", "5%"});
    CHECK(other.code == 4);
    CHECK_THAT(other.out, ContainsSubstring("  a    100 tokens/s  100 requests/s  another metric\n0 keys compared"));
    const auto below = tool.run({"compare", "old.jsonl", "below.jsonl", "--change", "5%"});
    CHECK(below.code == 4);
    CHECK_THAT(below.out, ContainsSubstring("no ratio of this value"));
    CHECK(tool.run({"compare", "old.jsonl", "old.jsonl", "--change", "5%"}).code == 0);
}

TEST_CASE("compare refuses a threshold that may mean one percent or all", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("r.jsonl", {time_of("a", 1e6)});
    const auto wrong = tool.run({"compare", "r.jsonl", "r.jsonl", "--change", "7"});
    CHECK(wrong.code == 4);
    CHECK_THAT(wrong.err, ContainsSubstring("--change"));
}

TEST_CASE("compare does not put two machines or two metrics together", "[ci][unit]") {
    scripted_tool tool;
    record elsewhere = stored_result("a", 2e6, verdict::holds, 2);
    elsewhere.hardware_key = "other-cpu-8c";
    record rate = stored_result("b", 2e6, verdict::holds, 2);
    rate.unit = dimension::item_rate;
    rate.direction = better::more;
    tool.put_results("old.jsonl", {time_of("a", 1e6), time_of("b", 1e6)});
    tool.put_results("new.jsonl", {line_of(elsewhere), line_of(rate)});
    const auto end = tool.run({"compare", "old.jsonl", "new.jsonl"});
    CHECK(end.code == 0);
    CHECK_THAT(end.out, ContainsSubstring("\n0 keys compared: "));
    CHECK_THAT(end.out, ContainsSubstring("only in new: a: 2.000 ms (sorts on other-cpu-8c)"));
    CHECK_THAT(end.out, ContainsSubstring("b    1.000 ms  2.000 M items/s  another metric"));
}

TEST_CASE("compare --change exits with 4 where an old key has nothing to compare with", "[ci][unit]") {
    record nothing = stored_result("a", 1e6, verdict::invalid);
    nothing.estimate.reset();
    nothing.reason = "the body threw";
    record rate = stored_result("a", 1e6, verdict::holds, 2);
    rate.unit = dimension::item_rate;
    record elsewhere = stored_result("a", 1e6, verdict::holds, 2);
    elsewhere.hardware_key = "other-cpu-8c";
    const auto now = GENERATE_COPY(nothing, rate, elsewhere, stored_result("c", 1e6, verdict::holds, 2));
    scripted_tool tool;
    tool.put_results("old.jsonl", {time_of("a", 1e6), time_of("b", 1e6)});
    tool.put_results("new.jsonl", {line_of(now), time_of("b", 2e6)});  // what b says does not count either
    const auto end = tool.run({"compare", "old.jsonl", "new.jsonl", "--change", "10%"});
    CHECK(end.code == 4);
    CHECK_THAT(end.out,
               ContainsSubstring("\n1 key of old has nothing in new to compare with: --change cannot judge it\n"));
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl"}).code == 0);
}

TEST_CASE("compare says why a key has no value now", "[ci][unit]") {
    record nothing = stored_result("a", 1e6, verdict::invalid);
    nothing.estimate.reset();
    nothing.reason = "the body threw";
    CHECK_THAT(compared({time_of("a", 1e6)}, {line_of(nothing)}).out,
               StartsWith("  no value in new: a: invalid, the body threw (new.jsonl:1)\n0 keys compared"));
}

TEST_CASE("compare --change exits with 4 where a value is no number", "[ci][unit]") {
    record none = stored_result("a", 1e6, verdict::holds, 2);
    none.estimate->centre = std::nan("");
    CHECK(compared({time_of("a", 1e6)}, {line_of(none)}, {"--change", "5%"}).code == 4);
}

TEST_CASE("compare --change exits with 4 where nothing was compared", "[ci][unit]") {
    record nothing = stored_result("a", 1e6, verdict::invalid);
    nothing.estimate.reset();
    const auto end = compared({line_of(nothing)}, {time_of("a", 1e6)}, {"--change", "10%"});
    CHECK(end.code == 4);
    CHECK_THAT(end.out, EndsWith("nothing was compared: --change cannot judge anything\n"));
}

}  // namespace perfspec
