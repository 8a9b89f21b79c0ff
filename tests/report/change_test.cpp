// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/change.hpp>

#include <support/test.hpp>

#include <report/example_records.hpp>

namespace perfspec {
namespace {

/// A time against a bound of 3 ms.
record time_of(double milliseconds, const char* comparison = "<") {
    record r = testing::violated_time();
    r.estimate->value = milliseconds * 1e6;
    r.comparison = comparison;
    return r;
}

/// A time against 1.05 times a baseline of 2 ms.
record stored_time(double milliseconds) {
    record r = time_of(milliseconds);
    r.baseline = testing::stored_ratio().baseline;
    r.baseline->median = 2e6;
    r.bound = 1.05 * 2e6;
    return r;
}

/// speedup(std::sort, ours) > 0.95
record speedup_of(double value) {
    record r = testing::violated_ratio();
    r.estimate->value = value;
    return r;
}

}  // namespace

TEST_CASE("change_text says how much slower than its baseline a time is", "[report][unit]") {
    std::string changes;
    for (const double milliseconds : {2.17, 5.4, 70.0, 2.0001, 1.5, 0.5})
        changes += change_text(stored_time(milliseconds)) + "\n";
    CHECK_RECORDED(changes);
}

TEST_CASE("change_text of an undecided speedup shows no difference where its interval holds 1", "[report][unit]") {
    record r = speedup_of(0.6);
    r.verdict = verdict::undecided;
    r.estimate->low = 0.47;
    r.estimate->high = 1.06;
    CHECK_RECORDED(change_text(r));
    r.estimate->high = 0.9;
    CHECK(change_text(r) == "ours is 67 % slower than std::sort: speedup 0.6000, at least 0.9500 needed");
}

TEST_CASE("change_text distinguishes two subjects of one name", "[report][unit]") {
    record r = speedup_of(0.5);
    r.subjects[1].subject = r.subjects[0].subject;
    r.query = "speedup(std::sort, std::sort)";
    r.metric = "speedup";
    r.names = {"std::sort", "std::sort"};
    CHECK_RECORDED(change_text(r));
}

TEST_CASE("change_text names the baseline build, and a limit that is no factor by its value", "[report][unit]") {
    record r = stored_time(5.4);
    r.baseline->action = baseline_action::baseline_build;
    r.bound = 2e6 + 123456.0;
    CHECK(change_text(r) == "2.7x slower than the baseline build: 5.400 ms, was 2.000 ms; at most 2.123 ms allowed");
}

TEST_CASE("change_text says of two subjects which is slower", "[report][unit]") {
    std::string changes;
    for (const double speedup : {0.9214, 0.25, 1.0, 1.25, 4.0}) changes += change_text(speedup_of(speedup)) + "\n";
    CHECK_RECORDED(changes);
}

TEST_CASE("change_text of a fixed bound says on which side of it the value lies", "[report][unit]") {
    CHECK(change_text(time_of(3.212)) == "7.1 % above the bound: 3.212 ms, at most 3.000 ms allowed");
    CHECK(change_text(time_of(2.7, ">")) == "10 % below the bound: 2.700 ms, at least 3.000 ms needed");
    CHECK(change_text(time_of(3.0)) == "equal to the bound: 3.000 ms, at most 3.000 ms allowed");
    CHECK(change_text(time_of(105.0)) == "35x the bound: 105.0 ms, at most 3.000 ms allowed");
    CHECK(change_text(time_of(3.3, "==")) == "10 % above the bound: 3.300 ms, 3.000 ms needed");
}

TEST_CASE("change_text of a tolerance measures from the end that was passed", "[report][unit]") {
    record r = time_of(3.3, "==");
    r.tolerated = tolerated_range{2.85e6, 3.15e6};
    CHECK(change_text(r) == "4.8 % above the bound: 3.300 ms, 2.850 ms to 3.150 ms allowed");
    r.estimate->value = 2.565e6;
    CHECK(change_text(r) == "10 % below the bound: 2.565 ms, 2.850 ms to 3.150 ms allowed");
    r.estimate->value = 3e6;
    CHECK(change_text(r) == "within the tolerance: 3.000 ms, 2.850 ms to 3.150 ms allowed");
}

TEST_CASE("change_text of a bound of zero has no ratio", "[report][unit]") {
    record r = time_of(3.0);
    r.unit = dimension::count;
    r.estimate->value = 3.0;
    r.bound = 0.0;
    CHECK(change_text(r) == "3, at most 0 allowed");
}

TEST_CASE("change_text is empty where there is nothing to compare", "[report][unit]") {
    CHECK(change_text(testing::recorded_time()).empty());
    CHECK(change_text(testing::error_body()).empty());
    CHECK(change_text(time_of(std::numeric_limits<double>::quiet_NaN())).empty());
}

TEST_CASE("change_from_baseline is a percentage, or a factor where that is large", "[report][unit]") {
    CHECK(change_from_baseline(stored_time(2.17)) == "+8.5 %");
    CHECK(change_from_baseline(stored_time(1.5)) == "-25 %");
    CHECK(change_from_baseline(stored_time(5.4)) == "2.7x");
    CHECK(change_from_baseline(time_of(3.212)).empty());
    record only_recorded = stored_time(2.17);
    only_recorded.baseline->action = baseline_action::recorded;
    CHECK(change_from_baseline(only_recorded).empty());
}

}  // namespace perfspec
