// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/chosen_layers.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace perfspec {
namespace {

part_value cell(const char* part, const char* method, const char* mark = "", dimension unit = dimension::time,
                double value = 1.0) {
    return {part, method, unit, {value, value, value, value, 0.0}, 0.0, mark};
}

/// As an oracle of three variants by subtraction leaves it.
record of_three() {
    record r;
    r.parts = {cell("conv", "eager"),
               cell("conv", "folded"),
               cell("conv", "traced", "chosen"),
               cell("relu", "eager", "unresolved"),
               cell("relu", "folded", "chosen, unresolved"),
               cell("relu", "traced", "unresolved"),
               cell("end to end / oracle", "eager", "", dimension::ratio, 1.5),
               cell("end to end / oracle", "folded", "", dimension::ratio, 1.25),
               cell("end to end / oracle", "traced", "", dimension::ratio, 1.125)};
    return r;
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

TEST_CASE("oracle_gap is how much longer the second variant takes", "[report][unit]") {
    CHECK(oracle_gap(of_oracle()) == 0.25);
}

TEST_CASE("chosen_layers and oracle_gap tell more than two variants apart", "[report][unit]") {
    CHECK(chosen_layers(of_three()) == std::vector{layer_side::third, layer_side::second});
    CHECK(oracle_gap(of_three()) == 0.25);
    CHECK(oracle_gap(of_three(), layer_side::first) == 0.5);
    CHECK(oracle_gap(of_three(), layer_side::third) == 0.125);
    CHECK_FALSE(oracle_gap(of_three(), layer_side::fourth));
}

TEST_CASE("a record without an oracle has no choice and no gap", "[report][unit]") {
    CHECK(chosen_layers(record{}).empty());
    CHECK_FALSE(oracle_gap(record{}));
}

}  // namespace perfspec
