// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Which claims of a test case share what was measured, and who counts its cost.
//
// Samples are shared only where nothing can have changed between two claims: the same subjects with the same axes and declared work, measured in
// the same way, at two places of the source. Who comes to one place twice wants it measured twice. Before a series is used for another claim,
// two fresh samples of each side have to lie where those of the series lie; else it is dropped, and the claim measures anew.

#include <perfspec/ask/question.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/session/sample_series.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// So many fresh samples of each side are compared with those of a series before another claim uses it.
inline constexpr std::size_t fresh_samples_to_share = 2;

/// The options that shape samples. The budget is one: it is settled once a series, when that is calibrated.
[[nodiscard]] std::string sampling_of(const plan& p);

/// What has to be the same for claims to share samples in one process: the objects, what was declared of them, and how they are measured.
[[nodiscard]] std::string sharing_key(const question& asked, const std::vector<const subject*>& subjects, metric_kind m);

/// The launches of the query's key that this test case has taken so far.
[[nodiscard]] launch_series& launches_of(const question& asked);

/// Makes this evaluation a user of the series.
void use_series(const question& asked, series_users& users);

/// Whether the series may be used by this evaluation. True where it has used it already, and where another place has and `is_unchanged()`; the
/// finding then names that place.
template <class IsUnchanged>
[[nodiscard]] bool may_share(const question& asked, finding& found, const series_users& users, IsUnchanged is_unchanged) {
    if (users.latest == 0 || users.latest == asked.number) return users.latest != 0;
    if (users.places.contains(place_of(asked)) || !is_unchanged()) return false;
    found.evidence.shared_with = users.first;
    return true;
}

/// Whether fresh values lie where those before lie: the one nearest to their median between their quartiles, widened by twice their distance to
/// either side, by logarithms. Noise may have spoilt the others.
[[nodiscard]] bool are_alike(const std::vector<double>& fresh, const std::vector<double>& before);

/// What the series has cost so far, and how much of it an earlier claim's record counts.
template <class Series> void describe_cost(finding& found, Series& series) {
    found.evidence.seconds = series.spent_ns * 1e-9;
    found.evidence.shared_seconds = std::exchange(series.counted_ns, series.spent_ns) * 1e-9;
    found.evidence.budget_seconds = static_cast<double>(series.calibration.time.budget_ns) * 1e-9;
}

}  // namespace perfspec::detail
