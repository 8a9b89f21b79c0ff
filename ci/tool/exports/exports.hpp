// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What several exporters read from a record.

#include <perfspec/report/record.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// What an exporter made of results, and how many of them its format has no place for.
struct exported {
    std::string text{};
    std::size_t left_out{};
    std::string_view why{};  ///< "a value that is no time"; empty where nothing is left out
};

/// Google Benchmark's JSON, as its tools/compare.py reads it. A time becomes a benchmark with the name of its key, and each of its launches a
/// repetition. A ratio becomes a benchmark for each of its subjects, with the ratio as a counter. Other values have no place there.
///
/// Source: google/benchmark, its user guide, "Output Formats", and its page on tools.
[[nodiscard]] exported to_google_benchmark(std::span<const record> records);

/// The benchmark records of PyTorch's OSS benchmark database, schema v3: a JSON array with an object for each measured value.
///
/// Source: pytorch/pytorch wiki, "How to integrate with PyTorch OSS benchmark database".
[[nodiscard]] exported to_pytorch(std::span<const record> records);

/// TorchBench's userbenchmark JSON: name, environment, and a flat object of metrics.
///
/// Source: pytorch/benchmark, "Adding userbenchmarks".
[[nodiscard]] exported to_torchbench(std::span<const record> records);

/// Comma-separated values (RFC 4180) with a line of headings and a line for each result, in base units.
[[nodiscard]] exported to_csv(std::span<const record> records);

/// JUnit XML: a test case for each result, with its numbers as properties, and its verdict as failure, error or skipped.
[[nodiscard]] exported to_junit(std::span<const record> records);

/// A format by its name on the command line.
struct export_format {
    std::string_view name;
    exported (*write)(std::span<const record>);
};

/// "google-benchmark", "pytorch", "torchbench", "csv", "junit".
[[nodiscard]] std::span<const export_format> export_formats() noexcept;

/// The name of the metric: "latency" of "latency(sort)", or the whole query where it has no parentheses.
[[nodiscard]] std::string metric_of(const record& r);

/// The values of the launches that were judged; else the median of this process alone. Precondition: the record has a measured value.
[[nodiscard]] std::vector<double> repetitions_of(const record& r);

/// An axis of the record; else the other text.
[[nodiscard]] std::string axis_or(const record& r, std::string_view axis, std::string_view other);

/// A text in XML 1.0, as content or attribute. What XML cannot hold becomes U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

/// A number that every reader of JSON, XML and CSV reads back exactly.
[[nodiscard]] std::string exact_number(double value);

}  // namespace perfspec::tool
