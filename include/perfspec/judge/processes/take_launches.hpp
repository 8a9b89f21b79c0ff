// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/sample_series.hpp>
#include <perfspec/stats/interval.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The launches of one side that this evaluation has taken so far.
[[nodiscard]] launch_series& launches_of(const claim_context& context);

/// The launches of a claim, one after the other. A launch is a fresh process that measures one value of the query.
class launch_source {
public:
    explicit launch_source(const claim_context& context) : context_(context) {}

    /// The next launch of the query, or of one side of a comparison: one that the other side of a tolerance took, else a
    /// fresh process. Throws measurement_failure where it could not be measured. The kind is `unavailable` where the
    /// process reports that nothing can be judged there.
    ///
    /// Refuses a first launch that did not measure what this process would. The fresh process skips the assertions
    /// before its own, and a later body may work on data that their bodies made. Only where bodies have run here for
    /// earlier assertions of the test case, the fastest of three calls here is compared with the median of the launch.
    /// A call here is different when it takes more than three times as long, and more than 10 us longer.
    [[nodiscard]] const launch_result& next() { return next(context_.side); }
    [[nodiscard]] const launch_result& next(compared_side of);

    /// The value of a fresh process that is no evidence.
    [[nodiscard]] double next_aside();

    /// What they have shown until now: their cost, disturbances, notes and workers, and the samples of the newest one.
    [[nodiscard]] const claim_result& seen() const noexcept { return seen_; }
    [[nodiscard]] double seconds() const noexcept { return seen_.evidence.seconds; }

private:
    [[nodiscard]] launch_result launch_once(const claim_context& context);

    const claim_context& context_;
    std::array<std::size_t, 2> taken_{};  ///< by side
    claim_result seen_;
};

/// Takes `count` launches.
[[nodiscard]] std::vector<stored_launch> take_launches(const claim_context& context, launch_source& from,
                                                       std::size_t count);

/// The interval of values that the evidence of launches does not exclude. As few as seven launches can decide a claim,
/// and they exclude nothing at the level of an interval. Then it is the range of the launches at level 0, and the
/// method of the record has a remark.
struct launch_interval {
    centre_interval of_logs;
    std::string remark;
};
[[nodiscard]] launch_interval interval_of_launches(std::span<const double> log_values);

}  // namespace perfspec::detail
