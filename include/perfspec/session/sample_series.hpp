// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/report/claim_result.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// The pairs of a claim. The second side of a tolerance replays them from the first one, then takes more.
struct pair_series {
    pair_calibration calibration;
    std::uint64_t seed{};
    std::vector<timed_pair> pairs{};
    double spent_ns{};  ///< wall time, calibration included
};

/// The blocks of a claim.
struct block_series {
    block_calibration calibration;
    std::vector<timed_block> blocks{};
    double spent_ns{};
};

/// The counts of a few runs of a subject.
struct counted_runs {
    std::vector<std::uint64_t> counts;
    std::uint64_t iterations{1};  ///< of a run

    [[nodiscard]] std::vector<double> per_iteration() const;
    /// The count of one iteration, if all runs counted the same.
    [[nodiscard]] std::optional<double> settled() const;
};

/// One fresh process and what it reported.
struct launch_result {
    stored_launch launch;
    std::vector<sample_summary> subjects;
    std::size_t rounds{};
    double seconds{};
    bool exact{};  ///< its runs counted the same
    std::vector<part_value> parts{};
    int runnable{};  ///< threads that ran or wanted to run at its end
    int cores{};
    std::vector<device_activity> devices{};
};

/// The launches of a claim.
struct launch_series {
    std::string recording_session;  ///< the mark that all of them carry
    std::vector<launch_result> launches;
};

/// One process of this build and one of another, measured against each other. Values are in the query's base unit.
struct launch_pair {
    double head{};       ///< of this build: the median
    double reference{};  ///< of the other build: the median
    double log_ratio{};  ///< centre of log(head / reference)
    std::size_t rounds{};
    double seconds{};
    std::uint64_t head_iterations{};  ///< of a sample; 0 if each build was measured alone
    std::uint64_t reference_iterations{};
    std::vector<double> head_ns{};  ///< time of one iteration, for each sample
    std::vector<double> reference_ns{};
    std::string commit{};  ///< of the other build, if it knows it
    bool exact{};          ///< counts that repeated in both
    std::vector<part_value> head_parts{};
    std::vector<part_value> reference_parts{};
};

/// The launch pairs of a claim.
struct reference_series {
    std::vector<launch_pair> pairs;
    std::optional<record> head;  ///< the record of this build, if the other one does not have the claim
    bool alternates{};           ///< one build after the other, because both together do not fit into memory
};

/// What one evaluation of an assertion has measured. The sides of a tolerance share it.
struct evaluation_samples {
    std::optional<pair_series> pairs{};
    std::optional<block_series> blocks{};
    std::array<launch_series, 2> launches{};  ///< of the query, and of the one that it is compared with
    reference_series builds{};

    [[nodiscard]] bool any() const noexcept {
        return pairs || blocks || !launches[0].launches.empty() || !launches[1].launches.empty() ||
               !builds.pairs.empty();
    }
};

}  // namespace perfspec
