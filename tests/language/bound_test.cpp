// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/bound.hpp>
#include <perfspec/language/subjects/body_result.hpp>

#include <perfspec/quantity/quantity.hpp>

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>

namespace perfspec {

TEST_CASE("baseline_bound multiplies its factors", "[language][unit]") {
    STATIC_REQUIRE(baseline().factor == 1.0);
    STATIC_REQUIRE((2 * baseline() * 3).factor == 6.0);
    STATIC_REQUIRE((baseline() + 50_pct).factor == 1.5);
    STATIC_REQUIRE((baseline() - pct(25)).factor == 0.75);
    STATIC_REQUIRE((2 * baseline() + 50_pct).factor == 3.0);
}

TEST_CASE("shifted_baseline_bound keeps its offset in base units", "[language][unit]") {
    STATIC_REQUIRE((baseline() + 2ms).offset == 2e6);
    STATIC_REQUIRE((3 * baseline() - 2us).offset == -2e3);
    STATIC_REQUIRE((3 * baseline() - 2us).factor == 3.0);
    STATIC_REQUIRE((baseline() + 1_MiB).offset == 1048576.0);
    STATIC_REQUIRE((baseline() - MB(2)).offset == -2e6);
}

TEST_CASE("opaque returns what it was given", "[language][unit]") {
    int x = 3;
    CHECK(opaque(7) == 7);
    CHECK(opaque(2.5) == 2.5);
    CHECK(opaque(&x) == &x);
    CHECK(opaque(std::string("text")) == "text");
    CHECK(*opaque(std::make_unique<int>(5)) == 5);
}

}  // namespace perfspec
