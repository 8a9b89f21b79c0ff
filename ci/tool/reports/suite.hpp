// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../tool.hpp"

#include <perfspec/report/record.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfspec::tool {

/// What a suite of models says of one way to run them: a backend with its data type and mode.
struct suite_row {
    std::string name;  ///< "inductor over eager, dtype=float32, test=eval"
    std::size_t models{};
    std::size_t passed{};                 ///< models without a failed claim and without outputs that differ
    std::size_t speedups{};               ///< models with a speedup
    double geomean{};                     ///< geometric mean of the speedups; 0 without one
    double geomean_clipped{};             ///< the same of max(speedup, 1)
    std::optional<double> cold_start{};   ///< median over the models, in ns
    std::optional<double> compilation{};  ///< median over the models, in ns
    std::optional<double> memory{};       ///< geometric mean of the other subject's peak memory divided by this one's
    std::vector<std::string> warnings{};  ///< models that are slower, start or compile slowly, or need more memory
};

/// Sums results up as PyTorch's benchmarks/dynamo does: a row for each two subjects that speedups compare, and each combination of
/// axes but `model`. A model is the axis `model`, else the test case. Where a model has several results of one query, the first with a value
/// counts. A model is warned of below a speedup of 0.95, beyond 120 s of cold start or of compiling, and below 0.9 of the other subject's memory.
///
/// Source: pytorch/pytorch, benchmarks/dynamo/runner.py.
[[nodiscard]] std::vector<suite_row> suite_of(std::span<const record> records);

/// The rows as a table, and the warnings; empty where nothing has a speedup.
[[nodiscard]] std::string suite_console(std::span<const suite_row> rows);

/// The same in GitHub's Markdown.
[[nodiscard]] std::string suite_markdown(std::span<const suite_row> rows);

/// Adds the rows whose geometric mean is below the least, and the exit code for them: `violated`, or `unusable` where nothing has a speedup.
[[nodiscard]] outcome require_geomean(outcome done, std::span<const suite_row> rows, double least);

}  // namespace perfspec::tool
