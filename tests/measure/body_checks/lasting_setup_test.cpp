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

perfspec::subject_calibration calibrated_setup(const costs& c, const measuring_settings& settings = {}) {
    stepped_clock time;
    bool is_used_up = false;
    const auto set_up = [&] {
        time.advance(c.setup);
        is_used_up = false;
        return 0;
    };
    const auto call = [&](int&) { time.advance(std::exchange(is_used_up, true) ? c.later_calls : c.first_call); };
    return perfspec::calibrate_calls({"find", perfspec::setup(set_up), call}, settings, {time, time});
}

/// How its calibration fails; nothing if it does not.
std::optional<perfspec::measurement_failure> failure_of_setup(const costs& c, const measuring_settings& settings = {}) {
    try {
        static_cast<void>(calibrated_setup(c, settings));
    } catch (const perfspec::measurement_failure& failure) { return failure; }
    return {};
}

}  // namespace

TEST_CASE("a body with a setup has one input a sample if the clock can measure its call", "[measure][unit]") {
    for (const costs& c :
         {costs{100ns, 1us, 50ns}, costs{100ns, 30us, 1us}, costs{100ns, 30us, 30us}, costs{100ns, 15us, 30us}}) {
        const perfspec::subject_calibration found = calibrated_setup(c);
        CHECK(found.call_ns == static_cast<double>(c.first_call.count()));
        CHECK(found.iterations == 1);
        CHECK(found.most_iterations == 1);
    }
    CHECK(calibrated_setup({100ns, 600ns, 600ns}).iterations == 167);
}

TEST_CASE("a pair keeps one input a sample", "[measure][unit]") {
    perfspec::subject_calibration emptied{1000.0, 0.0, 1, 1}, other{1000.0, 0.0, 100};
    perfspec::equalize(emptied, other);
    CHECK(emptied.iterations == 1);
    CHECK(other.iterations == 100);
    perfspec::equalize_lengths(emptied, other);
    CHECK(emptied.iterations == 1);
    CHECK(other.iterations == 100);
}

TEST_CASE("a setup with an effect is refused if samples cannot be of one input", "[measure][unit]") {
    measuring_settings requested;
    requested.iterations = 10;
    for (const auto& failure :
         {failure_of_setup({100ns, 600ns, 20ns}), failure_of_setup({100ns, 1us, 50ns}, requested)}) {
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
    CHECK_RECORDED(failure_of([&] { static_cast<void>(perfspec::calibrate_calls(x, {}, {time, time})); }).what());
}
