// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/text.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

namespace perfspec::detail {
namespace {

TEST_CASE("is_utf8 keeps to RFC 3629", "[baseline][unit]") {
    struct row {
        std::string text;
        bool utf8;
    };
    const auto r = GENERATE(values<row>({
        {"", true},
        {std::string("a\0", 2), true},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x80 \xf4\x8f\xbf\xbf", true},
        {"\x80", false},              // continuation without a lead
        {"\xc3", false},              // cut
        {"\xe2\x82", false},          // cut
        {"\xc3(", false},             // lead without a continuation
        {"\xc0\xaf", false},          // overlong
        {"\xe0\x9f\xbf", false},      // overlong
        {"\xf0\x8f\xbf\xbf", false},  // overlong
        {"\xed\xa0\x80", false},      // surrogate
        {"\xf4\x90\x80\x80", false},  // above U+10FFFF
        {"\xff", false},
    }));
    CHECK(is_utf8(r.text) == r.utf8);
}

TEST_CASE("take_until walks through lines", "[baseline][unit]") {
    std::string_view text = "a\n\nb";
    CHECK(take_until(text, '\n') == "a");
    CHECK(take_until(text, '\n').empty());
    CHECK(take_until(text, '\n') == "b");
    CHECK(text.empty());
}

TEST_CASE("trimmed takes blanks from both ends", "[baseline][unit]") {
    CHECK(trimmed(" \t a b\r\n") == "a b");
    CHECK(trimmed(" \n").empty());
}

}  // namespace
}  // namespace perfspec::detail
