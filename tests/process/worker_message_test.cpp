// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/process/workers/worker.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <limits>
#include <string>

using namespace perfspec;

TEST_CASE("worker_message is a word and named fields on one line", "[process][unit]") {
    worker_message message{"ran"};
    message.add("iterations", std::uint64_t{5});
    message.add("elapsed_ns", 100123.25);
    message.add("note", std::string("50 % of\na \x7f ünï=x"));
    message.add("empty", std::string());
    const std::string line = "ran iterations=5 elapsed_ns=100123.25 note=50%20%25%20of%0Aa%20%7F%20ünï=x empty=";
    CHECK(to_text(message) == line);
    CHECK(parse_worker_message(line) == message);
    CHECK(parse_worker_message("finish") == worker_message{"finish"});
}

TEST_CASE("worker_message gives numbers only for texts that are numbers", "[process][unit]") {
    const auto message =
        parse_worker_message("m a=1.5 b=-1 c=x d= e=1e999 f=nan g=18446744073709551615 h=3 a=2").value();
    CHECK(message.number("a") == 1.5);
    CHECK_FALSE(message.whole("a"));
    for (const char* name : {"b", "c", "d", "e", "f", "none"}) {
        CHECK_FALSE(message.number(name));
        CHECK_FALSE(message.whole(name));
    }
    CHECK(message.whole("g") == std::numeric_limits<std::uint64_t>::max());
    CHECK(message.number("h") == 3.0);
    CHECK(message.text("d") == "");
    CHECK_FALSE(message.text("none"));
}

TEST_CASE("worker_message carries any number exactly", "[process][unit]") {
    const double value = GENERATE(0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 0.0);
    worker_message message{"m"};
    message.add("x", value);
    CHECK(parse_worker_message(to_text(message)).value().number("x") == value);
}

TEST_CASE("parse_worker_message takes no other line", "[process][unit]") {
    const std::string line =
        GENERATE("", " run", "a=b", "run x", "run =5", "run  x=1", "run x=%", "run x=%2", "run x=%zz", "run x=1 ");
    CHECK_FALSE(parse_worker_message(line));
}
