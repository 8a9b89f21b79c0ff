// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "measure/calibrated.hpp"

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>

#include <support/test.hpp>

#include <chrono>

using namespace perfspec::testing;
using perfspec::failure_kind;
using perfspec::measuring_settings;
using std::chrono::nanoseconds;

namespace {

/// What a body with a setup does, and how long it takes.
struct costs {
    nanoseconds setup{};
    nanoseconds first_call{};   ///< after a setup
    nanoseconds later_calls{};  ///< after another call
};

/// How its calibration fails; nothing if it does not.
std::optional<perfspec::measurement_failure> failure_of_setup(const costs& c, const measuring_settings& settings = {}) {
    stepped_clock time;
    bool is_used_up = false;
    const auto set_up = [&] {
        time.advance(c.setup);
        is_used_up = false;
        return 0;
    };
    const auto call = [&](int&) { time.advance(std::exchange(is_used_up, true) ? c.later_calls : c.first_call); };
    const perfspec::subject x("find", perfspec::setup(set_up), call);
    try {
        static_cast<void>(perfspec::calibrate_calls(x, settings, {time, time}));
    } catch (const perfspec::measurement_failure& failure) { return failure; }
    return {};
}

}  // namespace

TEST_CASE("a setup with an effect that the first call uses up is refused", "[measure][unit]") {
    for (const costs& c : {costs{100ns, 1us, 50ns}, costs{100ns, 600ns, 20ns}, costs{100ns, 30us, 1us}}) {
        const auto failure = failure_of_setup(c);
        REQUIRE(failure);
        CHECK(failure->kind == failure_kind::refused);
        CHECK_THAT(failure->what(), Catch::Matchers::StartsWith("\"find\" takes "));
    }
}

TEST_CASE("a setup is not refused if calls in a batch take a third of its call alone", "[measure][unit]") {
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 20us, .later_calls = 20us}));
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 20us, .later_calls = 6us}));
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 1us, .later_calls = 8us}));
}

TEST_CASE("a setup is not refused for what the clock or emptied caches may explain", "[measure][unit]") {
    measuring_settings slow_clock;
    slow_clock.metric_clock.cost_ns = 100.0;
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 1us, .later_calls = 50ns}, slow_clock));
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 500ns, .later_calls = 20ns}));
    CHECK_FALSE(failure_of_setup({.setup = 3us, .first_call = 2us, .later_calls = 100ns}));
}

TEST_CASE("a setup with an effect is measured by one input a sample", "[measure][unit]") {
    measuring_settings one;
    one.iterations = 1;
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 20us, .later_calls = 50ns}, one));
    CHECK_FALSE(failure_of_setup({.setup = 100ns, .first_call = 1us, .later_calls = 50ns}, single_iterations()));
}

TEST_CASE("with one requested iteration a body never meets the input of a later call", "[measure][unit]") {
    measuring_settings one;
    one.iterations = 1;
    stepped_clock time;
    int inputs = 0;
    const perfspec::subject x("read", perfspec::setup([&] { return ++inputs; }), [&](int& input) {
        if (input != inputs) throw std::runtime_error("there is no file");
        time.advance(900ns);
    });
    CHECK(perfspec::calibrate_calls(x, one, {time, time}).call_ns == 900.0);
    CHECK_THAT(failure_of([&] {
                   static_cast<void>(perfspec::calibrate_calls(x, {}, {time, time}));
               }).what(),
               Catch::Matchers::EndsWith("write iterations(1)"));
}
