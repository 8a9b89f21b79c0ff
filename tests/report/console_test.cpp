// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <report/example_records.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

std::string shown(const record& r) { return render_console(r, {}); }

/// Where each text begins, in order of the texts; all must occur.
bool in_this_order(const std::string& whole, const std::vector<std::string>& parts) {
    std::size_t from = 0;
    for (const std::string& part : parts) {
        const auto at = whole.find(part, from);
        if (at == std::string::npos) {
            UNSCOPED_INFO("not found in its place: " << part);
            return false;
        }
        from = at + part.size();
    }
    return true;
}

std::size_t lines_of(const std::string& text) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("render_console tells a violated stored claim in the promised order", "[report][unit]") {
    const std::string text = shown(testing::stored_ratio());
    CHECK(in_this_order(
        text,
        {"vision_test.cpp:31: PERF_CHECK( speedup(model, inductor) > 0.97 * baseline() )  violated\n",
         "  9.2 % below the baseline: 1.290, was 1.420; at least 1.380 needed\n",
         "  measured   1.290 (1.270 .. 1.310)\n", "  bound      > 1.380 = 0.97 x 1.42, baseline of 10 launches,\n",
         "recorded 2026-11-18 at 3f2c1ab", "detects -2 % or more from\n             3 sessions; margin 0.5 %\n",
         "  evidence   4 fresh launches, 12.6 s;", "false-failure rate 0.0019", "  method     exact rank test",
         "stored", "now", "  disturbed  load 1.8 on 2 cores; 212 involuntary switches\n",
         "  differs    compiler: was g++ 12.2, is g++ 13.1\n",
         "  key        resnet50 inference / speedup(eager, inductor)\n",
         "  file       baselines/epyc-7763-2c/vision_test.json\n",
         "  again      ctest --test-dir build -R 'resnet50 inference'\n",
         "  accept     PERFSPEC_UPDATE_BASELINES=1 ctest"}));
}

TEST_CASE("render_console breaks no path, key or command, and every other line fits into a terminal",
          "[report][unit]") {
    record r = testing::every_field();
    r.key = std::string(100, 'k');
    r.baseline->file = std::string(100, 'f');
    r.commands = {{"again", std::string(100, 'c')}};
    r.file = "a.cpp";
    r.claim = "x < 1";
    std::istringstream lines(render_console(r, {}));
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        const bool is_whole = line.starts_with("  key ") || line.starts_with("  file ") || line.starts_with("  again ");
        CHECK((is_whole ? line.size() > 100 : detail::columns_of(line) <= 76));
    }
}

TEST_CASE("render_console leaves out place and claim, and what would be broken, where a framework prints them",
          "[report][unit]") {
    record r = testing::stored_ratio();
    r.key = std::string(64, 'k');
    const std::string text =
        render_console(r, {.commands = console_commands::left_out, .place = console_place::left_out});
    CHECK_THAT(text, Catch::Matchers::StartsWith("violated\n  9.2 % below the baseline: "));
    CHECK_THAT(text,
               !ContainsSubstring("kkk") && ContainsSubstring("  file       baselines/epyc-7763-2c/vision_test.json"));
}

TEST_CASE("render_console names on the line of a stored claim that holds what is not as it was recorded",
          "[report][unit]") {
    record r = testing::stored_ratio();
    r.verdict = verdict::holds;
    r.baseline->differences = {"compiler: was g++ 12.2, is g++ 13.1", "flags: was -O2, is -O3"};
    const std::string text = shown(r);
    CHECK(lines_of(text) == 3);
    CHECK_THAT(text, Catch::Matchers::EndsWith("12.6 s;\n  not as recorded: compiler, flags"));
    r.baseline->differences.clear();
    CHECK_THAT(shown(r), !ContainsSubstring("not as recorded"));
}

TEST_CASE("render_console tells a violated ratio with its interval, level and repetition", "[report][unit]") {
    const std::string text = shown(testing::violated_ratio());
    CHECK(
        in_this_order(text, {"  ours is 8.5 % slower than std::sort: speedup 0.9214,\n  at least 0.9500 needed\n",
                             "  measured   0.9214 (0.9102 .. 0.9318, 99 %)\n", "  bound      > 0.9500; margin 0.5 %\n",
                             "  evidence   34 rounds, repeated by 21 in a fresh process,\n",
                             "412 ms of a budget of 1 s; seed 4022487048;\n", "false-failure rate 0.001\n", "std::sort",
                             "ours", "  disturbed  30.0 ms stolen by the hypervisor; 12 page faults;\n",
                             "another perfspec process was measuring\n",
                             "  key        sort_test / sort / speedup(std::sort, ours)\n", "  again "}));
    CHECK_THAT(text, !ContainsSubstring("load") && !ContainsSubstring("accept") && !ContainsSubstring("reason"));
}

