// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/text_width.hpp>

#include <catch2/catch_test_macros.hpp>

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

}  // namespace perfspec
