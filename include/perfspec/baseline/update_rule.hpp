// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perfspec {

/// What happens to launches that spread too much to be worth comparing with.
enum class noisy_launches : std::uint8_t { refuse, record };

struct update_request {
    baseline_update mode = baseline_update::moved;
    percentage headroom{};  ///< distance of the claim's bound from the baseline: 5 % in 1.05 * baseline(); the smallest of several claims
    noisy_launches noisy = noisy_launches::refuse;
};

enum class update_action : std::uint8_t { keep, record, replace, append, refuse };

/// Why an update is refused: each program adds the option of its own that takes such launches all the same.
enum class refusal : std::uint8_t { none, noisy, unlike_metrics };

/// What an update does to an entry, with a sentence that says why.
struct update_decision {
    update_action action = update_action::keep;
    std::string reason{};
    refusal because = refusal::none;

    [[nodiscard]] bool writes() const noexcept { return action != update_action::keep && action != update_action::refuse; }
};

/// Robust relative spread between launches of a metric in that unit: relative_spread where all are positive, else MAD over median; 0 for equal
/// ones.
[[nodiscard]] percentage spread_between(std::span<const stored_launch> launches, std::string_view unit);

/// Relative change of the median launch, of those that claims compare with, from one entry to the other, which are of one metric; infinite where it leaves 0.
[[nodiscard]] percentage change_between(const baseline_entry& then, const baseline_entry& now);

/// Decides about an entry (baselines/README.md, "Recording"): it is left alone where its median launch moved by no more than a third of
/// the headroom, so that files do not churn; refused are launches with a spread above largest_spread_to_record.
///
/// stored  the entry as it stands; null where there is none
/// fresh   the entry as it was measured now
[[nodiscard]] update_decision decide_update(const update_request& request, const baseline_entry* stored, const baseline_entry& fresh);

/// The launches that an entry has after the action: stored and fresh ones where they are appended, else the fresh ones; of them those that an entry
/// keeps (newest_launches).
[[nodiscard]] std::vector<stored_launch> launches_after(update_action action, const baseline_entry* stored,
                                                        std::span<const stored_launch> fresh);

}  // namespace perfspec
