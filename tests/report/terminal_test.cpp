// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <map>
#include <string>

#include <support/scripted_environment.hpp>

namespace perfspec {
namespace {

bool has_colours(bool on_terminal, std::map<std::string, std::string> variables) {
    return colour_for(on_terminal, testing::scripted_environment(std::move(variables))) == console_colour::always;
}

}  // namespace

TEST_CASE("colours are for terminals", "[report][unit]") {
    CHECK(has_colours(true, {}));
    CHECK_FALSE(has_colours(false, {}));
    CHECK_FALSE(has_colours(true, {{"TERM", "dumb"}}));
}

TEST_CASE("NO_COLOR takes colours away, and CLICOLOR_FORCE gives them to pipes", "[report][unit]") {
    CHECK_FALSE(has_colours(true, {{"NO_COLOR", "1"}}));
    CHECK(has_colours(true, {{"NO_COLOR", ""}}));
    CHECK(has_colours(false, {{"CLICOLOR_FORCE", "1"}}));
    CHECK_FALSE(has_colours(false, {{"CLICOLOR_FORCE", "0"}}));
    CHECK_FALSE(has_colours(true, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}));
}

TEST_CASE("a file is no terminal", "[report][unit]") {
    std::FILE* file = std::tmpfile();
    CHECK_FALSE(is_terminal(file));
    std::fclose(file);
}

}  // namespace perfspec
