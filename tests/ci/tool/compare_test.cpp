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

/// `perfspec compare` on the lines of two runs.
void compare_ends(int code, const std::vector<std::string>& old, const std::vector<std::string>& now,
                  const std::string& options = {}, const std::string& label = {}) {
    scripted_tool tool;
    tool.put_results("old.jsonl", old);
    tool.put_results("new.jsonl", now);
    tool.ends(code, "compare old.jsonl new.jsonl" + options, label, __FILE__);
}

}  // namespace

TEST_CASE("compare shows each key's change, its interval, and what is on one side only", "[ci][unit]") {
    compare_ends(0, {time_of("a", 1e6), time_of("b", 1e6), time_of("c", 1e6), time_of("gone", 1e6)},
                 {time_of("a", 1.2e6), time_of("b", 0.8e6), time_of("c", 1.01e6), time_of("come", 2e6)});
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
    record error = stored_result("wrong", 1e3, verdict::error);
    error.failed = true;
    compare_ends(
        0,
        {time_of("a", 4e6), time_of("b", 1e6), time_of("wrong", 1e6), time_of("zero", 0.0), rate("c", 2e6),
         rate("d", 2e6)},
        {time_of("a", 1e6), time_of("b", 1e6), line_of(error), time_of("zero", 0.0), rate("c", 6e6), rate("d", 6e6)});
}

TEST_CASE("compare --change exits with 1 where a whole interval is worse or better than the threshold", "[ci][unit]") {
    const auto [now, code] = GENERATE(table<int, int>({{120, 1}, {80, 1}, {108, 0}, {93, 0}}));
    compare_ends(code, {time_of("a", 1e6)}, {time_of("a", 1e4 * now)}, " --change 7%", std::to_string(now) + " %");
}

TEST_CASE("compare --change exits with 4 where either run has a key that the other lacks", "[ci][unit]") {
    record nothing = stored_result("b", 1e6, verdict::error);
    nothing.estimate.reset();
    const std::vector<std::string> both{time_of("a", 1e6), time_of("b", 2e6)};
    const auto [one, label] = GENERATE_COPY(table<std::vector<std::string>, std::string>(
        {{{time_of("a", 1e6)}, "none"}, {{time_of("a", 1e6), line_of(nothing)}, "no value"}}));
    scripted_tool tool;
    tool.put_results("both.jsonl", both);
    tool.put_results("one.jsonl", one);
    tool.ends(4, "compare one.jsonl both.jsonl --change 7%", label);
    tool.ends(4, "compare both.jsonl one.jsonl --change 7%", label);
}

TEST_CASE("compare exits with 3 where a change by a factor of two may hide in an interval", "[ci][unit]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto [before, after, code] = GENERATE_COPY(table<std::string, std::string, int>({
        {time_of("a", 1e6), time_between("a", 1e6, 0.99e6, infinity), 3},
        {time_between("a", 1e6, 0.0, 1.01e6), time_of("a", 1e6), 3},
        {time_of("a", 1e6), time_between("a", 1e6, 0.0, 1.01e6), 3},
        {time_between("a", 1e6, 0.99e6, infinity), time_of("a", 1e6), 3},
        {time_of("a", 1e6), time_between("a", 1e6, -infinity, infinity), 3},
        {time_between("a", 1e6, 0.99e6, 1.01e6, better::more), time_between("a", 1e6, 0.0, 1.01e6, better::more), 3},
        {time_between("a", 1e6, 0.99e6, 1.01e6, better::more), time_between("a", 1e6, 0.99e6, infinity, better::more),
         3},
        {time_between("a", 1e6, -infinity, 1.01e6), time_between("a", 1e6, 0.99e6, 1.01e6), 3},
        {time_of("a", 1e6), time_between("a", 2e6, 1.9e6, infinity), 1},      // worse, wherever the interval ends
        {time_of("a", 1e6), time_between("a", 5e5, 0.0, 5.1e5), 1},           // better, wherever it begins
        {time_of("a", 1e6), time_between("a", 1.05e6, 1.03e6, infinity), 3},  // worse by an unknown amount
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.9e6, 2e6), 3},
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.9e6, 1.99e6), 0},
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.5e6, 1.1e6), 3},
        {time_between("a", 1e6, 1e6, 1e6), time_between("a", 1e6, 0.51e6, 1.1e6), 0},
        {time_between("a", 1e6, 1e6, 1e6, better::more), time_between("a", 1e6, 0.5e6, 1.1e6, better::more), 3},
        {time_between("a", 1e6, 1e6, 1e6, better::more), time_between("a", 1e6, 0.9e6, 2e6, better::more), 3},
    }));
    scripted_tool tool;
    tool.put_results("old.jsonl", {before, time_of("b", 1e6)});
    tool.put_results("new.jsonl", {after, time_of("b", 1e6)});
    CAPTURE(before, after);
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl", "--change", "7%"}).code == code);
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl"}).code == 0);
}

