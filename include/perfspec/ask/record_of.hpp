// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/record.hpp>

namespace perfspec::detail {

/// An empty finding, with the units and the margin of the question.
[[nodiscard]] finding nothing_found(const question& asked);

/// Makes the record of an assertion from its question and its finding. Nothing else makes records.
[[nodiscard]] record record_of(const question& asked, const finding& found);

}  // namespace perfspec::detail
