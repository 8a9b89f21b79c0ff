// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/literals.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinRel;

bool has_one_layout(const child_command& command) { return command.addresses == address_space::fixed; }

/// Processes that measure about this value: with drawn layouts 2 % more and less by turns, with one layout a tenth of that.
std::function<child_end(const child_command&)> moved_by_layouts(double value, double by = 0.02) {
    return [=, taken = std::array{0, 0}](const child_command& command) mutable {
        const int n = ++taken[has_one_layout(command) ? 0 : 1];
        const double side = n % 2 == 0 ? 1.0 : -1.0;
        const double moved = (has_one_layout(command) ? by / 10.0 : by) * (1.0 + 0.01 * (n % 7));
        return launch_of(value * std::exp(side * moved));
    };
}

struct program_of_layouts : stored_program {
    explicit program_of_layouts(std::function<child_end(const child_command&)> children) : stored_program(std::move(children)) {
        variables["PERFSPEC_LAYOUT"] = "10";
    }

    [[nodiscard]] auto commands_with_one_layout() const { return std::ranges::count_if(launcher.commands(), has_one_layout); }
};

}  // namespace

TEST_CASE("layout judges a ratio over processes with drawn layouts, and takes as many with one", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.launches == 10);
    CHECK(program.launcher.commands().size() == 20);
    CHECK(program.commands_with_one_layout() == 10);
    const layout_effect e = r.layout.value();
    CHECK(e.processes == 10);
    CHECK(e.is_seen);
    CHECK(e.moves > 0.04);
    CHECK(e.moves < 0.08);
    CHECK_THAT(e.seconds, WithinRel(20 * 0.25, 1e-12));
    CHECK_THAT(r.evidence.seconds, WithinRel(10 * 0.25, 1e-12));
}

TEST_CASE("layout pads the variables of processes with drawn layouts alone", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    static_cast<void>(program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5));
    for (const child_command& command : program.launcher.commands()) {
        const std::string padding = scripted_environment::of(command.environment).get("PERFSPEC_PADDING").value_or("");
        CHECK(padding == (has_one_layout(command) ? "" : "xxxxxxx"));  // the scripted draw is 7
    }
}

TEST_CASE("layout leaves fresh processes as they come where it is not asked for", "[run][unit]") {
    stored_program program(moved_by_layouts(2.0));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5, {launches(7)});
    CHECK_FALSE(r.layout);
    CHECK(program.given_to_child(0, "PERFSPEC_PADDING") == "<none>");
    CHECK_FALSE(has_one_layout(program.launcher.commands().front()));
}

TEST_CASE("layout says of a violation that layouts may have made it", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 2.06);
    CHECK(r.verdict == verdict::violated);
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice.front(), StartsWith("layouts move it by up to ") && ContainsSubstring("the layout may explain the change"));
}

TEST_CASE("layout says nothing of a violation that no layout makes", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 2.5);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.advice.empty());
}

TEST_CASE("layout notes of a claim that holds that another build may be beyond its bound", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.94);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.notes.size() == 2);
    CHECK_THAT(r.notes.front(), StartsWith("layout: moves it by up to ") && ContainsSubstring("10 with drawn layouts spread by"));
    CHECK_THAT(r.notes.back(), ContainsSubstring("another build of the same code may be beyond"));
}

TEST_CASE("layout judges stored launches by fresh ones with drawn layouts", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(1e6));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.5 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.launches == 2);
    CHECK(r.layout.value().is_seen);
    CHECK(program.launcher.commands().size() == 20);
}

