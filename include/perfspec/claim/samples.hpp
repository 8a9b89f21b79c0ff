// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What an evaluation has measured so far.

#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/report/claim_result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// One reading of each side for one iteration: nanoseconds without interruptions, counts, or values that bodies report.
struct reading_pair {
    double a{};
    double b{};
    double log_ratio{};
};

/// The pairs of a claim. The second side of a tolerance reuses those of the first, then takes more.
struct pair_series {
    pair_calibration calibration;
    std::uint64_t seed{};
    std::vector<reading_pair> pairs{};  ///< that count
    process_resources resources_before{};
    double spent_ns{};         ///< wall time, calibration included
    std::size_t excluded{};    ///< pairs with an interrupted sample whose time is not known
    disturbances disturbed{};  ///< interrupted samples
};

/// The blocks of a claim.
struct block_series {
    block_calibration calibration;
    std::vector<timed_block> blocks{};
    process_resources resources_before{};
    double spent_ns{};
};

/// One fresh process and what it reported.
struct process_result {
    stored_process process;
    claim_result answer;
    evidence_counts spent{};  ///< the time of the process alone
};

/// The processes of a claim.
struct process_series {
    std::string recording_session;  ///< the mark of all these processes
    std::vector<process_result> processes;
};

/// One process of this build and one of another, measured against each other. Values are in the query's base unit.
struct process_pair {
    double head{};       ///< of this build: the median
    double baseline{};   ///< of the baseline build: the median
    double log_ratio{};  ///< center of log(head / baseline)
    std::size_t rounds{};
    evidence_counts spent{};          ///< the time alone
    std::uint64_t head_iterations{};  ///< of a sample; 0 if each build was measured alone
    std::uint64_t baseline_iterations{};
    std::vector<double> head_ns{};  ///< time of one iteration, for each sample
    std::vector<double> baseline_ns{};
    std::string commit{};  ///< of the baseline build, if it knows it
    bool exact{};          ///< both builds repeated their counts
    std::vector<part_value> head_parts{};
    std::vector<part_value> baseline_parts{};
};

/// The process pairs of a claim.
struct build_series {
    std::vector<process_pair> pairs;
    std::optional<record> head;  ///< the record of this build, if the other one lacks the claim
    bool alternates{};           ///< one build after the other, because both together do not fit into memory
};

/// The measurements of one evaluation. The sides of a tolerance share them.
struct evaluation_samples {
    std::optional<pair_series> pairs{};
    std::optional<block_series> blocks{};
    std::array<process_series, 2> processes{};  ///< of the query, and of the query in its bound
    build_series builds{};

    [[nodiscard]] bool any() const noexcept {
        return pairs || blocks || !processes[0].processes.empty() || !processes[1].processes.empty() ||
               !builds.pairs.empty();
    }
};

}  // namespace perfspec::inline v0_2
