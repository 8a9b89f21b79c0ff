// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/nearest.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <array>
#include <string>

namespace perfspec {

TEST_CASE("nearest_name finds the name that a typing error means", "[plan][unit]") {
    static const std::array<std::string, 5> known{"budget", "mode", "margin", "false_pass", "false_failure"};
    struct row {
        const char* typed;
        const char* meant;
    };
    const auto r = GENERATE(values<row>({
        {"budgt", "budget"},    // a letter left out
        {"budgeet", "budget"},  // a letter twice
        {"bugdet", "budget"},   // two swapped
        {"mdoe", "mode"},
        {"nargin", "margin"},  // another letter
        {"falsepass", "false_pass"},
        {"false_failures", "false_failure"},
        {"margin", "margin"},
    }));
    CHECK(nearest_name(r.typed, known) == r.meant);
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

}  // namespace perfspec
