// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/session/surroundings.hpp>

#include <support/captured_stream.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>

using namespace std::chrono_literals;
using perfspec::status_line;
using perfspec::testing::captured_stream;

TEST_CASE("a status line on a terminal is written over, and leaves nothing", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.announce("latency(sort) takes up to 5 s");
    status.update("latency(sort): 1 of 10 launches");
    status.remove();
    CHECK(console.text() ==
          "\r\x1b[Kperfspec: latency(sort) takes up to 5 s\r\x1b[Kperfspec: latency(sort): 1 of 10 launches\r\x1b[K");
}

TEST_CASE("a status line in a pipe has the first announcement of each claim alone", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), false);
    status.announce("latency(sort) takes up to 5 s");
    status.update("latency(sort): 1 of 10 launches");
    status.announce("latency(sort) takes up to 6 s");
    status.remove();
    status.announce("latency(fill) takes up to 3 s");
    CHECK(console.text() == "perfspec: latency(sort) takes up to 5 s\nperfspec: latency(fill) takes up to 3 s\n");
}

TEST_CASE("a status line stays one line of 78 columns, whatever the names in it are", "[run][unit]") {
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
    CHECK(
        console.text() ==
        "perfspec: 10 s so far (limit 2 min): the worker starts\nperfspec: 10 s so far (limit 2 min): the worker builds \"eager\"\n"
        "perfspec: 12 s so far (limit 2 min): the worker starts\n");
}

TEST_CASE("a status line on a terminal counts on while it waits", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.wait("the worker starts", {10s, 2min});
    status.wait("the worker starts", {11s, 2min});
    status.remove();
    CHECK(console.text() == "\r\x1b[Kperfspec: 10 s so far (limit 2 min): the worker starts"
                            "\r\x1b[Kperfspec: 11 s so far (limit 2 min): the worker starts\r\x1b[K");
}

TEST_CASE("a status line that shows nothing removes nothing", "[run][unit]") {
    captured_stream console;
    status_line status(console.file(), true);
    status.remove();
    status.update("1 of 2 launches");
    status.remove();
    status.remove();
    CHECK(console.text() == "\r\x1b[Kperfspec: 1 of 2 launches\r\x1b[K");
}
