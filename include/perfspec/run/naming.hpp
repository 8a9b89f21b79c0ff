// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/evaluation.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// Of the query, and of the one that it is compared with.
[[nodiscard]] std::vector<subject> subjects_of(const expression_node& tree);

/// Fills names, query text, axes and key of an evaluation. Throws input_error for axes in conflict, or an unnamed subject outside macros
/// whose claim is on a baseline.
void name_query(evaluation& e);

/// The key of an entry: test / sections / query / axes, each part as it is. Parts are joined by " / ".
[[nodiscard]] std::string key_of(const evaluation& e);

}  // namespace perfspec::detail
