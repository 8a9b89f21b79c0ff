// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "replay.hpp"
#include "trace_player.hpp"

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

using perfspec::decision;
using perfspec::input_error;
using perfspec::stages;
using namespace perfspec::testing;

namespace {

replay_request request_of(double bound, double inject) {
    replay_request r;
    r.bound = bound;
    r.inject = inject;
    r.replays = 3;
    return r;
}

void check_each(const std::vector<run_result>& runs, decision confirmed, std::size_t units) {
    REQUIRE(runs.size() == 3);
    for (const run_result& run : runs) {
        CHECK(run.confirmed == confirmed);
        CHECK(run.units == units);
    }
}

recorded_baselines processes(const std::vector<double>& medians) {
    recorded_baselines all;
    for (const double m : medians) all.push_back({m, std::vector<double>(50, m)});
    return all;
}

}  // namespace

TEST_CASE("replay_paired decides at the first look where every pair says the same", "[calibration][unit]") {
    const std::vector<recorded_process> processes{recorded_process(100, 1e6)};
    const auto r = GENERATE(values<std::pair<double, double>>({{1.0, 1.1}, {0.95, 1.0}}));
    const replay_request request = request_of(r.first, r.second);
    const auto runs = replay_paired(recorded_slots(processes, request), request);
    if (r.second > 1) check_each(runs, decision::violated, 20);  // two stages
    else check_each(runs, decision::holds, 10);
    CHECK(runs[0].milliseconds == (r.second > 1 ? 42.0 : 20.0));
}

TEST_CASE("replay_absolute takes blocks spread over the budget", "[calibration][unit]") {
    const std::vector<recorded_process> processes{recorded_process(3000, 1e6), recorded_process(3000, 1e6)};
    CHECK(reference_of(processes) == 1e6);
    const auto holding = replay_absolute(processes, 1e6, request_of(1.05, 1));
    check_each(holding, decision::holds, 10);
    CHECK(holding[0].milliseconds > 450);  // ten of twenty blocks over a second
    CHECK(holding[0].milliseconds < 550);
    check_each(replay_absolute(processes, 1e6, request_of(1.05, 1.1)), decision::violated, 20);

    replay_request at_once = request_of(1.05, 1.1);
    at_once.again = second_stage::at_once;
    check_each(replay_absolute(processes, 1e6, at_once), decision::violated, 20);
}

TEST_CASE("replay_absolute repeats in another process, or at once in the same", "[calibration][unit]") {
    const std::vector<recorded_process> processes{recorded_process(3000, 1e6), recorded_process(3000, 1.2e6)};
    replay_request request = request_of(1.1, 1);  // one process is fast enough, the other is not
    request.replays = 40;
    for (const run_result& run : replay_absolute(processes, 1e6, request)) CHECK(run.confirmed != decision::violated);
    request.again = second_stage::at_once;
    for (const run_result& run : replay_absolute(processes, 1e6, request)) CHECK(run.confirmed == run.first_stage);
}

TEST_CASE("replay_percentile_paired sees a slower tail, not the middle", "[calibration][unit]") {
    recorded_process slots;
    for (int i = 0; i < 4000; ++i) slots.push_back(1e6 + 1e3 * (i % 97));
    replay_request request = request_of(1.2, 3);
    request.inject_share = 0.03;
    request.budget_pairs = 2000;
    for (const run_result& run : replay_percentile_paired(recorded_slots({slots}, request), request)) {
        CHECK(run.confirmed == decision::violated);
        CHECK(run.units > 400);  // two stages, whose first 200 pairs set the limit
    }
    request.bound = 0.95;
    for (const run_result& run : replay_paired(recorded_slots({slots}, request), request))
        CHECK(run.confirmed == decision::holds);
}

TEST_CASE("replay_percentile takes blocks of a hundred calls over the budget", "[calibration][unit]") {
    recorded_process calls;
    for (int i = 0; i < 20000; ++i) calls.push_back(i % 25 == 0 ? 3e5 : 1e5);  // four slow ones a block
    const std::vector<recorded_process> processes{calls};
    CHECK(percentile_reference_of(processes, 0.99) == 3e5);
    CHECK(percentile_reference_of(processes, 0.95) == 1e5);
    const auto holding = replay_percentile(processes, 3e5, request_of(1.2, 1));
    check_each(holding, decision::holds, 10);
    CHECK(holding[0].milliseconds > 450);  // nine distances of 50 ms and a block
    CHECK(holding[0].milliseconds < 470);
    check_each(replay_percentile(processes, 3e5, request_of(1.2, 1.3)), decision::violated, 20);
}

