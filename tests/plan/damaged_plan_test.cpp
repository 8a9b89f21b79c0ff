// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/damaged_text.hpp"

#include <perfspec/plan/plan_text.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace perfspec {

TEST_CASE("a damaged plan of a child is read or refused", "[plan][unit]") {
    const auto seen =
        testing::parse_damaged(to_text(plan{}), [](const std::string& text) { return to_text(plan_from_text(text)); });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 20);
}

}  // namespace perfspec