TEST_CASE("render_console lists all that disturbed the run", "[report][unit]") {
    CHECK_THAT(shown(testing::every_field()),
               ContainsSubstring("\n  disturbed  load 1.8 on 2 cores; 30.0 ms stolen by the hypervisor;\n"
                                 "             212 involuntary switches; 3 migrations between cores;\n"
                                 "             clock -25 % to 2450 MHz; 12 page faults;\n"
                                 "             cuda:0 slowed down by heat, 1100 of 1980 MHz, 89 degrees,\n"
                                 "             612 of 700 W, used by 1 other process;\n"
                                 "             another perfspec process was measuring\n"));
}

TEST_CASE("render_console draws the bound of an absolute claim on the axis of its samples", "[report][unit]") {
    CHECK_THAT(shown(testing::violated_time()), ContainsSubstring("      bound  |"));
    CHECK_THAT(shown(testing::violated_ratio()),
               !ContainsSubstring("      bound "));  // a ratio has no place among times
    CHECK_THAT(shown(testing::undecided_rate()), !ContainsSubstring("      bound "));  // nor has a rate
}

TEST_CASE("render_console gives reason and way out where nothing could be judged", "[report][unit]") {
    CHECK(in_this_order(shown(testing::invalid_body()),
                        {"PERF_REQUIRE( latency(parse) < 3ms )  invalid\n", "  reason ",
                         "\"parse\" threw std::runtime_error", "< 3.000 ms", "  again "}));
    CHECK(in_this_order(shown(testing::invalid_output()),
                        {"  invalid\n", "the outputs differ",
                         "  outputs    FAIL, max_abs_error 0.3\n    float32, tolerance 1e-4\n"
                         "    largest difference 0.3 at [0, 17]\n",
                         "  advice     correct the candidate"}));
    CHECK(in_this_order(shown(testing::undecided_rate()),
                        {"  undecided\n", "  0.2 % above the bound: 1.002 M items/s, at least 1.000 M items/s needed\n",
                         "  reason ", "do not show whether", "  advice     about 140 more blocks"}));
}

TEST_CASE("render_console gives a line or two to what needs no attention", "[report][unit]") {
    CHECK(shown(testing::holding_ratio()) == "sort_test.cpp:31: PERF_CHECK( speedup(standard, ours) > 0.9 )  holds\n"
                                             "  0.9214 (0.9102 .. 0.9318, 99 %), 57 rounds, 803 ms");
    CHECK(shown(testing::not_judged_build()) ==
          "vision_test.cpp:31: PERF_CHECK( latency(parse) < 3ms )  not judged\n"
          "  the file that asserts is compiled without optimisation: build with -O2\n"
          "  (CMAKE_BUILD_TYPE=Release)");
    CHECK(shown(testing::recorded_time()) == "vision_test.cpp:31: PERF_RECORD( latency(parse) )  recorded\n"
                                             "  3.212 ms (3.190 .. 3.240 ms, 99 %), 24 rounds, 1 s");
    record brief = testing::recorded_time();
    brief.file.clear();
    brief.claim = "x";
    brief.evidence.seconds = 0.0;
    CHECK(shown(brief) == "PERF_RECORD( x )  recorded   3.212 ms (3.190 .. 3.240 ms, 99 %), 24 rounds");
}

TEST_CASE("render_console shows notes of what holds, and of what does not before the advice", "[report][unit]") {
    record noted = testing::holding_ratio();
    noted.notes = {"work goes on",
                   "the time rises from the first call to the last one of all those that were made in a row"};
    CHECK_THAT(shown(noted), Catch::Matchers::EndsWith(
                                 "803 ms\n  note: work goes on\n"
                                 "  note: the time rises from the first call to the last one of all those that\n"
                                 "        were made in a row"));
    CHECK(render_console(noted, {.verbosity = console_verbosity::quiet}).empty());
    record undecided = testing::undecided_rate();
    undecided.notes = {"work goes on"};
    CHECK(in_this_order(shown(undecided), {"\n  note       work goes on", "\n  advice     about 140 more blocks"}));
}

TEST_CASE("render_console shows no method of an invalid claim for which nothing was measured", "[report][unit]") {
    record r = testing::invalid_body();
    r.evidence.method = "medians of blocks";
    r.disturbed.notes = {"the load is 4"};
    CHECK_THAT(shown(r), !ContainsSubstring("method") && !ContainsSubstring("disturbed"));
    r.evidence.rounds = 5;
    CHECK_THAT(shown(r),
               ContainsSubstring("\n  method     medians of blocks\n") && ContainsSubstring("\n  disturbed  "));
}

TEST_CASE("render_console is silent about what holds when quiet, and shows its block when verbose", "[report][unit]") {
    const console_style quiet{.verbosity = console_verbosity::quiet};
    CHECK(render_console(testing::holding_ratio(), quiet).empty());
    CHECK_FALSE(render_console(testing::not_judged_build(), quiet).empty());
    CHECK(render_console(testing::violated_ratio(), quiet) == shown(testing::violated_ratio()));
    const console_style verbose{.verbosity = console_verbosity::verbose};
    CHECK(in_this_order(render_console(testing::holding_ratio(), verbose),
                        {")  holds\n", "\n  measured ", "\n  bound ", "\n  evidence ", "\n  method ", "\n  key "}));
}

