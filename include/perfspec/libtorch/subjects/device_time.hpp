// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/stream_timer.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <c10/core/Device.h>

#include <memory>
#include <string>

namespace perfspec::detail {

/// The fact of records and keys where the time of a run is that between two events, which has the gaps between its
/// launches in it.
inline constexpr const char* timed_with_gaps = "with-gaps";

/// How `device_time` of one LibTorch subject is taken. A copy of the subject has a clock of its own, set alike.
struct device_clock {
    bool is_host_synchronised{};
    bool waits_for_last{};          ///< a run waits until the one before it is done
    const stream_timers* timers{};  ///< that hold its stream; null: two events lie around a run
    std::string why_with_gaps{};    ///< where there are none
    std::unique_ptr<stream_timer> timer{};
    bool has_timed{};  ///< since readers were last told

    /// Settles by what it is timed, where the subject is on `device`, and says so in its state.
    ///
    /// makes_inputs  each run needs another input, so no two can be timed in a row
    void settle(subject_state& state, c10::Device device, bool makes_inputs = false);
    /// What readers of the times since the last call should know; empty where there were none.
    [[nodiscard]] std::string tell();
    [[nodiscard]] std::string tell_slow_samples() {
        return timer == nullptr ? std::string{} : timer->tell_slow_samples();
    }
};

}  // namespace perfspec::detail
