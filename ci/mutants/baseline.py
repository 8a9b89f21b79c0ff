# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in stored baselines."""
from .mutant import Mutant

MUTANTS = [
    # baseline
    Mutant("sessions_in_a_row_are_many", "baseline/sessions/recording_session-inl.hpp", "sessions minutes apart show how the machine drifts",
           "*when - *before < separation_seconds", "*when - *before < 0"),
    Mutant("oldest_processes_kept", "baseline/sessions/recording_session-inl.hpp", "of too many processes the oldest stay",
           "std::span(all).last(", "std::span(all).first("),
    Mutant("processes_rounded_too_far", "baseline/baseline_store-inl.hpp", "stored processes lose digits that tell them apart",
           "detail::exponent_of(spread) - 1;", "detail::exponent_of(spread) + 1;"),
    Mutant("only_slower_moves", "baseline/update_rule-inl.hpp", "a baseline that became faster is not updated",
           "if (std::abs(moved) > third)", "if (moved > third)"),
    Mutant("noisy_processes_stored", "baseline/update_rule-inl.hpp", "processes that see nothing become a baseline",
           "if (spread <= max_spread_to_record) return decision;", "return decision;"),
    Mutant("foreign_hardware_accepted", "baseline/baseline_store-inl.hpp", "a file that was copied from other hardware is a baseline",
           "if (file.hardware != where.hardware) return", "if (file.suite != where.suite) return"),
    Mutant("appended_processes_rounded_alone", "baseline/baseline_store-inl.hpp", "appended processes are rounded as if nothing was stored",
           "const bool keeps_stored = action == update_action::append;", "const bool keeps_stored = action == update_action::refuse;"),
    Mutant("cut_line_glued", "baseline/file_system-inl.hpp", "a result is appended to what a killed process left of another",
           "? '\\n' + line : line", "? line : line"),
    Mutant("cut_line_kept", "baseline/file_system-inl.hpp", "what a full disk took of a result stays in the file",
           "(void)!::ftruncate(fd.get(), facts.st_size);", ""),
    Mutant("folder_lock_left_to_forks", "baseline/file_system-inl.hpp", "a process that was forked keeps a folder locked",
           "                ::flock(handle, LOCK_UN);\n", ""),
    # golden outputs
    Mutant("only_the_first_output_kept", "baseline/golden/golden_file-inl.hpp", "bits of later outputs are not compared",
           "for (std::size_t i = 0; i < stored.outputs.size(); ++i)", "for (std::size_t i = 0; i < 1; ++i)"),
]
