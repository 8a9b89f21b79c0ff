// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// Feeds a sequential test until it has decided, has as much evidence as it takes, or no more evidence comes.
///
/// next  called with the number of pieces that the test has. It returns the next piece, earlier ones first, or nothing
///       if there is none: the time is over, a process could not be measured, or all readings agree.
template <class Test, class Next> void drive(Test& test, Next next) {
    for (std::size_t taken = 0; test.is_open(); ++taken) {
        const auto evidence = next(taken);
        if (!evidence) return;
        test.add(*evidence);
    }
}

/// How far a claim is that takes several processes.
struct process_progress {
    std::string_view unit = "launches";
    std::size_t done{};
    std::size_t most{};                                       ///< that the claim may take
    double seconds{};                                         ///< that those took
    double longest{std::numeric_limits<double>::infinity()};  ///< seconds after which no more are taken
};

/// "latency(sort): 3 of at most 20 launches, up to 12 s left".
[[nodiscard]] std::string progress_text(const std::string& claim, const process_progress& now);

/// Shows how far the claim is where it takes two seconds or more: on a terminal after each process, elsewhere once.
void show_progress(const claim_context& context, process_progress now);

/// Says before a slow claim starts what it will cost. Its rounds show no progress: printing would disturb what they
/// measure.
void announce_cost(const claim_context& context, double seconds);

/// The settings of a sequential test, and the number of rounds that it needs for the verdict violated.
struct round_limits {
    sequential_settings settings;
    std::size_t min_size{};
};

/// The settings of a claim over rounds of samples in this process. It takes at most `usual` rounds, or as many as the
/// option `rounds` allows; more where the false-failure rate needs them. Throws as require_rounds does.
[[nodiscard]] round_limits limits_of_rounds(const claim_context& context, std::size_t usual, const char* what);

/// Throws input_error where the option `rounds` allows too few rounds for the verdict violated.
void require_rounds(const claim_context& context, std::size_t minimum, const char* what);

/// The settings of a claim over values of fresh processes.
[[nodiscard]] round_limits limits_of_launches(const claim_context& context);

/// Throws measurement_failure (too_slow) if the processes that the verdict violated needs do not fit into the time. The
/// text names enough.
///
/// unit     "launches"
/// one      the seconds of one of them
/// limit    the option that limits the time, "cap" or "budget"
/// longest  its seconds
void require_processes_fit(const char* unit, std::size_t minimum, double one, const char* limit, double longest);

/// How long the launches of a claim may take.
[[nodiscard]] double longest_seconds(const plan& p);

/// Whether one more process fits into the time, as those so far took it: all of it into the cap, and what they measured
/// into a given budget.
[[nodiscard]] bool fits_another(const plan& p, const evidence_counts& seen, std::size_t taken);

/// Whether one more launch may start, after so many that were seen. Those for the verdict violated may, unless the first
/// two show that they do not fit into the cap: that throws measurement_failure (too_slow) with a sufficient one.
[[nodiscard]] bool allows_another_launch(const claim_context& context, const evidence_counts& seen, std::size_t taken,
                                         std::size_t minimum);

/// One kind of evidence for a test.
struct unit_of_evidence {
    const char* name;      ///< "pairs"
    double seconds;        ///< per unit
    std::size_t rounds;    ///< how many the option of this name allows
    std::size_t sensible;  ///< how many there can be, or are worth waiting for
};

/// Waiting for more pairs than this is not sensible, even for short ones.
inline constexpr std::size_t sensible_pairs = 20'000;

/// The result with the decision of a sequential test as its verdict. In a parent, a violated claim is then repeated if
/// the test has two stages. An undecided one gets advice on what would decide it.
[[nodiscard]] claim_result conclude(const claim_context& context, claim_result result, const test_progress& test,
                                    const unit_of_evidence& unit);

/// The result, with a violation repeated in a fresh process if it can be. It stays violated only if that process agrees.
[[nodiscard]] claim_result repeated(const claim_context& context, claim_result result);

/// The result, if so many fresh processes agree with it that it is no chance; three if its value lies inside the bound
/// by a factor of two, and no more than fit into the cap. It is exact if all have its value, and undecided if one finds
/// another verdict.
[[nodiscard]] claim_result agreed_by_processes(const claim_context& context, claim_result result);

/// Why a violation says nothing of work in several threads or processes: others used the cores, which can only speak
/// against a claim that it is fast. Empty if it does. A hundred times beyond its bound is violated all the same.
///
/// beyond      the measured time or ratio, divided by its bound
/// crowding    what `crowding_text` says of the measurement
/// can_suffer  whether waiting can only speak against the claim
[[nodiscard]] std::string reason_of_crowding(double beyond, const std::string& crowding, bool can_suffer);

/// The result. If it is undecided because the process waited for a processor in most blocks, its reason says so.
///
/// counted  blocks that gave evidence, of those that were taken
[[nodiscard]] claim_result with_reason_of_waiting(claim_result result, std::size_t counted, std::size_t taken);

/// The result of a test whose decision says nothing of the subjects, for this reason: it is undecided.
[[nodiscard]] claim_result undecided_because(claim_result result, const test_progress& test, std::string reason);

/// Whether the user asked for something other than a verdict. In CI nobody asks for that: there, a switch was left on.
[[nodiscard]] bool is_on_request(const claim_context& context) noexcept;

}  // namespace perfspec::detail