TEST_CASE("layout tells of a time against a number what processes say, and judges it as ever", "[run][unit]") {
    program_of_layouts program([](const child_command& command) {
        return scripted_run::request_in(command).task == child_task::launch ? launch_of(1e6) : confirms(verdict::violated);
    });
    const record r = program.evaluate(latency(program.takes("a", 1ms)) < 2ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(program.bodies_run > 0);
    CHECK_FALSE(r.layout.value().is_seen);
    CHECK(r.layout.value().moves == 0.0);
}

TEST_CASE("layout leaves alone what gives no one value of a time", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(1e6));
    const written recorded{.effect = effect::record};
    const record several =
        program.evaluate(compare(program.takes("a", 1ms), program.takes("b", 1ms), program.takes("c", 1ms)), {}, recorded);
    CHECK(several.verdict == verdict::holds);
    CHECK_FALSE(several.layout);
    const record memory = program.evaluate(peak_memory(program.takes("d", 1ms)) < 80_MB);
    CHECK_FALSE(memory.layout);
    CHECK(program.commands_with_one_layout() == 0);
}

TEST_CASE("layout records no baselines", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(1e6));
    const record first = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(first.verdict == verdict::not_judged);
    CHECK_THAT(first.reason, ContainsSubstring("run once without it"));
    CHECK(program.launcher.commands().empty());
    program_of_layouts updating(moved_by_layouts(1e6));
    updating.variables["PERFSPEC_UPDATE_BASELINES"] = "all";
    const record update = updating.evaluate(latency(updating.sort) < 1.05 * baseline());
    CHECK(update.verdict == verdict::invalid);
    CHECK_THAT(update.reason, ContainsSubstring("update baselines without it"));
    CHECK(updating.launcher.commands().empty());
}

TEST_CASE("layout draws among the link orders that lie beside the program", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    for (const char* const name : {"sort_test", "sort_test.layout1", "sort_test.layout2", "sort_test.layouts", "sort_test_layout3",
                                   "sort_test.layout", "sort_test.layout10", "sort_test.layout0", "sort_test.layout4/note"})
        program.files.put(std::string("/build/") + name, "");
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5);
    CHECK(r.layout.value().builds == 3);
}

TEST_CASE("layout refuses a link order that is older than the program", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    program.files.put("/build/sort_test.layout1", "");
    program.files.make_older("/build/sort_test.layout1");
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5);
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.failed);
    CHECK_THAT(r.reason, ContainsSubstring("build the target sort_test_layouts"));
}

TEST_CASE("layout compares the nearer end of a tolerance with what layouts move", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    const subject a = program.takes("a", 1ms);
    const subject b = program.takes("b", 1ms);
    CHECK(program.evaluate(speedup(a, b) == within(2.0, 0.5)).notes.size() == 1);  // no layout moves it to 1.5 or 2.5
    const record near = program.evaluate(speedup(a, b) == within(1.9, 0.04));
    CHECK(near.verdict == verdict::violated);
    REQUIRE(!near.advice.empty());
    CHECK_THAT(near.advice.back(), StartsWith("layouts move it by up to "));
}

TEST_CASE("layout leaves counts alone, which may be 0, and lets their baselines be recorded", "[run][unit]") {
    program_of_layouts program(and_so_on({launch_of(0.0)}));
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK_FALSE(r.layout);
    CHECK(program.commands_with_one_layout() == 0);
}

TEST_CASE("layout is invalid where its processes take longer than the claim may", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));  // each takes a quarter of a second
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5, {cap(3s), budget(1s)});
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, StartsWith("too slow for the cap of 3 s: 20 processes need about 5 s; allow more with --perf-cap=6s"));
    CHECK(program.launcher.commands().size() == 2);
}

TEST_CASE("layout is invalid on a system without random addresses", "[run][unit]") {
    program_of_layouts program(moved_by_layouts(2.0));
    program.files.put("/proc/sys/kernel/randomize_va_space", "0\n");
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("kernel.randomize_va_space"));
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("layout is invalid where the system keeps addresses random", "[run][unit]") {
    program_of_layouts program([](const child_command& command) {
        if (!has_one_layout(command)) return launch_of(2.0);
        return child_end{.how = child_outcome::not_started, .code = 1, .last_words = "\"/build/sort_test\": Operation not permitted"};
    });
    const record r = program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("Operation not permitted"));
}

}  // namespace perfspec
