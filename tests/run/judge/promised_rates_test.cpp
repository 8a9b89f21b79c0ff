// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A rate of false failures is reported only where it is promised.
#include "../stored_program.hpp"

#include <perfspec/language/growth.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/console/console.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

struct judged_program : stored_program {
    using stored_program::stored_program;

    subject a = takes("a", 1ms);
    subject b = takes("b", 1ms);

    bool promises_a_rate(const detail::expression& claim, const std::vector<option>& options = {}) {
        const record r = evaluate(claim, options);
        REQUIRE((r.verdict == verdict::holds || r.verdict == verdict::violated));
        return !r.evidence.approximate;
    }
};

}  // namespace

TEST_CASE("a rate is promised for pairs in random order, and none for the time of one subject", "[run][unit]") {
    judged_program p;
    CHECK(p.promises_a_rate(speedup(p.a, p.b) > 0.5));
    CHECK_FALSE(p.promises_a_rate(latency(p.a) < 3ms));
    CHECK_FALSE(p.promises_a_rate(growth(setup([](std::size_t n) { return n; }),
                                         [&](std::size_t& n) { p.work(std::chrono::microseconds(n)); },
                                         {1000, 2000, 64000}) <= order::power(2)));
}

TEST_CASE("no rate is promised for launches without a coin", "[run][unit]") {
    judged_program p([](const child_command&) { return launch_of(5.0); });
    CHECK_FALSE(p.promises_a_rate(speedup(p.a, p.b) > 0.5, {launches(7)}));
    CHECK_FALSE(p.promises_a_rate(stability(p.a) < percent(7)));
    CHECK_FALSE(p.promises_a_rate(peak_memory(p.a) < MiB(1)));
    CHECK(p.promises_a_rate(peak_memory(p.a) < 2.0 * peak_memory(p.b)));  // a coin says which of the two starts first
}

TEST_CASE("the report gives a rate, or says that none is promised", "[run][unit]") {
    judged_program p;
    const auto report = [&](const detail::expression& claim) {
        return render_console(p.evaluate(claim, {confirm(off)}), {});
    };
    CHECK_THAT(report(speedup(p.a, p.b) > 2), ContainsSubstring("false-failure rate 0.001"));
    CHECK_THAT(report(latency(p.a) < 0.1ms), ContainsSubstring("no false-failure rate is promised at the bound"));
}

}  // namespace perfspec
