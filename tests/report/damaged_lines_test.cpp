// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/damaged_text.hpp"

#include <perfspec/report/json_lines.hpp>

#include "example_records.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace perfspec {

TEST_CASE("a damaged line of results is read or refused, never half read", "[report][unit]") {
    const auto seen = testing::parse_damaged(to_json_line(testing::violated_ratio()), [](const std::string& line) {
        return to_json_line(from_json_line(line));
    });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 100);
}

}  // namespace perfspec
