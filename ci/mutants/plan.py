# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the plan: options, their names and texts."""
from .mutant import Mutant

MUTANTS = [
    Mutant("command_line_loses", "plan/plan-inl.hpp", "CI is not recognised by the variables of systems that do not set CI",
           'if (!value.empty() && !denies(value)) return name;', 'if (!value.empty() && !denies(value)) return {};'),
    Mutant("ci_denied_is_ci", "plan/plan-inl.hpp", "CI=false turns the policy of CI on",
           'value == "false" || value == "0"', 'value == "no" || value == "0"'),
    Mutant("unknown_variable_passes", "plan/plan-inl.hpp", "a mistyped variable is ignored",
           'if (!name.starts_with("PERFSPEC_") || name', 'if (name.starts_with("PERFSPEC_") || name'),
    Mutant("semicolon_not_escaped", "plan/plan-inl.hpp", "a value with a semicolon breaks the plan of a fresh process",
           "detail::escape_value(value, ';')", "detail::escape_value(value, ' ')"),
    Mutant("default_of_an_unknown_option_refused", "plan/plan-inl.hpp", "another build cannot read the plan of one with more options",
           "if (is_default && row == nullptr) return;\n", ""),
]
