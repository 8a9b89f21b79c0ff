// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "entries.hpp"

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/update_rule.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

baseline_entry steady(double value, std::size_t processes = 10) {
    return entry_of("k", std::vector<double>(processes, value));
}

/// The entry, recorded at another time.
baseline_entry of_another_session(baseline_entry entry) {
    for (stored_process& l : entry.processes) l.recording_session = "another session";
    return entry;
}

const baseline_entry noisy = entry_of("k", {500, 600, 700, 800, 900, 1100, 1300, 1500, 1700, 2000});

TEST_CASE("decide_update acts by its mode", "[baseline][unit]") {
    struct row {
        baseline_update mode;
        bool stored;
        double fresh;  // stored is 1000, the headroom 6 %
        update_action action;
    };
    using enum baseline_update;
    const auto r = GENERATE(values<row>({
        {moved, false, 1000, update_action::record},
        {moved, true, 1000, update_action::keep},
        {moved, true, 1019, update_action::keep},
        {moved, true, 981, update_action::keep},
        {moved, true, 1021, update_action::replace},
        {moved, true, 979, update_action::replace},
        {missing, false, 1000, update_action::record},
        {missing, true, 5000, update_action::keep},
        {append, false, 1000, update_action::record},
        {append, true, 1000, update_action::append},
        {all, false, 1000, update_action::record},
        {all, true, 1000, update_action::replace},
        {none, false, 1000, update_action::keep},
        {none, true, 5000, update_action::keep},
    }));
    const auto stored = steady(1000);
    const auto decision = decide_update({r.mode, {0.06}, noisy_processes::refuse}, r.stored ? &stored : nullptr,
                                        of_another_session(steady(r.fresh)));
    CAPTURE(decision.reason);
    CHECK(decision.action == r.action);
    CHECK_FALSE(decision.reason.empty());
}

TEST_CASE("decide_update leaves an entry alone that moved by a third of the headroom exactly", "[baseline][unit]") {
    const auto stored = steady(1024);  // all numbers here are exact in binary
    CHECK(decide_update({baseline_update::moved, {0.75}, {}}, &stored, steady(1280)).action == update_action::keep);
    CHECK(decide_update({baseline_update::moved, {0.75}, {}}, &stored, steady(1281)).action == update_action::replace);
}

TEST_CASE("decide_update says how far an entry moved", "[baseline][unit]") {
    const auto stored = steady(1000);
    CHECK_RECORDED(decide_update({baseline_update::moved, {0.05}, {}}, &stored, steady(1100)).reason);
}

TEST_CASE("decide_update without headroom replaces every moved entry", "[baseline][unit]") {
    const auto stored = steady(1000);
    CHECK(decide_update({}, &stored, steady(1000)).action == update_action::keep);
    CHECK(decide_update({}, &stored, steady(1000.1)).action == update_action::replace);
}

TEST_CASE("decide_update replaces an entry that has too few processes to judge by", "[baseline][unit]") {
    const auto stored = steady(1000, 9);
    const update_request request{baseline_update::moved, {0.06}, {}};
    CHECK(decide_update(request, &stored, steady(1000)).reason ==
          "the baseline has only 9 measurements, a claim needs 10");
    CHECK(decide_update(request, &stored, steady(1000)).action == update_action::replace);
    CHECK(decide_update(request, &stored, steady(1000, 5)).action == update_action::keep);
}

TEST_CASE("decide_update refuses processes that spread too much, unless forced", "[baseline][unit]") {
    const auto stored = steady(1000);
    const auto mode = GENERATE(baseline_update::moved, baseline_update::append, baseline_update::all);
    const auto twenty = entry_of("k", {500, 600, 700, 800, 900, 1100, 1300, 1500, 1700, 2000,
                                       510, 610, 710, 810, 910, 1110, 1310, 1510, 1710, 2010});
    const auto refused = decide_update({mode, {0}, noisy_processes::refuse}, &stored, of_another_session(twenty));
    CHECK(refused.action == update_action::refuse);
    CHECK_FALSE(refused.writes());
    CHECK(refused.because == refusal::noisy);
    CHECK_THAT(refused.reason, ContainsSubstring("more than 20 %") && !ContainsSubstring("--"));
    CHECK(decide_update({mode, {0}, noisy_processes::record}, &stored, of_another_session(twenty)).writes());
}

