// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// The console during a long claim.
#include "../stored_program.hpp"

#include <perfspec/claim/progress.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/session/system_access.hpp>

#include <support/captured_stream.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

std::vector<child_end> processes_of_seconds(double seconds, std::size_t count) {
    std::vector<child_end> ends = processes_of(1e6, count);
    for (child_end& end : ends) end.seconds = seconds;
    return ends;
}

/// The console during the recording of ten processes of this duration.
struct recording {
    explicit recording(double seconds) : program(processes_of_seconds(seconds, 10)) {
        program.console = console.file();
    }

    std::string shown() {
        CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::skipped);
        return console.text();
    }

    captured_stream console;
    stored_program program;
};

}  // namespace

TEST_CASE("progress says how many processes are done, and how long the rest takes", "[run][unit]") {
    CHECK_RECORDED(detail::progress_text("latency(sort)", {.done = 3, .most = 10, .seconds = 6.0}));
    CHECK_RECORDED(detail::progress_text("latency(sort)", {.done = 3, .most = 10, .seconds = 6.0, .longest = 10.0}));
    CHECK(detail::progress_text("latency(sort)", {.unit = "process pairs", .done = 4, .most = 40, .seconds = 2.0}) ==
          "latency(sort): 4 of at most 40 process pairs, up to 18 s left");
}

TEST_CASE("a test over processes takes no longer than its cap, with any estimate", "[run][unit]") {
    captured_stream console;
    stored_program program([](const child_command&) {
        child_end end = process_of(2.0);
        end.seconds = 20.0;
        return end;
    });
    program.console = console.file();
    const std::vector<option> options{processes(6)};
    CHECK(program.evaluate(speedup(program.takes("a", 1ms), program.takes("b", 1ms)) > 1.5, options).verdict !=
          verdict::skipped);
    CHECK(console.text() == "perfspec: speedup(a, b) takes up to 2 min\n");
}

TEST_CASE("a recording shows each process on a terminal, and leaves nothing there", "[run][unit]") {
    recording slow(1.0);
    slow.program.live_console = true;
    const std::string shown = slow.shown();
    CHECK_RECORDED(shown);
}

TEST_CASE("a recording says once in a pipe what it costs", "[run][unit]") {
    CHECK(recording(1.0).shown() == "perfspec: latency(sort) takes up to 10 s\n");
}

TEST_CASE("a fresh process that takes ten seconds is reported once in a pipe", "[run][unit]") {
    recording slow(0.15);
    slow.program.launcher.runs_for = 12s;
    CHECK(slow.shown() == "perfspec: 10 s so far (limit 6 min): a fresh process measures latency(sort)\n");
    recording quiet(0.15);
    quiet.program.launcher.runs_for = 12s;
    quiet.program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    CHECK(quiet.shown().empty());
}

TEST_CASE("a recording that is short, or is to be quiet, shows nothing", "[run][unit]") {
    recording quick(0.15);
    quick.program.live_console = true;
    CHECK(quick.shown().empty());
    recording quiet(1.0);
    quiet.program.live_console = true;
    quiet.program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    CHECK(quiet.shown().empty());
}

}  // namespace perfspec

using perfspec::status_line;
using namespace perfspec::testing;

TEST_CASE("a status line on a terminal is written over, and leaves nothing", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.announce("latency(sort) takes up to 5 s");
    status.update("latency(sort): 1 of 10 processes");
    status.remove();
    CHECK_RECORDED(console.text());
}

TEST_CASE("a status line in a pipe has the first announcement of each claim alone", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), false);
    status.announce("latency(sort) takes up to 5 s");
    status.update("latency(sort): 1 of 10 processes");
    status.announce("latency(sort) takes up to 6 s");
    status.remove();
    status.announce("latency(fill) takes up to 3 s");
    CHECK(console.text() == "perfspec: latency(sort) takes up to 5 s\nperfspec: latency(fill) takes up to 3 s\n");
}

TEST_CASE("a status line stays one line of 78 columns with any names", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.update("latency(\"a\nb\x1b[31m\rc\"), " + std::string(100, 'x'));
    const std::string shown = console.text().substr(4);
    CHECK(shown.find_first_of("\n\r\x1b") == std::string::npos);
    CHECK(shown.size() <= 78 + 2);  // the dots may take three bytes
}

TEST_CASE("a status line in a pipe says once that it waits, after ten seconds, and nothing where it is mute",
          "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), false);
    status.wait("the worker starts", {9s, 2min});
    status.wait("the worker starts", {10s, 2min});
    status.wait("the worker starts", {11s, 2min});
    status.wait("the worker builds \"eager\"", {10s, 2min});
    status.remove();
    status.wait("the worker starts", {12s, 2min});
    status.mute(true);
    status.wait("the worker builds \"eager\"", {13s, 2min});
    CHECK_RECORDED(console.text());
}

TEST_CASE("a status line on a terminal counts on while it waits", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.wait("the worker starts", {10s, 2min});
    status.wait("the worker starts", {11s, 2min});
    status.remove();
    CHECK_RECORDED(console.text());
}

TEST_CASE("a status line that shows nothing removes nothing", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.remove();
    status.update("1 of 2 processes");
    status.remove();
    status.remove();
    CHECK(console.text() == "\r\x1b[Kperfspec: 1 of 2 processes\r\x1b[K");
}
