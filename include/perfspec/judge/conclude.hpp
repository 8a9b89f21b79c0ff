// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cstddef>

namespace perfspec::detail {

/// One kind of evidence for a test.
struct unit_of_evidence {
    const char* name;      ///< "pairs"
    double seconds;        ///< per unit
    std::size_t rounds;    ///< how many the option of this name allows
    std::size_t sensible;  ///< how many there can be, or are worth waiting for
};

/// Waiting for more pairs than this is not sensible, even for short ones.
inline constexpr std::size_t sensible_pairs = 20'000;

/// Makes the verdict undecided, and adds advice on what would decide it. That is the rounds and seconds that the
/// evidence still needs at its rate so far, or the note that this machine's noise does not resolve the bound. It adds
/// the margin with which the claim would hold.
void explain_undecided(const claim_context& context, claim_result& result, const test_progress& test,
                       const unit_of_evidence& unit);

/// Puts the test's evidence into the result.
void describe_test(claim_result& result, const test_progress& test);

/// Turns a sequential test's decision into this stage's verdict. In a parent, a violated claim is then repeated if the
/// test has two stages.
void conclude(const claim_context& context, claim_result& result, const test_progress& test,
              const unit_of_evidence& unit);

/// Notes that the user asked for something other than a verdict. In CI nobody asks for that: there, a switch was left
/// on.
void note_request(const claim_context& context, claim_result& result) noexcept;

}  // namespace perfspec::detail