TEST_CASE("decide_update draws the line at a robust standard deviation of 20 %", "[baseline][unit]") {
    const auto spreading = [](double fraction) {
        const double deviation = fraction / 1.4826;  // the MAD of a normal sample of that standard deviation
        return entry_of("k", {1000 * std::exp(-deviation), 1000, 1000 * std::exp(deviation)});
    };
    CHECK(decide_update({}, nullptr, spreading(0.199)).action == update_action::record);
    CHECK(decide_update({}, nullptr, spreading(0.201)).action == update_action::refuse);
}

TEST_CASE("decide_update checks the spread of the fresh session", "[baseline][unit]") {
    const auto other_day = steady(2000);
    const auto stored = steady(1000);
    CHECK(decide_update({baseline_update::append, {}, {}}, &stored, of_another_session(other_day)).action ==
          update_action::append);
    CHECK(decide_update({baseline_update::append, {}, {}}, &stored, of_another_session(noisy)).action ==
          update_action::refuse);
    CHECK(decide_update({baseline_update::all, {}, {}}, &stored, other_day).action == update_action::replace);
    CHECK(decide_update({baseline_update::missing, {}, {}}, &noisy, noisy).action == update_action::keep);
}

TEST_CASE("decide_update never mixes processes of unlike metrics", "[baseline][unit]") {
    const auto stored = steady(1000);
    auto fresh = steady(1000);
    fresh.unit = "ratio";
    fresh.direction = better::more;
    const auto refused = decide_update({baseline_update::append, {}, {}}, &stored, of_another_session(fresh));
    CHECK(refused.action == update_action::refuse);
    CHECK_RECORDED(refused.reason);
    CHECK(decide_update({baseline_update::moved, {1}, {}}, &stored, of_another_session(fresh)).action ==
          update_action::replace);
    fresh.unit = stored.unit;
    CHECK(decide_update({baseline_update::append, {}, {}}, &stored, of_another_session(fresh)).action ==
          update_action::refuse);
    fresh.direction = stored.direction;
    CHECK(decide_update({baseline_update::append, {}, {}}, &stored, of_another_session(fresh)).action ==
          update_action::append);
    fresh.unit = "bytes";
    CHECK(decide_update({baseline_update::append, {}, {}}, &stored, fresh).action == update_action::refuse);
}

TEST_CASE("decide_update refuses processes of another source file, and names both places", "[baseline][unit]") {
    auto stored = steady(1000);
    auto fresh = of_another_session(steady(1500));
    stored.source = source_of("/old/sort_test.cpp", 42);
    fresh.source = source_of("map_test.cpp", 7);
    for (const auto mode : {baseline_update::moved, baseline_update::append}) {
        const auto refused = decide_update({mode, {0.06}, {}}, &stored, fresh);
        CHECK(refused.because == refusal::another_source);
        CHECK_THAT(refused.reason, StartsWith("sort_test.cpp:42 recorded this baseline, but map_test.cpp:7 "));
        CHECK(decide_update({mode, {0.06}, noisy_processes::record}, &stored, fresh).writes());
    }
    CHECK(decide_update({baseline_update::all, {}, {}}, &stored, fresh).writes());
    CHECK(decide_update({baseline_update::moved, {9}, {}}, &stored, fresh).action == update_action::keep);
    fresh.source = GENERATE("sort_test.cpp:43", "");
    CHECK(decide_update({baseline_update::moved, {0.06}, {}}, &stored, fresh).writes());
}

TEST_CASE("decide_update refuses a headroom that is no distance", "[baseline][unit]") {
    const auto stored = steady(1000);
    const double headroom = GENERATE(-0.05, std::nan(""));
    CHECK_THROWS_WITH(decide_update({baseline_update::moved, {headroom}, {}}, &stored, stored),
                      ContainsSubstring("expected a fraction such as 0.05"));
}

TEST_CASE("change_between is relative, also from zero", "[baseline][unit]") {
    const auto change = [](double then, double now) {
        return change_between(entry_of("k", {then}), entry_of("k", {now})).fraction;
    };
    CHECK(change(1000, 1250) == 0.25);
    CHECK(change(1000, 750) == -0.25);
    CHECK(change(-10, -5) == 0.5);
    CHECK(change(0, 0) == 0);
    CHECK(change(0, 3) == std::numeric_limits<double>::infinity());
}

TEST_CASE("spread_between is robust and relative", "[baseline][unit]") {
    const auto spread = [](const std::vector<double>& values) {
        return spread_between(processes_of(values), "ns").fraction;
    };
    CHECK(spread({7, 7, 7}) == 0);
    CHECK(spread({0, 0, 0}) == 0);
    CHECK(spread({100, 100, 100, 100, 900}) == 0);  // one outlier
    CHECK_THAT(spread({std::exp(-0.1), 1.0, std::exp(0.1)}), WithinRel(0.14826, 1e-9));
    CHECK(spread({0, 8, 10, 12, 14}) == 0.2);  // MAD 2 of 10; 0 has no logarithm
    CHECK(spread({0, 0, 0, 1, 1}) == 0);
    CHECK(spread({0, 0, 1, 1, 1, 0, -1, -1}) == std::numeric_limits<double>::infinity());
}

