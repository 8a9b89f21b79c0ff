// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// Feeds a sequential test until it has decided, has as much evidence as it takes, or no more evidence comes.
///
/// next  called with the number of pieces that the test has. It returns the next piece, or nothing where there is none:
/// the time is over,
///       a process could not be measured, or all readings agree. It returns earlier pieces first.
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
    std::size_t most{};         ///< that the claim may take
    double seconds{};           ///< that those took
    bool may_end_sooner{true};  ///< a test that decides earlier takes no more
    bool is_capped{};           ///< it ends at the cap of the claim, however many processes it may take
    test_progress test{};  ///< the evidence before the newest process; without any where no sequential test decides
};

/// "latency(sort): 3 of at most 20 launches, up to 12 s left, 63 % of the evidence that it holds"; "3 of 10
/// launches, 2.4 s left" where the number is fixed.
[[nodiscard]] std::string progress_text(const std::string& claim, const process_progress& now);

/// Shows how far the claim is where it takes two seconds or more altogether: on a terminal after each process,
/// elsewhere once. Nothing in a child, and where verbosity is quiet.
void show_progress(const claim_context& context, process_progress now);

/// Shows that the claim waits for what measures it, "a fresh process", where that is long.
void show_wait(const claim_context& context, const std::string& who, waiting_time time);

/// ", without the time of the worker of models.py for imports and compiling": a fresh process, as a violated claim
/// takes one, needs that once more. Empty where no other process has subjects.
[[nodiscard]] std::string left_out_of_estimate(const claim_context& context);

/// Says before a slow claim starts what it will cost. Its rounds show no progress: printing would disturb what they
/// measure.
void announce_cost(const claim_context& context, double seconds);

}  // namespace perfspec::detail
