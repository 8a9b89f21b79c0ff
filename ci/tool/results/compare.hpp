// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <perfspec/report/claim_result.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// Whether a result has a value to compare: its centre is finite. Its interval may be open.
[[nodiscard]] bool has_value(const record& r);

/// The metric of a query with its unit: "latency in ns".
[[nodiscard]] std::string metric_in_unit(const record& r);

/// Why the values of two results of one key have no ratio: "another metric", "no ratio of this value"; empty where they
/// have one.
[[nodiscard]] std::string_view why_no_ratio(const record& before, const record& after);

/// The change from one value to another as fractions: 0.1 is +10 %. The interval comes from the ends of both, so it is
/// wider than either. Where too few samples exclude anything, an end of an estimate is open: infinity, or 0 below a
/// larger value. Then the change is open, too: it ends at infinity or at -1.
struct value_change {
    double centre{};
    double low{};
    double high{};

    [[nodiscard]] bool is_open_below() const noexcept { return low <= -1.0 && high > -1.0; }
    [[nodiscard]] bool is_open() const noexcept { return is_open_below() || (std::isinf(high) && std::isfinite(low)); }
};

/// Precondition: why_no_ratio is empty.
[[nodiscard]] value_change change_between(const estimate& before, const estimate& after);

enum class direction_of_change : std::uint8_t { none, better_now, worse_now };

/// The side on which the whole interval is beyond a threshold, which is a fraction from 0.
[[nodiscard]] direction_of_change side_of(const value_change& change, better direction, double beyond);

/// Compares the measured values of two runs, key by key. In each file the last result of a key with a measured value
/// counts.
///
/// With a threshold, 0.07 for 7 %, the code is `violated` where a whole interval is beyond it on either side. Else it is
/// `undecided` where an interval shows nothing: it has no end on a side, or holds a change by a factor of two (by more
/// than the threshold, where that is larger). It is `unusable` where a key of either run has nothing to compare with,
/// or nothing was compared. Without a threshold, the code is always `holds`.
[[nodiscard]] outcome compare(const results& before, const results& after, std::optional<double> threshold);

/// Puts the values of two machines side by side, key by key: how many times better the second machine is, its interval,
/// and for each metric the geometric mean over the keys that both machines have. In each file the last result of a key
/// with a measured value counts.
///
/// Above 1 the second machine is better: it takes less of what should be small, or reaches more of what should be
/// large. Results that are invalid, or have a value that is not above zero, are shown and have no part in a mean. The
/// text says what else than the hardware differs: commit, build, options, and what claims on baseline() record.
///
/// The code is `holds`, or `unusable` where no key could be compared.
///
/// Throws input_error where the results of a side are of several machines or build variants, and where both are of the
/// same one.
[[nodiscard]] outcome compare_across_hardware(const results& a, const results& b);

}  // namespace perfspec::tool
