// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Files of baselines, and the commands of `perfspec baselines` on them.

#include "../program.hpp"
#include "../results/results.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// A file of baselines, and its path.
struct located_file {
    std::string path{};
    baseline_file file{};
};

/// The title of a file: "vision_test on amd-epyc-7763-4c, variant gcc-13".
[[nodiscard]] std::string title_of(const baseline_file& file);

/// "3.214 ms": the median launch.
[[nodiscard]] std::string median_text(const baseline_entry& entry);

/// The smallest change beyond the bound that the launches detect, such as "+4 %"; "-" where they cannot show it:
/// counts of 0, too few launches, or launches that spread too much.
[[nodiscard]] std::string detectable_text(const baseline_entry& entry);

/// When the newest launch was measured. Precondition: there is one.
[[nodiscard]] const std::string& newest_of(std::span<const stored_launch> launches);

/// Thrown where a command stops after it has written some files. `told` is the report on those files.
struct failed_midway : input_error {
    failed_midway(const std::string& why, std::string so_far) : input_error(why), told(std::move(so_far)) {}

    std::string told;
};

/// The tightest bound that each entry's own launches support, as code; none for launches of one
/// recording session.
[[nodiscard]] outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern,
                                     double false_failure);

/// The chances of a claim on `baseline()` while nothing changes, as fractions of replayed runs.
struct claim_chances {
    double violated = 0;
    double holds = 0;
};

/// The stored launches that a claim is compared with, and the allowance for their drift.
struct stored_side {
    std::span<const double> launches;  ///< ten to forty values
    double allowance = 0;              ///< as a fraction
    direction claimed = direction::less;
};

/// The chances of `x < factor * baseline()` (direction::more: `>`), decided by the rank test. For each of 2000 runs,
/// twenty fresh launches are drawn from `fresh`, each independently. The draws are the same in every call.
///
/// Precondition: `fresh` is not empty. Throws as stored_rank_test does.
[[nodiscard]] claim_chances chances_of(const stored_side& stored, std::span<const double> fresh, double factor);

/// A bound that launches like the stored ones support.
struct tight_bound {
    double factor = 1;
    claim_chances chances{};  ///< the worst chance of all recording sessions, for each verdict
};

/// How often a claim at the suggested bound must hold while nothing changes. At a lower rate it would often be
/// undecided.
inline constexpr double suggested_to_hold = 0.95;

/// The factor closest to 1, in steps of 0.01, for which unchanged code is violated at most at the given rate. The claim
/// must also hold at least as often as `suggested_to_hold`. Both must be true for each recording session: the launches
/// of a run drift together, and the next run may be like any of them. Nothing where no factor up to 2 (down to 0.5)
/// does, because the launches spread too much.
///
/// sessions  the stored launches, by recording session. Preconditions: at least two sessions, and none is empty.
///           One session alone shows nothing about the next one.
[[nodiscard]] std::optional<tight_bound> tightest_bound(const stored_side& stored,
                                                        std::span<const std::vector<double>> sessions,
                                                        double false_failure);

}  // namespace perfspec::tool
