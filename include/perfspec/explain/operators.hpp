// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/operator_events.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// The calls of operators, each with the device time of the work that it started itself, not through other operators.
/// Work without a known call, such as a program's own kernels, becomes calls named "(no operator)".
///
/// Work on several streams at once counts once for each, so a sum may be longer than the device was busy.
[[nodiscard]] std::vector<operator_event> calls_with_device_times(std::span<const device_event> trace);

/// The operators of one iteration with their times on the device. The overload for an operator_recorder has the times
/// on the processor alone. Throws measurement_failure (not_countable) if the recorder cannot begin or its trace cannot
/// be read.
[[nodiscard]] std::vector<operator_event> record_operators(device_recorder& recorder, const subject& x,
                                                           input_shapes shapes = input_shapes::ignored);

/// Writes calls of operators as a timeline for https://ui.perfetto.dev and chrome://tracing. The format is JSON of
/// Chrome's "Trace Event Format", with complete events ("ph": "X") in microseconds from the first call. Threads are
/// numbered from 1 in the order of their first calls.
///
/// subject  the name above the threads
/// events   in any order; without events the trace is empty
[[nodiscard]] std::string chrome_trace(std::string_view subject, std::span<const operator_event> events);

/// Writes the same calls as lines of text: self time, total time and number of calls of each operator, sorted by self
/// time.
[[nodiscard]] std::string operator_table(std::span<const operator_event> events);

}  // namespace perfspec::inline v0_2
