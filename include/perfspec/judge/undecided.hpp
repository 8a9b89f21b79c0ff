// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/stats/sequential/sequential.hpp>

#include <cstddef>

namespace perfspec::detail {

/// What a test is fed with.
struct unit_of_evidence {
    const char* name;      ///< "pairs"
    double seconds;        ///< of one
    std::size_t rounds;    ///< how many the option of this name lets pass
    std::size_t sensible;  ///< how many there can be, or are worth waiting for
};

/// More pairs than this nobody waits for, even where each is short.
inline constexpr std::size_t sensible_pairs = 20'000;

/// Makes the verdict undecided, and says what would decide it: the rounds and seconds that the evidence still needs at its rate so far; or that
/// this machine's noise does not resolve the bound. And the margin with which what was measured would hold.
void explain_undecided(const question& asked, finding& found, const test_progress& test, const unit_of_evidence& unit);

}  // namespace perfspec::detail
