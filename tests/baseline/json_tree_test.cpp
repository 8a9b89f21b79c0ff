// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/json_tree.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

TEST_CASE("read_json counts the values of taken members no longer", "[baseline][unit]") {
    struct every_member final : detail::json_member_taker {
        bool wants(const detail::json_value&, const detail::json_value& object) override { return object.name == "a"; }
        void take(const detail::json_value& member) override {
            taken.push_back(member.name + '=' + std::to_string(member.items.size()));
        }
        std::vector<std::string> taken;
    } taker;
    const std::string_view text = R"({"a": {"x": [1, 2], "y": 3, "z": [4, 5]}, "b": {"u": 6}})";
    const auto root = detail::read_json(text, {.depth = 16, .values = 6}, &taker);
    CHECK(taker.taken == std::vector<std::string>{"x=2", "y=0", "z=2"});
    CHECK(root.member("a")->items.at(0).items.empty());
    CHECK(root.member("b")->items.at(0).number == 6);
    CHECK_THROWS_AS(detail::read_json(text, {.depth = 16, .values = 6}), detail::json_fault);
}

TEST_CASE("json_number is short, plain and exact", "[baseline][unit]") {
    struct row {
        double value;
        const char* text;
    };
    const auto r = GENERATE(values<row>({
        {3214000, "3214000"},
        {0.1, "0.1"},
        {1.42, "1.42"},
        {0, "0"},
        {-0.0, "0"},
        {-2.5, "-2.5"},
        {1e15, "1e+15"},
        {999999999999999, "999999999999999"},
        {1e-5, "0.00001"},
        {9.9e-6, "9.9e-06"},
        {1e300, "1e+300"},
        {5e-324, "5e-324"},
        {-1.7976931348623157e308, "-1.7976931348623157e+308"},
        {0.00001234567890123456, "0.00001234567890123456"},
        {123456789012345.67, "123456789012345.67"},
    }));
    CHECK(detail::json_number(r.value) == r.text);
}

TEST_CASE("json_string escapes what JSON must", "[baseline][unit]") {
    CHECK(detail::json_string("a\"b\\c\nd\te\x01 \x7f\U0001F680") == "\"a\\\"b\\\\c\\nd\\te\\u0001 \x7f\U0001F680\"");
    CHECK(detail::json_string(std::string(1, '\0')) == "\"\\u0000\"");
}

TEST_CASE("read_json knows the line of every value", "[baseline][unit]") {
    const auto root = detail::read_json("{\n\"a\": 1\n,\n\"b\": [\n2,\n3\n],\n\"c\":\n\"x\",\"d\": {\n}\n}");
    CHECK(root.line == 1);
    CHECK(root.member("a")->line == 2);  // the parser has already seen the end of that line
    CHECK(root.member("b")->line == 4);
    CHECK(root.member("b")->items[0].line == 5);
    CHECK(root.member("b")->items[1].line == 6);
    CHECK(root.member("c")->line == 9);
    CHECK(root.member("d")->line == 9);
}

}  // namespace perfspec
