// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Decides which claims of a test case share samples, and which claim counts their cost.
//
// Claims share samples only where nothing can have changed between them: the same subjects with the same axes and declared work, measured
// in the same way, at two places of the source. A claim that is reached twice at one place is meant to be measured twice.
// Before another claim uses a series, two fresh samples of each side are taken. If neither is like the series, it is
// dropped and the claim measures again.

#include <perfspec/ask/question.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/session/sample_series.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// How many fresh samples of each side are compared with a series before another claim uses it.
inline constexpr std::size_t fresh_samples_to_share = 2;

/// The options that affect samples. The budget is one of them: it is fixed when a series is calibrated.
[[nodiscard]] std::string sampling_of(const plan& p);

/// The key by which claims in one process share samples: the objects, their declared work, and how they are measured.
[[nodiscard]] std::string sharing_key(const question& asked, const std::vector<const subject*>& subjects, metric_kind m);

/// The launches of the query's key that this test case has taken so far.
[[nodiscard]] launch_series& launches_of(const question& asked);

/// Makes this evaluation a user of the series.
void use_series(const question& asked, series_users& users);

/// Whether this evaluation may use the series. True where it has used it already, or where only another place has and `is_unchanged()`.
/// In the second case the finding names that place.
template <class IsUnchanged>
[[nodiscard]] bool may_share(const question& asked, finding& found, const series_users& users, IsUnchanged is_unchanged) {
    if (users.latest == 0 || users.latest == asked.number) return users.latest != 0;
    if (users.places.contains(place_of(asked)) || !is_unchanged()) return false;
    found.evidence.shared_with = users.first;
    return true;
}

/// Whether fresh values are like earlier ones: at least one must be between the earlier quartiles, widened by twice their distance on
/// either side, by logarithms. One is enough, because noise may have spoilt the others. No where there are no earlier ones.
[[nodiscard]] bool are_alike(const std::vector<double>& fresh, const std::vector<double>& before);

/// Describes the cost of the series so far, and how much of it an earlier claim's record already counts.
template <class Series> void describe_cost(finding& found, Series& series) {
    found.evidence.seconds = series.spent_ns * 1e-9;
    found.evidence.shared_seconds = std::exchange(series.counted_ns, series.spent_ns) * 1e-9;
    found.evidence.budget_seconds = static_cast<double>(series.calibration.time.budget_ns) * 1e-9;
}

}  // namespace perfspec::detail
