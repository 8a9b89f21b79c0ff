// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/option_table.hpp>

#include <perfspec/plan/option_text.hpp>
#include <perfspec/quantity/text.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace perfspec {

TEST_CASE("option_table describes every option_id once", "[plan][unit]") {
    std::set<option_id> described;
    for (const option_description& row : option_table()) CHECK(described.insert(row.id).second);
    for (auto id = static_cast<int>(option_id::none) + 1; id <= static_cast<int>(option_id::key); ++id) {
        CHECK(described.contains(static_cast<option_id>(id)));
    }
    CHECK(described.size() == static_cast<std::size_t>(option_id::key));
}

TEST_CASE("option_table's examples and bare values are legal", "[plan][unit]") {
    for (const option_description& row : option_table()) {
        INFO(row.name);
        CHECK_NOTHROW(parse_option(row, row.legal, row.name, row.legal));
        if (!row.bare.empty()) CHECK_NOTHROW(parse_option(row, row.bare, row.name, row.legal));
        CHECK_FALSE(row.help.empty());
    }
}

TEST_CASE("option_table's defaults are what a plan has, and lie in their ranges", "[plan][unit]") {
    for (const option_description& row : option_table()) {
        INFO(row.name);
        const std::string text = option_text(row, row.read(plan{}));
        CHECK(parse_option(row, text, row.name, row.legal) == row.read(plan{}));
    }
}

TEST_CASE("default_text says what help says of a default", "[plan][unit]") {
    CHECK(default_text(describe(option_id::cap)) == "120s");
    CHECK(default_text(describe(option_id::margin)) == "0.5%");
    CHECK(default_text(describe(option_id::false_failure)) == "0.001");
    CHECK(default_text(describe(option_id::rounds)) == "auto");
    CHECK(default_text(describe(option_id::mode)) == "measure");
    CHECK(default_text(describe(option_id::output)) == "none");
    for (const option_description& row : option_table()) {
        INFO(row.name);
        CHECK_FALSE(default_text(row).empty());
    }
}

TEST_CASE("option_table spells a name three ways", "[plan][unit]") {
    const auto& row = describe(option_id::false_failure);
    CHECK(row.name == "false_failure");
    CHECK(command_line_name(row) == "--perf-false-failure");
    CHECK(environment_name(row) == "PERFSPEC_FALSE_FAILURE");
    CHECK(find_option("false_failure") == &row);
    CHECK(find_option("false-failure") == nullptr);
    CHECK_THROWS_AS(describe(option_id::none), input_error);
}

}  // namespace perfspec
