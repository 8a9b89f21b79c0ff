// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/chosen_layers.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace perfspec {
namespace {

part_value cell(const char* part, const char* method, const char* mark = "", dimension unit = dimension::time, double value = 1.0) {
    return {part, method, unit, {value, value, value, value, 0.0}, 0.0, mark};
}

/// As an oracle leaves it.
record of_oracle() {
    record r;
    r.parts = {cell("conv", "eager"),
               cell("conv", "folded", "chosen"),
               cell("relu", "eager", "chosen"),
               cell("relu", "folded"),
               cell("sum", "eager"),
               cell("sum", "folded"),
               cell("end to end", "eager"),
               cell("end to end", "folded"),
               cell("end to end / oracle", "eager", "", dimension::ratio, 1.5),
               cell("end to end / oracle", "folded", "", dimension::ratio, 1.25)};
    return r;
}

}  // namespace

TEST_CASE("chosen_layers is the variant of each layer, in their order", "[report][unit]") {
    CHECK(chosen_layers(of_oracle()) == std::vector{layer_side::second, layer_side::first});
}

TEST_CASE("oracle_gap is how much longer the second variant takes", "[report][unit]") { CHECK(oracle_gap(of_oracle()) == 0.25); }

TEST_CASE("a record without an oracle has no choice and no gap", "[report][unit]") {
    CHECK(chosen_layers(record{}).empty());
    CHECK_FALSE(oracle_gap(record{}));
}

}  // namespace perfspec
