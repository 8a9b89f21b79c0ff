// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/record.hpp>

namespace perfspec::detail {

/// A finding before anything is found: in the units and with the margin of the question.
[[nodiscard]] finding nothing_found(const question& asked);

/// The result of an assertion, from what was asked and what was found. Nothing else writes records.
[[nodiscard]] record record_of(const question& asked, const finding& found);

}  // namespace perfspec::detail
