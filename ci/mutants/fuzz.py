# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in readers and writers that the targets of ci/fuzz should find in seconds: one for each."""
from .mutant import Mutant

MUTANTS = [
    Mutant("line_not_written", "report/json_lines-inl.hpp", "a result does not say where its claim is",
           'if (name != "schema" && !is_left_out) members', 'if (name != "schema" && name != "line" && !is_left_out) members', "fuzz/results"),
    Mutant("key_not_escaped", "baseline/baseline_file-inl.hpp", "the file of a claim with quotes in its key cannot be read",
           "json(entry.key), render_one(entry))", "'\"' + entry.key + '\"', render_one(entry))", "fuzz/baselines"),
    Mutant("end_not_sent", "quantity/json_fields.hpp", "a fresh process judges the other end of a tolerance",
           "if (!is_omitted(f, object.*f.member)) members.add(f.name", "if (!is_omitted(f, object.*f.member) && f.name != \"end\") members.add(f.name", "fuzz/messages"),
    Mutant("bytes_reach_the_terminal", "callgrind/simulator-inl.hpp", "the error for a damaged profile has control characters",
           '"counts " + excerpt(word)', '"counts " + std::string(word)', "fuzz/profiles"),
]
