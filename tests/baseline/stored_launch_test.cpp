// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "entries.hpp"

#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/format.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("fault_of takes what each unit can be", "[baseline][unit]") {
    const auto [unit, value, fault] = GENERATE(table<const char*, double, bool>({
        {"ns", 1, false},
        {"ns", 1e-300, false},
        {"ns", 0, true},
        {"ns", -1, true},
        {"ns", infinity, true},
        {"ratio", 0.5, false},
        {"ratio", 0, true},
        {"count", 0, false},
        {"count", -1, true},
        {"bytes", 0, false},
        {"bytes", -1, true},
        {"items/s", 0, true},
        {"bytes/s", 0, true},
        {"flop/s", 0, true},
        {"tokens/s", -3, false},
        {"tokens/s", 0, false},
        {"tokens/s", infinity, true},
        {"ns", std::nan(""), true},
        {"count", std::nan(""), true},
    }));
    auto entry = entry_of("k");
    entry.unit = unit;
    entry.launches = {launch_of(value)};
    CAPTURE(unit, value);
    CHECK(fault_of(entry).has_value() == fault);
}

TEST_CASE("fault_of knows every base unit", "[baseline][unit]") {
    using enum dimension;
    const auto d = GENERATE(time, ratio, count, bytes, item_rate, byte_rate, flop_rate);
    CHECK(detail::rule_of(base_unit(d)).domain != detail::value_domain::finite);
}

TEST_CASE("fault_of names the field, what was found, and a legal value", "[baseline][unit]") {
    auto entry = entry_of("k");
    auto& launch = entry.launches[3];
    CHECK_FALSE(fault_of(entry));
    SECTION("value") {
        launch.value = -3;
        CHECK(fault_of(entry) == "\"value\" is -3, expected a time in ns such as 3210000");
    }
    SECTION("quantiles") {
        launch.q1 = 2000;
        CHECK(
            fault_of(entry) ==
            "\"q1\", \"q3\", \"p90\", \"p99\" are 2000, 1000, 1000, 1000, expected ascending quantiles such as 3, 4, 5, 6");
    }
    SECTION("upper quantiles") {
        launch.p90 = 999;
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("are 1000, 1000, 999, 1000"));
    }
    SECTION("tail") {
        launch.p99 = 999;
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("are 1000, 1000, 1000, 999"));
    }
    SECTION("samples") {
        launch.samples = 0;
        CHECK(fault_of(entry) == "\"samples\" is 0, expected a number of samples such as 300");
    }
    SECTION("iterations") {
        launch.iterations = 0;
        CHECK(fault_of(entry) == "\"iterations\" is 0, expected the iterations of a sample such as 1");
    }
    SECTION("when") {
        launch.when = "yesterday";
        CHECK(fault_of(entry) == "\"when\" is \"yesterday\", expected a time in UTC such as \"2026-11-18T09:12:44Z\"");
    }
    SECTION("commit") {
        launch.commit = "\xff";
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("not UTF-8"));
    }
    SECTION("no launches") {
        entry.launches.clear();
        CHECK(fault_of(entry) == "there are no launches, expected a session of 1 to 40");
    }
    SECTION("41 launches") {
        entry.launches = launches_of(std::vector<double>(41, 1));
        CHECK(fault_of(entry) == "there are 41 launches in 1 sessions, expected at most 40 of each of at most 10");
    }
    SECTION("moved by load") {
        launch.moved_by_load = -1.0;
        CHECK(fault_of(entry) == "\"moved_by_load\" is -1, expected a fraction above -1 and up to 100 such as 0.02");
    }
    SECTION("unit") {
        entry.unit = "";
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("expected a unit such as \"ns\""));
    }
    SECTION("key") {
        entry.key = "caf\xe9";
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("the key is not UTF-8"));
    }
    SECTION("fingerprint") {
        entry.recorded_on.compiler = "\xff";
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("\"compiler\" of \"recorded_on\" is not UTF-8"));
    }
    SECTION("libraries") {
        entry.recorded_on.libraries = {{"libtorch", "2.12.0"}, {"libtorch", "2.13.0"}};
        CHECK(fault_of(entry) == "the library \"libtorch\" appears twice, expected it once");
    }
}

TEST_CASE("fault_of takes the times that a clock shows", "[baseline][unit]") {
    const auto [when, fault] = GENERATE(table<const char*, bool>({
        {"2026-11-18T09:12:44Z", false},
        {"2016-12-31T23:59:60Z", false},
        {"2026-11-18T09:12:44", true},
        {"2026-11-18 09:12:44Z", true},
        {"2026-13-18T09:12:44Z", true},
        {"2026-00-18T09:12:44Z", true},
        {"2026-11-32T09:12:44Z", true},
        {"2026-11-18T24:12:44Z", true},
        {"2026-11-18T09:60:44Z", true},
        {"2026-11-18T09:12:61Z", true},
        {"2026-11-18T09:12:44.5Z", true},
        {"", true},
        {"2026-11-18T09:12:44+01:00", true},
    }));
    auto entry = entry_of("k");
    entry.launches[0].when = when;
    CAPTURE(when);
    CHECK(fault_of(entry).has_value() == fault);
}

}  // namespace
}  // namespace perfspec
