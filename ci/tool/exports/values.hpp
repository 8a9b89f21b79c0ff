// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <string>
#include <string_view>
#include <vector>

// What several exporters read from a record.

namespace perfspec::tool {

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