TEST_CASE("replays of percentiles calibrate as perfspec does", "[calibration][unit]") {
    const std::vector<recorded_process> steady{recorded_process(20000, 1e5)};
    replay_request request = request_of(1.2, 1);
    request.budget_pairs = 1000;
    // First calls, three timed and three untimed calls of each side: 14; then pairs that never differ.
    for (const run_result& run : replay_percentile_paired(recorded_slots(steady, request), request)) {
        CHECK(run.units == 1000);
        CHECK_THAT(run.milliseconds, WithinAbs(201.4, 1e-9));
    }
    // Of 20 us the untimed calls are five a time, and five in a row check for lost calls: 48, and none between the
    // pairs.
    const auto brief = replay_percentile_paired(recorded_slots({recorded_process(4000, 2e4)}, request), request);
    CHECK_THAT(brief[0].milliseconds, WithinAbs(40.96, 1e-9));
    // Seven calls of one side, then blocks of a hundred, twenty of them in the rest of the second.
    const auto blocks = replay_percentile(steady, 1e5, request);
    check_each(blocks, decision::holds, 10);
    CHECK_THAT(blocks[0].milliseconds, WithinAbs(0.7 + 9 * 999.3 / 20 + 10, 0.2));
    request.level = 0.995;
    CHECK_THAT(replay_percentile(steady, 1e5, request)[0].milliseconds, WithinAbs(0.7 + 9 * 999.3 / 20 + 20, 0.2));
}

TEST_CASE("replays of percentiles refuse calls too short for the clock", "[calibration][unit]") {
    const std::vector<recorded_process> short_calls{recorded_process(2'000'000, 900)};
    const replay_request request = request_of(1.2, 1);
    CHECK_THROWS_MATCHES(replay_percentile(short_calls, 900, request), perfspec::measurement_failure,
                         MessageMatches(ContainsSubstring("too short for a percentile")));
    CHECK_THROWS_MATCHES(replay_percentile_paired(recorded_slots(short_calls, request), request),
                         perfspec::measurement_failure,
                         MessageMatches(ContainsSubstring("too short for a percentile")));
}

TEST_CASE("replay_stored draws without replacement and compares by ranks", "[calibration][unit]") {
    const auto same = processes(std::vector<double>(30, 1e6));
    check_each(replay_stored(same, request_of(1.05, 1)), decision::holds, 2);
    check_each(replay_stored(same, request_of(1.05, 1.1)), decision::violated, 5);

    std::vector<double> rising;
    for (int i = 0; i < 30; ++i) rising.push_back(1e6 + 1e5 * i);
    replay_request in_a_row = request_of(1, 1);
    in_a_row.order = pair_order::one_coin;  // the last twenty are slower than the ten before them
    check_each(replay_stored(processes(rising), in_a_row), decision::violated, 5);
}

TEST_CASE("replay_stored can mistake samples of one process for processes", "[calibration][unit]") {
    recorded_baselines two;
    for (const double m : {1e6, 2e6}) two.push_back({m, std::vector<double>(20, m)});
    replay_request request = request_of(1.05, 1);
    request.unit = process_unit::sample;
    request.replays = 40;
    std::size_t violated = 0;
    for (const run_result& run : replay_stored(two, request)) violated += run.confirmed == decision::violated ? 1 : 0;
    CHECK(violated > 5);  // the faster process is stored in half of the runs
    CHECK(violated < 35);
}

TEST_CASE("replays refuse recordings that are too short", "[calibration][unit]") {
    CHECK_THROWS_MATCHES(recorded_slots({recorded_process(19, 1e6)}, {}), input_error,
                         Message("a recording: found 19 samples, needs at least 20 for a first look"));
    CHECK_THROWS_MATCHES(replay_absolute({recorded_process(1249, 1e6)}, 1e6, {}), input_error,
                         Message("a recording lasts 1249 ms, needs 1250: five fourths of the budget"));
    CHECK_THROWS_MATCHES(replay_stored(processes(std::vector<double>(29, 1e6)), {}), input_error,
                         Message("a recording: found 29 processes, needs at least 30"));
}
