// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// What an exporter made of results, and how many of them its format has no place for.
struct exported {
    std::string text{};
    std::size_t left_out{};
    std::string_view why{};  ///< "no measured value"; empty where nothing is left out
};

/// The benchmark records of PyTorch's OSS benchmark database, schema v3: a JSON array with an object for each measured
/// value.
///
/// Source: pytorch/pytorch wiki, "How to integrate with PyTorch OSS benchmark database".
[[nodiscard]] exported to_pytorch(std::span<const record> records);

/// TorchBench's userbenchmark JSON: name, environment, and a flat object of metrics.
///
/// Source: pytorch/benchmark, "Adding userbenchmarks".
[[nodiscard]] exported to_torchbench(std::span<const record> records);

/// Comma-separated values (RFC 4180) with a line of headings and a line for each result, in base units.
[[nodiscard]] exported to_csv(std::span<const record> records);

/// JUnit XML: a test case for each result, with its numbers as properties, and its verdict as failure, error or
/// skipped.
[[nodiscard]] exported to_junit(std::span<const record> records);

}  // namespace perfspec::tool