TEST_CASE("render_console says when a verdict has not its usual effect", "[report][unit]") {
    record warned = testing::violated_ratio();
    warned.failed = false;
    CHECK_THAT(shown(warned), ContainsSubstring(")  violated, only a warning\n"));
    record strict = testing::undecided_rate();
    strict.failed = true;
    CHECK_THAT(shown(strict), ContainsSubstring(")  undecided, which fails here\n"));
}

TEST_CASE("render_console colours the verdict alone, and only when asked", "[report][unit]") {
    struct row {
        record of;
        const char* word;
    };
    const auto r = GENERATE(values<row>({
        {testing::holding_ratio(), "\x1b[32mholds\x1b[0m"},
        {testing::violated_ratio(), "\x1b[31mviolated\x1b[0m"},
        {testing::invalid_body(), "\x1b[31minvalid\x1b[0m"},
        {testing::undecided_rate(), "\x1b[33mundecided\x1b[0m"},
        {testing::not_judged_build(), "\x1b[33mnot judged\x1b[0m"},
    }));
    CHECK_THAT(render_console(r.of, {.colour = console_colour::always}), ContainsSubstring(r.word));
    CHECK_THAT(shown(r.of), !ContainsSubstring("\x1b"));
}

TEST_CASE("render_console writes a claim without text from its parts", "[report][unit]") {
    record r = testing::violated_time();
    r.macro = "evaluate";
    r.claim.clear();
    r.file.clear();
    CHECK(shown(r).starts_with("evaluate( latency(parse) < 3.000 ms )  violated\n"));
}

TEST_CASE("render_console lets no name steer the terminal or break a line", "[report][unit]") {
    record r = testing::violated_ratio();
    r.claim = "a\nb\x1b[2J";
    r.subjects[0].subject = "evil\x1b]0;title\x07\n";
    r.disturbed.notes = {"one\ntwo"};
    const std::string text = shown(r);
    CHECK_THAT(text, ContainsSubstring("PERF_CHECK( a b\\x1b[2J )"));
    CHECK_THAT(text, ContainsSubstring("one two"));
    CHECK(text.find('\x1b') == std::string::npos);
    record tame = testing::violated_ratio();
    tame.claim = "a b";
    tame.subjects[0].subject = "evil title";
    tame.disturbed.notes = {"one two"};
    CHECK(lines_of(text) == lines_of(shown(tame)));
}

TEST_CASE("a tolerance is shown with its ends, and room is the distance from the nearer one", "[report][unit]") {
    record r = testing::violated_time();  // of 3.212 ms
    r.claim = "latency(parse) == within(3ms, 5_pct)";
    r.comparison = "==";
    r.tolerated = tolerated_range{2.85e6, 3.15e6};
    CHECK_THAT(shown(r), ContainsSubstring("== 3.000 ms (2.850 .. 3.150 ms)"));
    CHECK_THAT(room_to_bound(r).value(), WithinRel((3.15 - 3.212) / 3.0, 1e-9));
    r.estimate->centre = 2.9e6;
    CHECK_THAT(room_to_bound(r).value(), WithinRel((2.9 - 2.85) / 3.0, 1e-9));
}

TEST_CASE("what a baseline can see of a tolerance is to either side", "[report][unit]") {
    record r = testing::stored_ratio();
    r.verdict = verdict::violated;
    r.tolerated = tolerated_range{1.35, 1.49};
    CHECK_THAT(shown(r), ContainsSubstring(" or more beyond either side"));
    r.tolerated.reset();
    CHECK_THAT(shown(r), !ContainsSubstring(" or more beyond either side"));
}

TEST_CASE("room_to_bound is positive on the good side of every comparison", "[report][unit]") {
    struct row {
        const char* comparison;
        double measured;
        double bound;
        std::optional<double> room;
    };
    const auto r = GENERATE(values<row>({
        {"<", 90, 100, 0.1},
        {"<=", 125, 100, -0.25},
        {">", 125, 100, 0.25},
        {">=", 90, 100, -0.1},
        {"<", 0, 0, 0.0},
        {"<=", 3, 0, -1.0},
        {">", 3, 0, 1.0},
        {"", 3, 4, std::nullopt},
        {"<", std::numeric_limits<double>::quiet_NaN(), 1, std::nullopt},
    }));
    record of;
    of.comparison = r.comparison;
    of.estimate = estimate{.centre = r.measured};
    of.bound = r.bound;
    CHECK(room_to_bound(of) == r.room);
    of.estimate.reset();
    CHECK(room_to_bound(of) == std::nullopt);
}

}  // namespace perfspec
