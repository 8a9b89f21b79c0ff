// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/operator_events.hpp>

#include <span>
#include <string>
#include <string_view>

namespace perfspec {

/// Writes calls of operators as a picture over time, for https://ui.perfetto.dev and chrome://tracing. The format is
/// JSON of Chrome's "Trace Event Format", with complete events ("ph": "X") in microseconds from the first call. Threads
/// are numbered from 1 in the order of their first calls.
///
/// subject  the name above the threads
/// events   in any order; without events the trace is empty
[[nodiscard]] std::string chrome_trace(std::string_view subject, std::span<const operator_event> events);

/// Writes the same calls as lines of text: self time, total time and number of calls of each operator, sorted by self
/// time.
[[nodiscard]] std::string operator_table(std::span<const operator_event> events);

}  // namespace perfspec
