// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/operator_events.hpp>

#include <vector>

namespace perfspec::detail {

/// The operators that one iteration of a subject runs in another process, one after another; none where nobody sees
/// them. The adapter of such subjects sets it.
inline std::vector<operator_event> (*remote_operators)(const subject& x) = nullptr;

}  // namespace perfspec::detail