TEST_CASE("compare lists a key with an open interval as open", "[ci][unit]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    compare_ends(1, {time_of("a", 1e6), time_of("b", 1e6), time_of("c", 1e6)},
                 {time_between("a", 1e6, 0.0, infinity), time_between("b", 2e6, 1.9e6, infinity),
                  time_between("c", 1.04e6, 1.03e6, infinity)},
                 " --change 7%");
}

TEST_CASE("compare counts what is exact as decided", "[ci][unit]") {
    const auto exactly = [](double value) { return time_between("a", value, value, value); };
    scripted_tool tool;
    const auto [before, after, code] =
        GENERATE(table<double, double, int>({{0, 0, 0}, {0, 5, 1}, {5, 0, 1}, {5, 5, 0}}));
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
    tool.ends(4, "compare old.jsonl new.jsonl --change 5%");
    tool.ends(4, "compare old.jsonl below.jsonl --change 5%");
    CHECK(tool.run({"compare", "old.jsonl", "old.jsonl", "--change", "5%"}).code == 0);
}

TEST_CASE("compare refuses a threshold that may mean one percent or all", "[ci][unit]") {
    scripted_tool tool;
    tool.put_results("r.jsonl", {time_of("a", 1e6)});
    tool.ends(2, "compare r.jsonl r.jsonl --change 7");
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
    tool.ends(0, "compare old.jsonl new.jsonl");
}

TEST_CASE("compare --change exits with 4 where an old key has nothing to compare with", "[ci][unit]") {
    record nothing = stored_result("a", 1e6, verdict::error);
    nothing.estimate.reset();
    nothing.reason = "the body threw";
    record rate = stored_result("a", 1e6, verdict::holds, 2);
    rate.unit = dimension::item_rate;
    record elsewhere = stored_result("a", 1e6, verdict::holds, 2);
    elsewhere.hardware_key = "other-cpu-8c";
    const auto [now, label] =
        GENERATE_COPY(table<record, std::string>({{nothing, "nothing"},
                                                  {rate, "rate"},
                                                  {elsewhere, "elsewhere"},
                                                  {stored_result("c", 1e6, verdict::holds, 2), "c"}}));
    scripted_tool tool;
    tool.put_results("old.jsonl", {time_of("a", 1e6), time_of("b", 1e6)});
    tool.put_results("new.jsonl", {line_of(now), time_of("b", 2e6)});  // what b says does not count either
    tool.ends(4, "compare old.jsonl new.jsonl --change 10%", label);
    CHECK(tool.run({"compare", "old.jsonl", "new.jsonl"}).code == 0);
}

TEST_CASE("compare says why a key has no value now", "[ci][unit]") {
    record nothing = stored_result("a", 1e6, verdict::error);
    nothing.estimate.reset();
    nothing.reason = "the body threw";
    compare_ends(0, {time_of("a", 1e6)}, {line_of(nothing)});
}

TEST_CASE("compare --change exits with 4 where a value is no number", "[ci][unit]") {
    record none = stored_result("a", 1e6, verdict::holds, 2);
    none.estimate->value = std::nan("");
    compare_ends(4, {time_of("a", 1e6)}, {line_of(none)}, " --change 5%");
}

TEST_CASE("compare --change exits with 4 where nothing was compared", "[ci][unit]") {
    record nothing = stored_result("a", 1e6, verdict::error);
    nothing.estimate.reset();
    compare_ends(4, {line_of(nothing)}, {time_of("a", 1e6)}, " --change 10%");
}

}  // namespace perfspec