TEST_CASE("powers of complexity near 0 are compared by their differences", "[baseline][unit]") {
    const auto power = [](double value) {
        baseline_entry entry = entry_of("k", std::vector<double>(10, value));
        entry.unit = "power";
        return entry;
    };
    CHECK_THAT(change_between(power(0.001), power(0.011)).fraction, WithinRel(std::expm1(0.01), 1e-9));
    CHECK_THAT(change_between(power(0.0), power(-0.01)).fraction, WithinRel(std::expm1(-0.01), 1e-9));
    CHECK_THAT(spread_between(processes_of(std::vector{-0.01, 0.0, 0.01}), "power").fraction,
               WithinRel(0.014826, 1e-9));
    const baseline_entry stored = power(0.001);
    const auto moved_to = [&](double value) {
        return decide_update({baseline_update::moved, {0.1}, {}}, &stored, power(value)).action;
    };
    CHECK(moved_to(0.004) == update_action::keep);
    CHECK(moved_to(0.05) == update_action::replace);
}

TEST_CASE("decide_update keeps an entry of many processes that did not move", "[baseline][unit]") {
    const auto stored = entry_of("k", std::vector<double>(40, 1000));
    baseline_entry two = stored;
    for (stored_process l : stored.processes) {
        l.recording_session = "another";
        two.processes.push_back(l);
    }
    CHECK(decide_update({baseline_update::moved, {0.05}, {}}, &two, entry_of("k", std::vector<double>(40, 1001)))
              .action == update_action::keep);
}

TEST_CASE("decide_update appends no session twice", "[baseline][unit]") {
    const auto stored = entry_of("k", std::vector<double>(10, 1000));
    const auto again = decide_update({baseline_update::append, {}, {}}, &stored, stored);
    CHECK(again.action == update_action::keep);
    CHECK(again.reason == "this recording session is stored already");
}

TEST_CASE("processes_after keeps the newest processes of the newest sessions", "[baseline][unit]") {
    baseline_entry stored = entry_of("k", {});
    for (int session = 1; session <= 10; ++session) {
        for (stored_process l : processes_of(std::vector<double>(3, session))) {
            l.recording_session = std::to_string(session);
            stored.processes.push_back(l);
        }
    }
    std::vector<double> values;
    for (int i = 1; i <= 45; ++i) values.push_back(100 + i);
    const auto fresh = processes_of(values);
    const auto appended = values_of(processes_after(update_action::append, &stored, fresh));
    CHECK(appended.size() == 9 * 3 + 40);
    CHECK(appended.front() == 2);
    CHECK(appended[27] == 106);
    CHECK(appended.back() == 145);
    CHECK(processes_after(update_action::replace, &stored, std::span(fresh).first(7)).size() == 7);
}

}  // namespace

namespace {

/// Processes around a value, 0.1 % apart, in a session at that time.
std::vector<stored_process> session_at(const std::string& time, double value, std::size_t processes,
                                       double step = 0.001) {
    std::vector<double> values;
    for (std::size_t i = 0; i < processes; ++i) values.push_back(value * (1.0 + step * static_cast<double>(i % 5)));
    auto session = processes_of(values);
    for (stored_process& l : session) {
        l.time = "2026-11-18T" + time + "Z";
        l.recording_session = time;
    }
    return session;
}

std::vector<stored_process> all_of(std::initializer_list<std::vector<stored_process>> sessions) {
    std::vector<stored_process> all;
    for (const auto& s : sessions) all.insert(all.end(), s.begin(), s.end());
    return all;
}

}  // namespace

TEST_CASE("one session allows the usual drift", "[baseline][unit]") {
    const auto found = comparable_processes_of(session_at("09:00:00", 1000, 40), "ns");
    CHECK(found.values.size() == 40);
    CHECK(found.sessions == 1);
    CHECK_THAT(found.drift, WithinAbs(0.10, 1e-9));
    CHECK_FALSE(found.is_noisy());
    CHECK(found.processor_ns == 0.0);
    CHECK_THAT(comparable_processes_of(session_at("09:00:00", 1.4, 40), "ratio").drift, WithinAbs(0.03, 1e-9));
    CHECK_THAT(comparable_processes_of(session_at("09:00:00", 1000, 40), "ns", {.given = 0.02, .rate = 0.001}).drift,
               WithinAbs(0.02, 1e-9));
}

