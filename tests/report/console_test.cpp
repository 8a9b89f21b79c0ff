// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <report/example_records.hpp>
#include <support/scripted_environment.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

std::string shown(const record& r) { return render_console(r, {}); }

/// Whether all texts occur, in this order.
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
    CHECK_RECORDED(text);
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

TEST_CASE("render_console gives a line or two to what needs no attention", "[report][unit]") {
    CHECK(shown(testing::holding_ratio()) == "sort_test.cpp:31: PERF_CHECK( speedup(standard, ours) > 0.9 )  holds\n"
                                             "  0.9214 (0.9102 .. 0.9318, 99 %), 57 rounds, 803 ms");
    CHECK(shown(testing::skipped_build()) ==
          "vision_test.cpp:31: PERF_CHECK( latency(parse) < 3ms )  skipped\n"
          "  the file that asserts is compiled without optimization: build with -O2\n"
          "  (CMAKE_BUILD_TYPE=Release)");
    CHECK(shown(testing::recorded_time()) == "vision_test.cpp:31: PERF_MEASURE( latency(parse) )  measured\n"
                                             "  3.212 ms (3.190 .. 3.240 ms, 99 %), 24 rounds, 1 s");
    record brief = testing::recorded_time();
    brief.file.clear();
    brief.claim = "x";
    brief.evidence.seconds = 0.0;
    CHECK(shown(brief) == "PERF_MEASURE( x )  measured   3.212 ms (3.190 .. 3.240 ms, 99 %), 24 rounds");
}

TEST_CASE("render_console shows notes of what holds, and of what does not before the advice", "[report][unit]") {
    record noted = testing::holding_ratio();
    noted.notes = {"work goes on",
                   "the time rises from the first call to the last one of all those that were made in a row"};
    CHECK_RECORDED(shown(noted));
    CHECK(render_console(noted, {.verbosity = console_verbosity::quiet}).empty());
    record undecided = testing::undecided_rate();
    undecided.notes = {"work goes on"};
    CHECK(in_this_order(shown(undecided), {"\n  note       work goes on", "\n  advice     about 140 more blocks"}));
}

TEST_CASE("a claim that holds deserves a word for its notes", "[report][unit]") {
    record r = holding_ratio();
    r.notes.clear();
    CHECK_FALSE(detail::deserves_a_word(r));
    r.notes = {"the first call took 4 ms, later ones 1 ms"};
    CHECK(detail::deserves_a_word(r));
}

TEST_CASE("render_console shows no method of a claim with an error for which nothing was measured", "[report][unit]") {
    record r = testing::error_body();
    r.evidence.method = "medians of blocks";
    r.disturbed.notes = {"the load is 4"};
    CHECK_THAT(shown(r), !ContainsSubstring("method") && !ContainsSubstring("disturbed"));
    r.evidence.rounds = 5;
    check_recorded("2", shown(r));
}

TEST_CASE("render_console is silent about what holds when quiet, and shows its block when verbose", "[report][unit]") {
    const console_style quiet{.verbosity = console_verbosity::quiet};
    CHECK(render_console(testing::holding_ratio(), quiet).empty());
    CHECK_FALSE(render_console(testing::skipped_build(), quiet).empty());
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

TEST_CASE("render_console colors the verdict alone, and only on request", "[report][unit]") {
    const auto [of, word] = GENERATE(table<record, const char*>({
        {testing::holding_ratio(), "\x1b[32mholds\x1b[0m"},
        {testing::violated_ratio(), "\x1b[31mviolated\x1b[0m"},
        {testing::error_body(), "\x1b[31merror\x1b[0m"},
        {testing::undecided_rate(), "\x1b[33mundecided\x1b[0m"},
        {testing::skipped_build(), "\x1b[33mskipped\x1b[0m"},
    }));
    CHECK_THAT(render_console(of, {.color = console_color::always}), ContainsSubstring(word));
    CHECK_THAT(shown(of), !ContainsSubstring("\x1b"));
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
    CHECK_RECORDED(text);
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
    r.estimate->value = 2.9e6;
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
    const auto [comparison, measured, bound, room] =
        GENERATE(table<const char*, double, double, std::optional<double>>({
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
    of.comparison = comparison;
    of.estimate = estimate{.value = measured};
    of.bound = bound;
    CHECK(room_to_bound(of) == room);
    of.estimate.reset();
    CHECK(room_to_bound(of) == std::nullopt);
}

namespace {

bool has_colors(bool on_terminal, std::map<std::string, std::string> variables) {
    return color_for(on_terminal, testing::scripted_environment(std::move(variables))) == console_color::always;
}

}  // namespace

TEST_CASE("colors are for terminals", "[report][unit]") {
    CHECK(has_colors(true, {}));
    CHECK_FALSE(has_colors(false, {}));
    CHECK_FALSE(has_colors(true, {{"TERM", "dumb"}}));
}

TEST_CASE("NO_COLOR takes colors away, and CLICOLOR_FORCE gives them to pipes", "[report][unit]") {
    CHECK_FALSE(has_colors(true, {{"NO_COLOR", "1"}}));
    CHECK(has_colors(true, {{"NO_COLOR", ""}}));
    CHECK(has_colors(false, {{"CLICOLOR_FORCE", "1"}}));
    CHECK_FALSE(has_colors(false, {{"CLICOLOR_FORCE", "0"}}));
    CHECK_FALSE(has_colors(true, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}));
}

TEST_CASE("a file is no terminal", "[report][unit]") {
    std::FILE* file = std::tmpfile();
    CHECK_FALSE(is_terminal(file));
    std::fclose(file);
}

TEST_CASE("columns_of counts characters, not bytes", "[report][unit]") {
    CHECK(detail::columns_of("") == 0);
    CHECK(detail::columns_of("sort") == 4);
    CHECK(detail::columns_of("\xc3\xa9t\xc3\xa9") == 3);
    CHECK(detail::columns_of("\xf0\x9f\x98\x80") == 1);
}

TEST_CASE("padded adds blanks up to a width and takes nothing away", "[report][unit]") {
    CHECK(detail::padded("ab", 4) == "ab  ");
    CHECK(detail::padded("\xc3\xa9", 2) == "\xc3\xa9 ");
    CHECK(detail::padded("abcd", 3) == "abcd");
}

TEST_CASE("shortened keeps whole characters", "[report][unit]") {
    CHECK(detail::shortened("abcdef", 6) == "abcdef");
    CHECK(detail::shortened("abcdefg", 6) == "abcd..");
    CHECK(detail::shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3) == "\xc3\xa9..");
}

TEST_CASE("wrapped breaks at blanks, behind pauses where they stand late, and never before a unit", "[report][unit]") {
    using lines = std::vector<std::string>;
    CHECK(detail::wrapped("", 9).empty());
    CHECK(detail::wrapped("one two", 9) == lines{"one two"});
    CHECK(detail::wrapped("one two six", 9) == lines{"one two", "six"});
    CHECK(detail::wrapped("seven, a b", 9) == lines{"seven,", "a b"});
    CHECK(detail::wrapped("a, seven b", 9) == lines{"a, seven", "b"});
    CHECK(detail::wrapped("it takes 12 ms", 12) == lines{"it takes", "12 ms"});
    CHECK(detail::wrapped("/a/path/that/is/long x", 9) == lines{"/a/path/that/is/long", "x"});
    CHECK(detail::wrapped("\xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9", 7) == lines{"\xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9"});
}

}  // namespace perfspec
