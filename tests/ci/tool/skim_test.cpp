// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/results/skim.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace perfspec {

TEST_CASE("without_members leaves out the members of these names, whatever their values are", "[ci][unit]") {
    constexpr std::string_view names[] = {"b", "c"};
    const auto [line, left] = GENERATE(table<std::string, std::string>({{R"({"a":1,"b":2,"d":3})", R"({"a":1,"d":3})"},
                                                                        {R"({"b":2,"a":1})", R"({"a":1})"},
                                                                        {R"({"a":1,"b":2})", R"({"a":1})"},
                                                                        {R"({"b":2})", "{}"},
                                                                        {R"({ "a" : 1 , "b" : [ 1 , 2 ] })", R"({"a" : 1 })"},
                                                                        {R"({"b":{"a":[{"c":1}]},"a":{"b":2}})", R"({"a":{"b":2}})"},
                                                                        {R"({"b":"},{\"a\":1\\","a":"b\",\"c"})", R"({"a":"b\",\"c"})"},
                                                                        {R"({"a":1,"bb":2,"B":3})", R"({"a":1,"bb":2,"B":3})"}}));
    CHECK(tool::without_members(line, names) == left);
}

TEST_CASE("without_members leaves a line as it is that is no object, so that its reader refuses it", "[ci][unit]") {
    constexpr std::string_view names[] = {"b"};
    const std::string line = GENERATE(as<std::string>{}, "", "{", "{}", "[1]", R"({"b)", R"({"b")", R"({"b":)", R"({"b":1)", R"({"b":"1})",
                                      R"({"b":[1})", R"({"b":1]"a":2})", R"({"b":1,})", R"({"b" 1})", R"({b:1})", R"({"b":"\)");
    CHECK(tool::without_members(line, names) == line);
}

TEST_CASE("without_members keeps what follows the object, so that it is refused", "[ci][unit]") {
    constexpr std::string_view names[] = {"b"};
    CHECK(tool::without_members(R"({"a":1,"b":2}x})", names) == R"({"a":1}x})");
}

}  // namespace perfspec