TEST_CASE("units that measure the machine's speed drift more than others", "[baseline][unit]") {
    for (const char* unit : {"ns", "items/s", "bytes/s", "flop/s"}) CHECK(usual_drift(unit) == 0.10);
    for (const char* unit : {"ratio", "count", "bytes", "power", "tokens"}) CHECK(usual_drift(unit) == 0.03);
}

TEST_CASE("three sessions that agree allow less", "[baseline][unit]") {
    const auto three =
        all_of({session_at("09:00:00", 1000, 40), session_at("12:00:00", 1001, 40), session_at("15:00:00", 999, 40)});
    const auto found = comparable_processes_of(three, "ns");
    CHECK(found.sessions == 3);
    CHECK(found.values.size() == 40);
    CHECK(found.drift < 0.04);
    const auto newest = std::ranges::count_if(found.values, [](double v) { return v < 999.5; });
    CHECK(newest >= 2);  // each session gives as many
}

TEST_CASE("sessions within half an hour are one", "[baseline][unit]") {
    const auto quick =
        all_of({session_at("09:00:00", 1000, 10), session_at("09:10:00", 1000, 10), session_at("09:35:00", 1000, 10)});
    const auto found = comparable_processes_of(quick, "ns");
    CHECK(found.sessions == 1);
    CHECK_THAT(found.drift, WithinAbs(0.10, 1e-9));
    const auto apart = all_of({session_at("09:00:00", 1000, 10), session_at("09:30:00", 1000, 10)});
    CHECK(comparable_processes_of(apart, "ns").sessions == 2);
}

TEST_CASE("a session whose processes spread widely counts only where no other is there", "[baseline][unit]") {
    const auto wild = session_at("09:00:00", 1000, 20, 0.3);
    const auto steady = session_at("12:00:00", 1000, 20);
    CHECK(comparable_processes_of(wild, "ns").is_noisy());
    const auto both = comparable_processes_of(all_of({wild, steady}), "ns");
    CHECK_FALSE(both.is_noisy());
    CHECK(both.sessions == 1);
    CHECK(both.values.size() == 20);
}

TEST_CASE("the work in an iteration is that of the sessions that know it", "[baseline][unit]") {
    std::vector<stored_process> all;
    for (const auto& [hour, ns] : {std::pair{"09:00:00", 0.0}, {"12:00:00", 900.0}, {"15:00:00", 1100.0}}) {
        auto session = session_at(hour, 1000, 10);
        for (stored_process& l : session) l.processor_ns = ns;
        all = all_of({all, session});
    }
    CHECK(comparable_processes_of(all, "ns").processor_ns == 1000.0);
}

TEST_CASE("the order in which sessions stand does not matter", "[baseline][unit]") {
    const auto morning = session_at("09:00:00", 1000, 10);
    const auto noon = session_at("12:00:00", 1001, 10);
    const auto evening = session_at("18:00:00", 999, 10);
    const auto rising = comparable_processes_of(all_of({morning, noon, evening}), "ns");
    const auto falling = comparable_processes_of(all_of({evening, noon, morning}), "ns");
    CHECK(rising.sessions == 3);
    CHECK(falling.sessions == 3);
    CHECK(rising.drift == falling.drift);
}

TEST_CASE("counts of 0 have no drift to estimate", "[baseline][unit]") {
    const auto found = comparable_processes_of(processes_of(std::vector<double>(10, 0.0)), "count");
    CHECK(found.drift == 0.0);
    CHECK(found.values == std::vector<double>(10, 0.0));
    std::vector<double> one_zero(10, 40.0);
    one_zero[2] = 0.0;
    CHECK(comparable_processes_of(processes_of(one_zero), "count").drift == 0.03);
    CHECK(comparable_processes_of(processes_of(one_zero), "count", {.given = 0.2}).drift == 0.2);
}

TEST_CASE("seconds_of_utc reads times that a calendar has", "[baseline][unit]") {
    CHECK(detail::seconds_of_utc("1970-01-01T00:00:00Z") == 0);
    CHECK(detail::seconds_of_utc("2026-11-18T09:12:44Z") == 1794993164);
    for (const char* none : {"", "2026-11-18", "2026-13-18T09:12:44Z", "2026-02-30T09:12:44Z", "2026-11-18T24:12:44Z",
                             "2026-11-18 09:12:44Z"})
        CHECK_FALSE(detail::seconds_of_utc(none).has_value());
}

}  // namespace perfspec
