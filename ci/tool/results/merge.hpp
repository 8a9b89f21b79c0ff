// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// The lines of all shards, and a report on their completeness.
struct merged_results {
    std::string lines{};  ///< the lines to write
    outcome told{};
};

inline constexpr std::string_view reason_of_unfinished =
    "the measurement started and has no result: its process crashed, was killed, or ran into the time-out of its test";

/// The result of a measurement that never ended: *invalid*, verification code VERIFIER_DIDNT_RUN.
[[nodiscard]] record result_of_unfinished(record started);

/// Merges the results of shards into one file.
///
/// A measurement that started and did not end becomes a result (`result_of_unfinished`).
/// The code is `unusable` for such a measurement, for a line that was cut short, and where there is no line at all.
/// It is `unusable` also for fewer or more files than shards, the same result in two files, and results of more than one commit.
[[nodiscard]] merged_results merge(const results& found, std::span<const input_text> files, std::optional<std::size_t> shards);

}  // namespace perfspec::tool
