// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A clock that loading and calls advance.
struct acted_start {
    struct manual_clock final : clock {
        std::int64_t at{};
        [[nodiscard]] std::int64_t now() override { return at; }
    } wall;
    int loaded{};
    int called{};

    /// A subject whose calls take these times; later calls take the last one.
    [[nodiscard]] subject made(std::vector<int> calls_ms) {
        return subject("model",
                       [this, calls_ms = std::move(calls_ms)] {
                           const auto n = static_cast<std::size_t>(called++);
                           wall.at += 1'000'000LL * calls_ms[std::min(n, calls_ms.size() - 1)];
                       })
            .load([this] { ++loaded, wall.at += 500'000'000; });
    }
};

}  // namespace

TEST_CASE("a load is timed once, before the body runs", "[measure][unit]") {
    acted_start start;
    const subject model = start.made({30, 20});
    CHECK(time_load(model, start.wall) == 5e8);
    CHECK(start.called == 0);
    CHECK_THROWS_RECORDED(measurement_failure, time_load(model, start.wall));
    CHECK(start.loaded == 1);
}

TEST_CASE("a subject without a load says how to declare one", "[measure][unit]") {
    acted_start start;
    const subject plain("plain", [] {});
    CHECK_THROWS_RECORDED(measurement_failure, time_load(plain, start.wall));
}

TEST_CASE("a first call is timed after the load, which is not part of it", "[measure][unit]") {
    acted_start start;
    const subject model = start.made({30, 20});
    CHECK(time_first_call(model, start.wall) == 3e7);
    CHECK(start.loaded == 1);
}

TEST_CASE("every measurement loads first, once in a process, and outside of the time", "[measure][unit]") {
    acted_start start;
    const subject model = start.made({30, 20});
    CHECK(take_sample(model, 1, warm_call::no, start.wall).elapsed_ns == 30'000'000);
    run_untimed(model, 1);
    CHECK(start.loaded == 1);
}

TEST_CASE("a subject that is refused is neither measured nor loaded", "[measure][unit]") {
    acted_start start;
    auto model = start.made({30, 20});
    model.state().error_reason = "a byte is wrong";
    CHECK_THROWS_RECORDED(measurement_failure, time_load(model, start.wall));
    CHECK_THROWS_RECORDED(measurement_failure, run_untimed(model, 1));
    CHECK(start.loaded == 0);
}

TEST_CASE("a load that throws makes the claim an error, and is tried again", "[measure][unit]") {
    bool broken = true;
    const auto model = subject("model", [] {}).load([&] {
        if (broken) throw std::runtime_error("no such file");
    });
    CHECK_THROWS_RECORDED(measurement_failure, run_untimed(model, 1));
    broken = false;
    CHECK_NOTHROW(run_untimed(model, 1));
}

TEST_CASE("a cold start is loading and the calls until one is steady", "[measure][unit]") {
    acted_start start;
    const cold_start_times cold = time_cold_start(start.made({300, 150, 40, 22, 20}), start.wall);
    CHECK(cold.load_ns == 5e8);
    CHECK(cold.calls_ns.size() == 11);
    CHECK(cold.steady_ns == 2e7);
    CHECK(cold.calls_until_steady() == 3);  // 22 ms is steady: within a tenth of 20 ms
    CHECK(cold.total_ns() == 5e8 + 3e8 + 1.5e8 + 4e7);
}

TEST_CASE("a cold start is steady as the later half of its calls is", "[measure][unit]") {
    acted_start start;
    const cold_start_times cold = time_cold_start(start.made({300, 150, 100, 90, 80, 70, 60, 20}), start.wall);
    CHECK(cold.calls_ns.size() == 11);
    CHECK(cold.steady_ns == 2e7);
    CHECK(cold.calls_until_steady() == 7);
}

TEST_CASE("a cold start of a body that is steady at once is loading and the first call", "[measure][unit]") {
    acted_start start;
    const cold_start_times cold = time_cold_start(start.made({20}), start.wall);
    CHECK(cold.calls_until_steady() == 1);
    CHECK(cold.total_ns() == 5e8 + 2e7);
}

TEST_CASE("a cold start calls a short body for a tenth of a second, and a long one three times", "[measure][unit]") {
    acted_start brief;
    CHECK(time_cold_start(brief.made({1}), brief.wall).calls_ns.size() == 100);
    acted_start lengthy;
    CHECK(time_cold_start(lengthy.made({6000}), lengthy.wall).calls_ns.size() == 3);
}

TEST_CASE("time outside of the calls of a cold start counts for their end", "[measure][unit]") {
    acted_start start;
    const subject x("short", setup([&] { return start.wall.at += 49'000'000; }),
                    [&](std::int64_t&) { start.wall.at += 1'000'000; });
    CHECK(time_cold_start(x, start.wall).calls_ns == std::vector<double>(20, 1e6));
}

}  // namespace perfspec
