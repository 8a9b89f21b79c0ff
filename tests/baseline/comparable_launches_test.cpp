// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "entries.hpp"

#include <perfspec/baseline/sessions/recording_session.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// So many launches around a value, 0.1 % apart, in a session at that hour.
std::vector<stored_launch> session_at(const std::string& time, double value, std::size_t launches,
                                      double step = 0.001) {
    std::vector<double> values;
    for (std::size_t i = 0; i < launches; ++i) values.push_back(value * (1.0 + step * static_cast<double>(i % 5)));
    auto session = launches_of(values);
    for (stored_launch& l : session) {
        l.when = "2026-11-18T" + time + "Z";
        l.recording_session = time;
    }
    return session;
}

std::vector<stored_launch> all_of(std::initializer_list<std::vector<stored_launch>> sessions) {
    std::vector<stored_launch> all;
    for (const auto& s : sessions) all.insert(all.end(), s.begin(), s.end());
    return all;
}

}  // namespace

TEST_CASE("one session allows the usual drift", "[baseline][unit]") {
    const auto found = what_to_compare(session_at("09:00:00", 1000, 40), "ns");
    CHECK(found.values.size() == 40);
    CHECK(found.sessions == 1);
    CHECK_THAT(found.drift, WithinAbs(0.10, 1e-9));
    CHECK(found.moved_by_load == 0.0);
    CHECK_FALSE(found.is_noisy());
    CHECK_THAT(found.allowance(), WithinAbs(0.10, 1e-9));
    CHECK_THAT(what_to_compare(session_at("09:00:00", 1.4, 40), "ratio").drift, WithinAbs(0.03, 1e-9));
    CHECK_THAT(what_to_compare(session_at("09:00:00", 1000, 40), "ns", {.given = 0.02, .rate = 0.001}).drift,
               WithinAbs(0.02, 1e-9));
}

TEST_CASE("units that measure the machine's speed drift more than others", "[baseline][unit]") {
    for (const char* unit : {"ns", "items/s", "bytes/s", "flop/s"}) CHECK(usual_drift(unit) == 0.10);
    for (const char* unit : {"ratio", "count", "bytes", "power", "tokens"}) CHECK(usual_drift(unit) == 0.03);
}

TEST_CASE("three sessions that agree allow less", "[baseline][unit]") {
    const auto three =
        all_of({session_at("09:00:00", 1000, 40), session_at("12:00:00", 1001, 40), session_at("15:00:00", 999, 40)});
    const auto found = what_to_compare(three, "ns");
    CHECK(found.sessions == 3);
    CHECK(found.values.size() == 40);
    CHECK(found.drift < 0.04);
    const auto newest = std::ranges::count_if(found.values, [](double v) { return v < 999.5; });
    CHECK(newest >= 2);  // each session gives as many
}

TEST_CASE("sessions within half an hour are one", "[baseline][unit]") {
    const auto quick =
        all_of({session_at("09:00:00", 1000, 10), session_at("09:10:00", 1000, 10), session_at("09:35:00", 1000, 10)});
    const auto found = what_to_compare(quick, "ns");
    CHECK(found.sessions == 1);
    CHECK_THAT(found.drift, WithinAbs(0.10, 1e-9));
    const auto apart = all_of({session_at("09:00:00", 1000, 10), session_at("09:30:00", 1000, 10)});
    CHECK(what_to_compare(apart, "ns").sessions == 2);
}

TEST_CASE("a session whose launches spread widely counts only where no other is there", "[baseline][unit]") {
    const auto wild = session_at("09:00:00", 1000, 20, 0.3);
    const auto steady = session_at("12:00:00", 1000, 20);
    CHECK(what_to_compare(wild, "ns").is_noisy());
    const auto both = what_to_compare(all_of({wild, steady}), "ns");
    CHECK_FALSE(both.is_noisy());
    CHECK(both.sessions == 1);
    CHECK(both.values.size() == 20);
}

TEST_CASE("what a load moves is allowed besides, above five percent", "[baseline][unit]") {
    auto session = session_at("09:00:00", 1000, 20);
    const auto moved = GENERATE(0.04, 0.5, -0.2);
    for (stored_launch& l : session) l.moved_by_load = moved;
    const auto found = what_to_compare(session, "ns");
    CHECK_THAT(found.moved_by_load, WithinAbs(moved == 0.5 ? 0.5 : moved == -0.2 ? 0.25 : 0.0, 1e-9));
    CHECK_THAT(found.allowance(), WithinAbs(1.10 * (1 + found.moved_by_load) - 1, 1e-9));
}

TEST_CASE("the order in which sessions stand does not matter", "[baseline][unit]") {
    const auto morning = session_at("09:00:00", 1000, 10);
    const auto noon = session_at("12:00:00", 1001, 10);
    const auto evening = session_at("18:00:00", 999, 10);
    const auto rising = what_to_compare(all_of({morning, noon, evening}), "ns");
    const auto falling = what_to_compare(all_of({evening, noon, morning}), "ns");
    CHECK(rising.sessions == 3);
    CHECK(falling.sessions == 3);
    CHECK(rising.drift == falling.drift);
}

TEST_CASE("counts of 0 have no drift to estimate", "[baseline][unit]") {
    const auto found = what_to_compare(launches_of(std::vector<double>(10, 0.0)), "count");
    CHECK(found.drift == 0.0);
    CHECK(found.values == std::vector<double>(10, 0.0));
}

TEST_CASE("seconds_of_utc reads times that a calendar has", "[baseline][unit]") {
    CHECK(detail::seconds_of_utc("1970-01-01T00:00:00Z") == 0);
    CHECK(detail::seconds_of_utc("2026-11-18T09:12:44Z") == 1794993164);
    for (const char* none : {"", "2026-11-18", "2026-13-18T09:12:44Z", "2026-02-30T09:12:44Z", "2026-11-18T24:12:44Z",
                             "2026-11-18 09:12:44Z"})
        CHECK_FALSE(detail::seconds_of_utc(none).has_value());
}

}  // namespace perfspec
