// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// Writes a query with the names of its subjects: "speedup(eager, inductor)", "throughput(parser, bytes)".
[[nodiscard]] std::string describe(const query_description& query, const std::vector<std::string>& names);

/// The settings of `s` that not all subjects of a query share. They distinguish `s`, so they are written after its
/// name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> distinguishing_settings(const subject& s,
                                                                                       const std::vector<subject>& of);

/// The axes of all subjects together. Throws input_error if two subjects give one axis different values.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> united_axes(const std::vector<subject>& subjects);

/// "<", "<=", ">", ">=", "==".
[[nodiscard]] const char* to_string(comparison c) noexcept;

}  // namespace perfspec
