// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console_text.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace perfspec {

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
