// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_1 {

/// What to do with launches that spread too much for a useful comparison.
enum class noisy_launches : std::uint8_t { refuse, record };

struct update_request {
    baseline_update mode = baseline_update::moved;
    percentage headroom{};  ///< from the baseline to the bound: 5 % in 1.05 * baseline(); the smallest of several
    noisy_launches noisy = noisy_launches::refuse;
};

enum class update_action : std::uint8_t { keep, record, replace, append, refuse };

/// Why an update is refused. For the last two, each program names its own option that stores the launches anyway.
enum class refusal : std::uint8_t { none, different_metrics, noisy, another_source };

/// What an update does to an entry, and a sentence that says why.
struct update_decision {
    update_action action = update_action::keep;
    std::string reason{};
    refusal because = refusal::none;

    [[nodiscard]] bool writes() const noexcept {
        return action != update_action::keep && action != update_action::refuse;
    }
};

/// The robust relative spread between launches in a unit: relative_spread if all values are positive; otherwise MAD
/// over median, 0 for equal values.
[[nodiscard]] percentage spread_between(std::span<const stored_launch> launches, std::string_view unit);

/// The relative change of the median between two entries of one metric, over the launches that claims compare with.
/// Infinite if it was 0 before.
[[nodiscard]] percentage change_between(const baseline_entry& then, const baseline_entry& now);

/// Decides what to do with an entry (baselines/README.md, "Recording"). A request to record noisy launches, and the
/// mode "all", also accept launches of another source file.
///
/// stored  the entry in the file; null if there is none
/// fresh   the entry as measured now
[[nodiscard]] update_decision decide_update(const update_request& request, const baseline_entry* stored,
                                            const baseline_entry& fresh);

/// The launches of an entry after the action: the fresh ones, appended to the stored ones if that is the action. Keeps
/// the newest_launches of them.
[[nodiscard]] std::vector<stored_launch> launches_after(update_action action, const baseline_entry* stored,
                                                        std::span<const stored_launch> fresh);

}  // namespace perfspec::inline v0_1
