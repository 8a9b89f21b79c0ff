// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/process/printable.hpp>
#include <perfspec/version.hpp>

#include <support/test.hpp>

using namespace perfspec::detail;

TEST_CASE("printable keeps UTF-8 and shows other bytes as numbers", "[process][unit]") {
    const auto [bytes, text] = GENERATE(table<std::string, std::string>({
        {"", ""},
        {"plain ~\ttext\n", "plain ~\ttext\n"},
        {"ü € 🦉", "ü € 🦉"},
        {std::string("\0\x07\x7f\r", 4), "\\x00\\x07\\x7f\\x0d"},
        {"\x80 \xc3 \xe2\x82 \xf0\x9f\xa6", "\\x80 \\xc3 \\xe2\\x82 \\xf0\\x9f\\xa6"},
        {"\xc0\xaf \xc1 \xf5 \xff", "\\xc0\\xaf \\xc1 \\xf5 \\xff"},
        {"\xc3", "\\xc3"},
    }));
    CHECK(printable(bytes) == text);
}

TEST_CASE("excerpt is one quoted line of at most 120 bytes", "[process][unit]") {
    const std::string maximum(120, 'a');
    CHECK(excerpt("a\tb\nc") == "\"a\\tb\\nc\"");
    CHECK(excerpt(maximum) == '"' + maximum + '"');
    CHECK(excerpt(maximum + "b") == '"' + maximum + "…\"");
    const std::string shown(118, 'a');
    CHECK(excerpt(shown + "🦉") == '"' + shown + "…\"");
}

TEST_CASE("last_bytes begins with a whole character", "[process][unit]") {
    CHECK(last_bytes("abc", 3) == "abc");
    CHECK(last_bytes("abc", 2) == "bc");
    CHECK(last_bytes("🦉ab", 6) == "🦉ab");
    CHECK(last_bytes("🦉ab", 5) == "ab");
    CHECK(last_bytes("🦉ab", 3) == "ab");
    CHECK(last_bytes("\x80\x80\x80\x80\x80", 4) == "\x80");
}

TEST_CASE("PERFSPEC_VERSION is the version of the library as a number", "[process][unit]") {
    const int version = PERFSPEC_VERSION;
    CHECK(std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
              std::to_string(version % 100) ==
          perfspec::library_version);
}
