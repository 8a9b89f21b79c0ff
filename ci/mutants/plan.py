# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in the plan: options, their names and texts."""
from .mutant import Mutant

MUTANTS = [
    Mutant("command_line_loses", "plan/plan-inl.hpp", "CI is not recognized by the variables of systems that do not set CI",
           'if (!value.empty() && !denies(value)) return name;', 'if (!value.empty() && !denies(value)) return {};'),
    Mutant("ci_denied_is_ci", "plan/plan-inl.hpp", "CI=false turns the rules of CI on",
           'value == "false" || value == "0"', 'value == "no" || value == "0"'),
    Mutant("unknown_variable_passes", "plan/plan-inl.hpp", "a mistyped variable is ignored",
           'if (!name.starts_with("PERFSPEC_") || name', 'if (name.starts_with("PERFSPEC_") || name'),
    Mutant("default_sent_as_set", "plan/plan-inl.hpp", "another build refuses the plan of one with more options",
           "(is_default ? message.defaults : message.set)", "message.set"),
    Mutant("defaults_of_the_reader", "plan/plan-inl.hpp", "another build measures with its own defaults, not with those of the plan",
           "find_option(name)) detail::assign_text", "find_option(text)) detail::assign_text"),
]
