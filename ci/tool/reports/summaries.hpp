// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Tables on a whole suite, which `perfspec report` adds.

#include "report.hpp"

#include <perfspec/report/claim_result.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfspec::tool {

/// One model run in one way, beside the subject of its comparison.
struct model_row {
    std::string name{};
    std::optional<double> reference{}, candidate{};  ///< medians of their times, in ns
    std::optional<estimate> speedup{};
    std::string claim{};    ///< the verdict of the claim on the speedup; empty without a claim
    std::string outputs{};  ///< "same", "differ"; empty if they were not compared
    std::string code{};     ///< what failed, in the words of PyTorch's benchmarks/dynamo
};

/// All models of a suite run in one way: a backend with its data type and mode.
struct suite_row {
    std::string name;                      ///< "inductor over eager, dtype=float32, test=eval"
    std::string reference{}, candidate{};  ///< "eager", "inductor"
    std::vector<model_row> by_model{};
    std::size_t models{};                 ///< that were judged
    std::size_t skipped{};                ///< others
    std::size_t passed{};                 ///< models without a failed claim and without outputs that differ
    std::size_t speedups{};               ///< models with a speedup
    double geomean{};                     ///< geometric mean of the speedups; 0 without one
    double low{}, high{};                 ///< geometric means of the ends of their intervals
    double geomean_clipped{};             ///< the same of max(speedup, 1)
    std::optional<double> compilation{};  ///< median over the models, in ns
    std::optional<double> memory{};       ///< geometric mean of the other subject's peak memory divided by this one's
    std::vector<std::string> warnings{};  ///< models that are slower, compile slowly, or need more memory
};

/// Sums results up as PyTorch's benchmarks/dynamo does: a row for each two subjects whose speed or outputs are
/// compared, and each combination of axes but `model`. A model is the axis `model`, else the test case.
/// The worst of several results for one value counts. Warnings name models with a speedup below 0.95, more than 120 s
/// of compiling, or a memory ratio below 0.9.
///
/// Source: pytorch/pytorch, benchmarks/dynamo/runner.py.
[[nodiscard]] std::vector<suite_row> suite_of(std::span<const record> records);

/// The models of a row as a table, with a line for their geometric mean.
[[nodiscard]] report_part models_part(const suite_row& row);

/// The rows as a table, and the warnings.
[[nodiscard]] report_part suite_part(std::span<const suite_row> rows);

/// The operators that profiles ran, compared with all operators of their tensor library: "operators: 33 of 1437 (2.3 %)
/// of those that LibTorch 2.13.0 has, in 2 models", and a line for each namespace. Empty without a profile. This
/// is the API coverage by which TorchBench judges a suite (Hao et al., "TorchBench: Benchmarking PyTorch with High API
/// Surface Coverage", 2023).
///
/// All overloads of an operator count once. Functions of the backward pass in a profile are not operators of the
/// library.
[[nodiscard]] std::string operators_summary(std::span<const record> records);

/// A table with a row for each operator: the models that ran it, each with its modes (the axes except the model).
[[nodiscard]] report_part operators_part(std::span<const record> records);

}  // namespace perfspec::tool
