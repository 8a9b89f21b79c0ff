# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in quantities: how numbers are read and printed."""
from .mutant import Mutant

MUTANTS = [
    Mutant("percent_is_a_fraction", "quantity/text-inl.hpp", "5 % is 5", "return number->value / 100;", "return number->value;"),
    Mutant("negative_duration", "quantity/text-inl.hpp", "a duration below 0 is one",
           "if (!number || std::signbit(number->value)) return std::nullopt;", "if (!number) return std::nullopt;"),
    Mutant("rest_of_a_number_ignored", "quantity/text-inl.hpp", "3x is 3",
           "return number && number->rest.empty() ?", "return number ?"),
    Mutant("rounds_into_the_smaller_unit", "quantity/format-inl.hpp", "999.96 us is shown as 1000 us",
           "if (std::round(std::abs(value) / unit.size * 1000) >= 1000) chosen = unit;", "if (std::abs(value) / unit.size >= 1) chosen = unit;"),
    Mutant("transposed_letters_are_two_mistakes", "quantity/text-inl.hpp", "buget is not taken for budget, but budegt is",
           "a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]", "a[i - 1] == b[j - 2] && a[i - 2] == b[j - 2]"),
]
