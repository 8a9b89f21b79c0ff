# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in quantities: how numbers are read and printed."""
from .mutant import Mutant

MUTANTS = [
    Mutant("percent_is_a_fraction", "quantity/parse-inl.hpp", "5 % is 5", "return number->value / 100;", "return number->value;"),
    Mutant("negative_duration", "quantity/parse-inl.hpp", "a duration below 0 is one",
           "if (!number || std::signbit(number->value)) return std::nullopt;", "if (!number) return std::nullopt;"),
    Mutant("greek_mu_unknown", "quantity/parse-inl.hpp", "one of the two letters for micro is milli",
           '{"\\u03bcs", 1e3}', '{"\\u03bcs", 1e6}'),
    Mutant("rest_of_a_number_ignored", "quantity/parse-inl.hpp", "3x is 3",
           "return number && number->rest.empty() ?", "return number ?"),
    Mutant("mebibytes_of_a_million", "quantity/format-inl.hpp", "a MiB has a million bytes", '{"MiB", 1048576}', '{"MiB", 1000000}'),
    Mutant("rounds_into_the_smaller_unit", "quantity/format-inl.hpp", "999.96 us is shown as 1000 us",
           "if (std::round(std::abs(value) / unit.size * 1000) >= 1000) chosen = unit;", "if (std::abs(value) / unit.size >= 1) chosen = unit;"),
    Mutant("smaller_end_decides", "quantity/format-inl.hpp", "the unit of a range is that of its smaller end",
           "std::abs(low) > std::abs(high));", "std::abs(low) < std::abs(high));"),
    Mutant("minutes_without_carry", "quantity/format-inl.hpp", "59.96 s is shown as 60 s",
           "const double tenths = std::round(seconds * 10) / 10;", "const double tenths = seconds;"),
    Mutant("transposed_letters_are_two_mistakes", "quantity/text-inl.hpp", "buget is not taken for budget, but budegt is",
           "a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]", "a[i - 1] == b[j - 2] && a[i - 2] == b[j - 2]"),
]
