// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec::detail {
namespace {

TEST_CASE("is_utf8 keeps to RFC 3629", "[baseline][unit]") {
    const auto [text, utf8] = GENERATE(table<std::string, bool>({
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
    CHECK(is_utf8(text) == utf8);
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

TEST_CASE("nearest_name finds the name that a typing error means", "[plan][unit]") {
    static const std::array<std::string, 5> known{"budget", "mode", "margin", "false_pass", "false_failure"};
    const auto [typed, meant] = GENERATE(table<const char*, const char*>({
        {"budgt", "budget"},    // a letter left out
        {"budgeet", "budget"},  // a letter twice
        {"bugdet", "budget"},   // two swapped
        {"mdoe", "mode"},
        {"nargin", "margin"},  // another letter
        {"falsepass", "false_pass"},
        {"false_failures", "false_failure"},
        {"margin", "margin"},
    }));
    CHECK(nearest_name(typed, known) == meant);
}

TEST_CASE("nearest_name proposes nothing for a word that is far from all", "[plan][unit]") {
    const std::array<std::string, 2> known{"budget", "margin"};
    CHECK(nearest_name("verbosity", known) == std::nullopt);
    CHECK(nearest_name("bgt", known) == std::nullopt);  // three letters of six: as likely another word
    CHECK(nearest_name("", known) == std::nullopt);
}

TEST_CASE("nearest_name counts no letters that all names begin with", "[plan][unit]") {
    const std::array<std::string, 2> known{"--perf-budget", "--perf-margin"};
    CHECK(nearest_name("--perf-version", known) == std::nullopt);
    CHECK(nearest_name("--perf-bugdet", known) == "--perf-budget");
    CHECK(nearest_name("--pref-budget", known) == "--perf-budget");
}

}  // namespace
}  // namespace perfspec::detail
