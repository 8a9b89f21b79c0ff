// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Results that hold their work: must compile.
#include <perfspec/perfspec.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using function = void (*)();
function find(const char* name);

void test(const std::vector<int>& numbers, const std::string& text, const std::function<int()>& known) {
    const perfspec::subject all[] = {
        {"view of text", [&] { return std::string_view(text).substr(1); }},
        {"span", [&] { return std::span(numbers).subspan(1); }},
        {"vector", [&] { return numbers; }},
        {"array", [] { return std::array<int, 3>{}; }},
        {"optional", [] { return std::optional<int>(3); }},
        {"pointer", [] { return std::make_unique<int>(3); }},
        {"iterator", [&] { return numbers.begin(); }},
        {"engine", [] { return std::mt19937(7); }},
        {"function that is found", [] { return find("f"); }},
        {"callable that is found", [&]() -> const std::function<int()>& { return known; }},
        {"kept callable", [&] { perfspec::do_not_optimize(std::function<int()>(known)); }},
        {"bytes", perfspec::setup([&] { return text; }), [](std::string& s) { return s.size(); }},
    };
    static_cast<void>(all);
}
