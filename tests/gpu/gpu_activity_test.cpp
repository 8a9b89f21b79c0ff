// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/cuda_driver.hpp>

#include <support/test.hpp>

#include <unistd.h>

namespace perfspec::detail {
namespace {

using strings = std::vector<std::string>;

kin kin_by_number(unsigned pid) { return pid < 10 ? kin::own : pid < 100 ? kin::stranger : kin::unseen; }

constexpr std::uint64_t bit(slow_clock reason) { return static_cast<std::uint64_t>(reason); }

gpu_state running(std::uint64_t reasons = 0) {
    return {.sm_mhz = 990, .max_sm_mhz = 1980, .celsius = 89, .watts = 350.0, .watts_limit = 400.0, .reasons = reasons};
}

device_activity between(const gpu_state& before, const gpu_state& after) {
    return activity_between("cuda:1", before, after, kin_by_number);
}

/// The value of a fact; 0 if there is none.
double fact(const device_activity& activity, const std::string& name) {
    for (const auto& [known, value] : activity.facts)
        if (known == name) return std::stod(value);
    return 0.0;
}

nvml_violation slowed(std::uint64_t milliseconds, std::uint64_t until_seconds) {
    return {.until_microseconds = until_seconds * 1'000'000, .nanoseconds = milliseconds * 1'000'000};
}

/// A process, and its share of the multiprocessors in percent.
nvml_use use(unsigned pid, unsigned share) { return {.pid = pid, .microseconds = 1, .multiprocessors = share}; }

}  // namespace

TEST_CASE("use_by_others counts the processes that are not of this program", "[cuda][unit]") {
    struct row {
        std::vector<nvml_use> uses;
        foreign_use expected;
    };
    const auto [uses, expected] = GENERATE(Catch::Generators::values<row>({
        {{}, {0, 0.0}},
        {{use(1, 90)}, {0, 0.0}},
        {{use(1, 90), use(2, 10)}, {0, 0.0}},
        {{use(1, 90), use(50, 25)}, {1, 0.25}},
        {{use(50, 25), use(50, 10), use(51, 0)}, {1, 0.25}},  // this program did not compute yet
        {{use(1, 40), use(50, 80), use(51, 60)}, {2, 1.0}},
        {{use(100, 90)}, {0, 0.0}},                // this program, by its number outside the container
        {{use(101, 20), use(100, 90)}, {1, 0.2}},  // it is the busier one
        {{use(1, 90), use(100, 20)}, {1, 0.2}},    // it is in the list itself, so that the unknown one is another
        {{use(50, 10), use(100, 90)}, {1, 0.1}},
    }));
    CHECK(use_by_others(uses, kin_by_number) == expected);
}

TEST_CASE("activity_between reports the clock, heat and power at the end", "[cuda][unit]") {
    gpu_state before = running();
    before.celsius = 40;
    CHECK(between(before, running()) == device_activity{.device = "cuda:1",
                                                        .facts = {{"sm_mhz", "990"},
                                                                  {"max_sm_mhz", "1980"},
                                                                  {"celsius", "89"},
                                                                  {"watts", "350"},
                                                                  {"watts_limit", "400"}}});
    CHECK(between({}, {}) == device_activity{.device = "cuda:1"});
}

TEST_CASE("activity_between names what reduced the clock at either reading", "[cuda][unit]") {
    struct row {
        std::uint64_t reasons;
        strings expected;
        double slowdown;
    };
    const auto [reasons, expected, slowdown] = GENERATE(Catch::Generators::values<row>({
        {0, {}, 1.0},
        {bit(slow_clock::idle), {}, 1.0},
        {bit(slow_clock::set_by_hand), {}, 1.0},
        {bit(slow_clock::heat), {"heat"}, 2.0},
        {bit(slow_clock::heat_of_hardware) | bit(slow_clock::hardware), {"heat"}, 2.0},
        {bit(slow_clock::power_brake) | bit(slow_clock::hardware), {"power brake"}, 2.0},
        {bit(slow_clock::hardware), {"hardware"}, 2.0},
        {bit(slow_clock::power_limit), {"power limit"}, 1.0},  // the work itself does that, in every run
        {bit(slow_clock::power_limit) | bit(slow_clock::heat), {"heat", "power limit"}, 2.0},
        {bit(slow_clock::sync_boost), {"sync boost"}, 2.0},
    }));
    CAPTURE(reasons);
    CHECK(reasons_of_slowness(running(), running(reasons)) == expected);
    CHECK(between(running(), running(reasons)).slowdown == slowdown);
    CHECK(reasons_of_slowness(running(reasons), running()) == expected);
}

TEST_CASE("activity_between computes the slowdown of the GPU from the clock at the end, else two", "[cuda][unit]") {
    struct row {
        std::uint64_t reasons;
        unsigned sm_mhz;
        double slowdown;
    };
    const auto [reasons, sm_mhz, slowdown] = GENERATE(Catch::Generators::values<row>({
        {bit(slow_clock::heat), 1800, 1.1},
        {bit(slow_clock::heat), 495, 4.0},
        {bit(slow_clock::heat), 2000, 1.0},                         // above what it says that it can
        {bit(slow_clock::heat) | bit(slow_clock::idle), 210, 2.0},  // an idle clock is no evidence
        {bit(slow_clock::heat), 0, 2.0},
    }));
    CAPTURE(reasons, sm_mhz);
    gpu_state after = running(reasons);
    after.sm_mhz = sm_mhz;
    CHECK(between(running(), after).slowdown == slowdown);
    CHECK(between(running(bit(slow_clock::heat)), running()).slowdown == 2.0);  // it has let go of the clock
}

TEST_CASE("activity_between counts how long heat and power held the GPU back, from a hundredth of the time on",
          "[cuda][unit]") {
    struct row {
        std::uint64_t milliseconds;
        bool counts;
    };
    const auto [milliseconds, counts] =
        GENERATE(Catch::Generators::values<row>({{0, false}, {19, false}, {20, true}, {1500, true}}));
    CAPTURE(milliseconds);
    gpu_state before = running(), hot = running(), capped = running();
    before.by_heat = before.by_power = slowed(500, 10);
    hot.by_power = capped.by_heat = slowed(500, 12);
    hot.by_heat = capped.by_power = slowed(500 + milliseconds, 12);
    CHECK(fact(between(before, hot), "heat_seconds") == static_cast<double>(milliseconds) / 1e3);
    CHECK(reasons_of_slowness(before, hot) == (counts ? strings{"heat"} : strings{}));
    CHECK(between(before, hot).slowdown == (counts ? 2.0 : 1.0));
    CHECK(fact(between(before, capped), "power_seconds") == static_cast<double>(milliseconds) / 1e3);
    CHECK(reasons_of_slowness(before, capped) == (counts ? strings{"power limit"} : strings{}));
    CHECK(between(before, capped).slowdown == 1.0);
}

TEST_CASE("a count of time that is missing, went backwards or has no clock is no time that nothing happened",
          "[cuda][unit]") {
    gpu_state before = running(), after = running();
    after.by_heat = slowed(500, 12);
    CHECK(reasons_of_slowness(before, after).empty());  // since the driver was loaded, not since the claim began
    before.by_heat = slowed(900, 10);
    CHECK(fact(between(before, after), "heat_seconds") == 0.0);
    before.by_heat = slowed(100, 12);  // a clock that stands still
    CHECK(reasons_of_slowness(before, after) == strings{"heat"});
}

TEST_CASE("activity_between takes others for as much of the GPU as they used, and at most their turns",
          "[cuda][unit]") {
    struct row {
        std::vector<nvml_use> uses;
        std::size_t others;
        double slowdown;
    };
    const auto [uses, others, slowdown] = GENERATE(Catch::Generators::values<row>({
        {{use(1, 95)}, 0, 1.0},
        {{use(1, 95), use(50, 20)}, 1, 1.25},
        {{use(1, 95), use(50, 75)}, 1, 2.0},
        {{use(1, 95), use(50, 100)}, 1, 2.0},
        {{use(1, 95), use(50, 100), use(51, 100)}, 2, 3.0},
    }));
    gpu_state after = running();
    after.uses = uses;
    CHECK(between(running(), after).others == others);
    CHECK(between(running(), after).slowdown == slowdown);
    after.reasons = bit(slow_clock::heat);
    CHECK(between(running(), after).slowdown == 2.0 * slowdown);
}

TEST_CASE("activity_between says what slowed a GPU down and who else used it", "[cuda][unit]") {
    gpu_state after = running();
    CHECK(between(running(), after).text.empty());
    after.uses = {use(1, 90), use(50, 1), use(51, 1)};
    CHECK(between(running(), after).text == "cuda:1 used by 2 other processes");
    after.reasons = bit(slow_clock::heat) | bit(slow_clock::power_limit);
    testing::check_recorded("2", between(running(), after).text);
    CHECK(between({}, {.reasons = bit(slow_clock::hardware)}).text == "cuda:1 slowed down by hardware");
}

namespace {

/// 1 starts 2 and 3, 2 starts 20 (a test), which starts 200 (its worker). 90 and 91 are each other's parent, which no
/// system has.
std::optional<unsigned> scripted_parent_of(unsigned pid) {
    switch (pid) {
    case 1: return 0U;
    case 2:
    case 3: return 1U;
    case 20: return 2U;
    case 200: return 20U;
    case 90: return 91U;
    case 91: return 90U;
    default: return {};
    }
}

kin of(unsigned pid) { return kin_of_process(pid, 20, scripted_parent_of); }

}  // namespace

TEST_CASE("a process's own are those that it descends from and those that descend from it", "[cuda][unit]") {
    CHECK(of(20) == kin::own);
    CHECK(of(200) == kin::own);
    CHECK(of(2) == kin::own);
    CHECK(of(1) == kin::own);
    CHECK(of(3) == kin::stranger);
    CHECK(of(4711) == kin::unseen);
    CHECK(of(90) == kin::stranger);  // and the search ends
}

TEST_CASE("the kernel reports the parent of this process, and none of a process that is not there", "[cuda][unit]") {
    CHECK(parent_of_process(static_cast<unsigned>(getpid())) == static_cast<unsigned>(getppid()));
    CHECK_FALSE(parent_of_process(4'294'967'295U));
    CHECK(kin_of_this_process(static_cast<unsigned>(getpid())) == kin::own);
    CHECK(kin_of_this_process(4'294'967'295U) == kin::unseen);
}

}  // namespace perfspec::detail
