// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// A query in words, with the subjects' names: "speedup(eager, inductor)", "throughput(parser, bytes)".
[[nodiscard]] std::string describe(const query_description& query, const std::vector<std::string>& names);

/// The settings of `s` that are not those of all subjects of a query: they tell it apart, and stand behind its name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> distinguishing_settings(const subject& s, const std::vector<subject>& of);

/// The axes of all subjects, united. Throws input_error when two subjects give one axis different values.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> united_axes(const std::vector<subject>& subjects);

/// "<", "<=", ">", ">=", "==".
[[nodiscard]] const char* to_string(comparison c) noexcept;

}  // namespace perfspec
