// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/leading_number.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <optional>
#include <string_view>

using perfspec::detail::leading_number;
using perfspec::detail::read_leading_number;
using perfspec::detail::read_leading_number_by_stream;

namespace {

struct row {
    std::string_view text;
    std::optional<double> value;
    std::string_view rest = "";
};

void check(const std::optional<leading_number>& read, const row& expected) {
    CAPTURE(expected.text);
    REQUIRE(read.has_value() == expected.value.has_value());
    if (!read) return;
    CHECK(read->value == *expected.value);
    CHECK(read->rest == expected.rest);
}

}  // namespace

TEST_CASE("read_leading_number reads the same with and without from_chars", "[quantity][unit]") {
    const auto r = GENERATE(values<row>({
        {"0", 0.0},
        {"12.5ms", 12.5, "ms"},
        {"-1.5e-3 s", -0.0015, " s"},
        {"1.", 1.0},
        {".5x", 0.5, "x"},
        {"1e", 1.0, "e"},
        {"1e+", 1.0, "e+"},
        {"1.5.2", 1.5, ".2"},
        {"1,5", 1.0, ",5"},
        {"0x1f", 0.0, "x1f"},
        {"3.2140000000000001", 3.214},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"", std::nullopt},
        {"-", std::nullopt},
        {".", std::nullopt},
        {"-.e5", std::nullopt},
        {"+1", std::nullopt},
        {" 1", std::nullopt},
        {"nan", std::nullopt},
        {"inf", std::nullopt},
        {"1e999", std::nullopt},
    }));
    check(read_leading_number(r.text), r);
    check(read_leading_number_by_stream(r.text), r);
}
