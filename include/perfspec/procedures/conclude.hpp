// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2::detail {

/// Feeds a sequential test until it decides, has its maximum of evidence, or no more evidence comes.
///
/// next  called with the number of pieces that the test has. Returns the next piece, stored ones first; none if the
///       time is over, a process could not be measured, or all readings agree.
template <class Test, class Next> void drive(Test& test, Next next) {
    for (std::size_t count = 0; test.is_open(); ++count) {
        const auto evidence = next(count);
        if (!evidence) return;
        test.add(*evidence);
    }
}

/// The settings of a sequential test, and the number of rounds that it needs for the verdict violated.
struct round_limits {
    sequential_settings settings;
    std::size_t min_size{};
};

/// The settings of a claim over rounds of samples in this process. It takes at most `usual` rounds, or as many as the
/// option `rounds` allows; more if the false-failure rate needs them. Throws as require_rounds does.
[[nodiscard]] round_limits limits_of_rounds(const claim_context& context, std::size_t usual, const char* unit);

/// Throws input_error if the option `rounds` allows too few rounds for the verdict violated.
void require_rounds(const claim_context& context, std::size_t minimum, const char* unit);

/// The settings of a claim over values of fresh processes.
[[nodiscard]] round_limits limits_of_processes(const claim_context& context);

/// Throws measurement_failure (too_slow) if the processes that the verdict violated needs do not fit into the time. The
/// message names a sufficient limit.
///
/// unit            "processes"
/// seconds_of_one  of a process
/// longest         the cap in seconds
void require_processes_fit(const char* unit, std::size_t minimum, double seconds_of_one, double longest);

/// The time limit of a claim's processes.
[[nodiscard]] double longest_seconds(const plan& p);

/// Whether one more process of average cost fits into the cap.
[[nodiscard]] bool fits_another(const plan& p, const evidence_counts& spent, std::size_t count);

/// Whether one more process may start. Those that the verdict violated needs may, unless the first two show that they
/// do not fit into the cap: that throws measurement_failure (too_slow), which names a sufficient cap.
[[nodiscard]] bool allows_another_process(const claim_context& context, const evidence_counts& spent, std::size_t count,
                                          std::size_t minimum);

/// One kind of evidence for a test.
struct unit_of_evidence {
    const char* name;      ///< "pairs"
    double seconds;        ///< per unit
    std::size_t rounds;    ///< the limit that the option of this name sets
    std::size_t sensible;  ///< the most that are possible or worth waiting for
};

/// The most pairs that advice proposes to wait for.
inline constexpr std::size_t sensible_pairs = 20'000;

/// The result with the decision of a sequential test as its verdict. If the test has two stages, a parent process
/// repeats a violated claim. An undecided claim gets advice on what would decide it.
///
/// excuse  why a violation does not count; empty if it does
[[nodiscard]] claim_result conclude(const claim_context& context, claim_result result, const test_progress& test,
                                    const unit_of_evidence& unit, std::string excuse = {});

/// Repeats a violation in a fresh process, if that is possible. The result stays violated only if that process agrees.
[[nodiscard]] claim_result repeated(const claim_context& context, claim_result result);

/// Repeats a verdict in enough fresh processes that agreement is no chance: three if the value is inside the bound by a
/// factor of two, and no more than fit into the cap. The result is exact if all have the same value, and undecided if
/// one has another verdict.
[[nodiscard]] claim_result agreed_by_processes(const claim_context& context, claim_result result);

/// Whether the interval is on the side of the bound that the claim denies, and farther away than the margin.
[[nodiscard]] bool looks_violated(const claim_context& context, const claim_result& result, double margin = 0.0);

/// How many times longer work takes that shares caches, memory and clocks with other processes, at most, by its
/// processor time: 1.28 for sorts and maps beside two to 28 loops on two cores; processes of seven workloads on two
/// recorded machines differed by 1.42 between the fastest and the slowest. Waiting is not in it.
inline constexpr double largest_effect_of_sharing = 1.35;

/// Whether other processes used a tenth of a processor or more meanwhile.
[[nodiscard]] bool was_shared(const disturbances& disturbed) noexcept;

/// Why a violation does not count: the processes that shared the machine explain it. Empty if they do not.
///
/// beyond  the distance beyond the bound, a logarithm
[[nodiscard]] std::string reason_of_sharing(double beyond, const disturbances& disturbed);

/// The result; if it is undecided because interruptions leave too little evidence, with that reason.
///
/// counted, excluded  pairs or blocks that gave evidence, and those that did not
[[nodiscard]] claim_result with_reason_of_interruptions(claim_result result, const char* unit, std::size_t counted,
                                                        std::size_t excluded);

/// An undecided result: for this reason, the test's decision is no evidence about the subjects.
[[nodiscard]] claim_result undecided_because(claim_result result, const test_progress& test, std::string reason);

/// Whether a claim without a verdict is intended. Never in CI, where it means that a switch was left on.
[[nodiscard]] bool is_on_request(const claim_context& context) noexcept;

}  // namespace perfspec::inline v0_2::detail
