// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/axis_filter.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec {

TEST_CASE("parse_axis_filter reads axes and their values", "[plan][unit]") {
    struct row {
        const char* text;
        axis_filter filter;
    };
    const auto r = GENERATE(values<row>({
        {"", {}},
        {"batch=8", {{"batch", {"8"}}}},
        {"batch=8,batch=16", {{"batch", {"8", "16"}}}},
        {"batch=8,device=cpu", {{"batch", {"8"}}, {"device", {"cpu"}}}},
        {"flags=", {{"flags", {""}}}},
        {"flags=-O2=x", {{"flags", {"-O2=x"}}}},
        {R"(shape=1\,3\,224)", {{"shape", {"1,3,224"}}}},
        {R"(a\=b=c\\d)", {{"a=b", {R"(c\d)"}}}},
        {"batch= 8", {{"batch", {" 8"}}}},
    }));
    INFO(r.text);
    CHECK(parse_axis_filter(r.text) == r.filter);
}

TEST_CASE("parse_axis_filter refuses what names no axis", "[plan][unit]") {
    const auto* text = GENERATE("batch", "=8", "batch=8,", ",batch=8", "batch=8,,n=1", "batch=8,16", "batch=8\\", ",");
    INFO(text);
    CHECK_FALSE(parse_axis_filter(text));
}

TEST_CASE("has_axes asks for every axis of the filter, with one of its values", "[plan][unit]") {
    const std::vector<std::pair<std::string, std::string>> axes{{"batch", "8"}, {"device", "cpu"}};
    CHECK(has_axes(axes, {}));
    CHECK(has_axes(axes, {{"batch", {"8"}}}));
    CHECK(has_axes(axes, {{"batch", {"16", "8"}}, {"device", {"cpu"}}}));
    CHECK_FALSE(has_axes(axes, {{"batch", {"16"}}}));
    CHECK_FALSE(has_axes(axes, {{"batch", {"8"}}, {"device", {"cuda:0"}}}));
    CHECK_FALSE(has_axes(axes, {{"n", {"8"}}}));
    CHECK_FALSE(has_axes({}, {{"batch", {"8"}}}));
}

}  // namespace perfspec
