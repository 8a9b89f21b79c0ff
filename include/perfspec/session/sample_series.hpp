// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/pair_source.hpp>
#include <perfspec/report/record.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace perfspec {

/// The evaluations of assertions that use a series of samples.
struct series_users {
    std::uint64_t latest{};          ///< the number of the evaluation that used it last; 0: none
    std::string first{};             ///< the place of the evaluation that took its first samples, "sort_test.cpp:42"
    std::set<std::string> places{};  ///< of all evaluations
};

/// The pairs that claims of one test case on the same two subjects share. A later claim replays them from the first one, then takes more.
struct pair_series {
    series_users users{};
    pair_calibration calibration;
    std::uint64_t seed{};
    std::vector<timed_pair> pairs;
    double spent_ns{};    ///< wall time, calibration included
    double counted_ns{};  ///< the part of it that the record of an earlier claim counts
};

/// The blocks that claims of one test case on one subject share.
struct block_series {
    series_users users{};
    block_calibration calibration;
    std::vector<timed_block> blocks;
    double spent_ns{};
    double counted_ns{};
};

/// The counts of a few runs of a subject.
struct counted_runs {
    series_users users{};
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
    std::vector<gpu_activity> gpus{};
};

/// The launches that claims of one test case on one key share.
struct launch_series {
    series_users users{};
    std::string recording_session;  ///< the mark that all of them carry
    std::vector<launch_result> launches;
    std::optional<layout_effect> layout;  ///< the effect of layouts, if they are drawn
    std::uint64_t drawn_by{};             ///< the number of the evaluation that drew them
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

/// The launch pairs that claims of one test case on one key share.
struct reference_series {
    series_users users{};
    std::vector<launch_pair> pairs;
    std::optional<record> head;  ///< the record of this build, if the other one does not have the claim
    bool alternates{};           ///< one build after the other, because both together do not fit into memory
};

/// The measurements of the present pass of a test case. Their keys are the subjects, the metric, and the options that affect samples.
struct shared_samples {
    std::map<std::string, pair_series> pairs;
    std::map<std::string, block_series> blocks;
    std::map<std::string, counted_runs> counts;
    std::map<std::string, launch_series> launches;
    std::map<std::string, reference_series> references;
    std::map<std::uint64_t, double> called_ns;  ///< by subject: the time of one call, in a dry run
    std::map<std::string, std::set<std::string>>
        counted_in_dry_run;  ///< by series that a dry run has counted: the places that would use it
};

}  // namespace perfspec
