// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/baseline/locate.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <set>
#include <string>

namespace perfspec {
namespace {

TEST_CASE("path_component turns any name into one file name", "[baseline][unit]") {
    struct row {
        std::string name, component;
    };
    const auto r = GENERATE(values<row>({
        {"vision_test", "vision_test"},
        {"amd-epyc-7763-4c", "amd-epyc-7763-4c"},
        {"g++-13,torch=2.13.0", "g++-13,torch=2.13.0"},
        {"", "%empty"},
        {".", "%2E"},
        {"..", "%2E."},
        {"../x", "%2E.%2Fx"},
        {"/etc/passwd", "%2Fetc%2Fpasswd"},
        {"-rf", "%2Drf"},
        {"a b", "a%20b"},
        {"a\"b'c", "a%22b%27c"},
        {"a\nb", "a%0Ab"},
        {std::string("a\0b", 3), "a%00b"},
        {"\U0001F680", "%F0%9F%9A%80"},
        {"100%", "100%25"},
        {"x.json", "x%2Ejson"},
        {".json", "%2Ejson"},
        {"x.golden", "x%2Egolden"},
        {"\\..\\x", "%5C..%5Cx"},
    }));
    CHECK(path_component(r.name) == r.component);
}

TEST_CASE("path_component keeps long names apart and short", "[baseline][unit]") {
    const std::string stem(300, 'x');
    CHECK(path_component(std::string(120, 'x')) == std::string(120, 'x'));
    CHECK(path_component(stem + 'a').size() == 118);
    CHECK(path_component(stem + 'a') != path_component(stem + 'b'));
    std::string escapes;
    for (int i = 0; i < 33; ++i) escapes += "%2F";  // a cut at 100 bytes would leave half an escape
    CHECK(path_component(std::string(200, '/')).starts_with(escapes + "%~"));
}

TEST_CASE("path_component gives the hash of Fowler, Noll and Vo", "[baseline][unit]") {
    // FNV-1a of 121 times "a", computed apart: hash = (hash ^ byte) * 0x100000001b3 from 0xcbf29ce484222325.
    const std::string kept(100, 'a');
    CHECK(path_component(std::string(121, 'a')) == kept + "%~EA8A536AA68D0114");
}

TEST_CASE("path_component gives different names different components", "[baseline][unit]") {
    std::set<std::string> components;
    std::size_t names = 0;
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b, ++names)
            components.insert(path_component(std::string{static_cast<char>(a), static_cast<char>(b)}));
        components.insert(path_component(std::string(1, static_cast<char>(a))));
        ++names;
    }
    CHECK(components.size() == names);
    for (const auto& c : components) {
        INFO(c);
        CHECK(c.find_first_of(std::string("/\0", 2)) == std::string::npos);
        CHECK(c.front() != '.');
    }
}

}  // namespace
}  // namespace perfspec
