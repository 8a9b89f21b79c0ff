// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// What to do with measurements that spread too much for a useful comparison.
enum class noisy_processes : std::uint8_t { refuse, record };

struct update_request {
    baseline_update mode = baseline_update::moved;
    percentage headroom{};  ///< from the baseline to the bound: 5 % in 1.05 * baseline(); the smallest of several
    noisy_processes noisy = noisy_processes::refuse;
};

enum class update_action : std::uint8_t { keep, record, replace, append, refuse };

/// Why an update is refused. For the last two, each program names its own option that stores the measurements anyway.
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

/// The robust relative spread between processes in a unit: relative_spread if all values are positive; otherwise MAD
/// over median, 0 for equal values.
[[nodiscard]] percentage spread_between(std::span<const stored_process> processes, std::string_view unit);

/// The relative change of the median between two entries of one metric, over the measurements that claims compare with.
/// Infinite if it was 0 before.
[[nodiscard]] percentage change_between(const baseline_entry& then, const baseline_entry& now);

/// Decides what to do with an entry (baselines/README.md, "Recording"). A request to record noisy measurements,
/// and the mode "all", also accept measurements of another source file.
///
/// stored  the entry in the file; null if there is none
/// fresh   the entry as measured now
[[nodiscard]] update_decision decide_update(const update_request& request, const baseline_entry* stored,
                                            const baseline_entry& fresh);

/// The measurements of an entry after the action: the fresh ones, appended to the stored ones if that is the action.
/// Keeps only the newest ones (newest_processes).
[[nodiscard]] std::vector<stored_process> processes_after(update_action action, const baseline_entry* stored,
                                                          std::span<const stored_process> fresh);

}  // namespace perfspec::inline v0_2
