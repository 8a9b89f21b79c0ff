// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>

#include "acted_subject.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

template <class F> bool is_too_slow(F calibrate) {
    try {
        static_cast<void>(calibrate());
    } catch (const measurement_failure& f) { return f.kind == failure_kind::too_slow; }
    return false;
}

}  // namespace

TEST_CASE("given iterations that do not fit into the budget are refused before they are run", "[measure][unit]") {
    measuring_settings settings;
    settings.budget = 1s;
    settings.limit = budget_kind::hard;
    settings.iterations = 100'000;
    stepped_clock time;
    role r{.time = &time, .call = 100us};
    const auto x = acted("x", r);
    CHECK(is_too_slow([&] { return calibrate_blocks(x, settings, {time, time}); }));
    CHECK(is_too_slow([&] { return calibrate_pair(x, x, settings, {time, time}); }));
    CHECK(std::ranges::find(r.log, "run 100000") == r.log.end());
}

}  // namespace perfspec
