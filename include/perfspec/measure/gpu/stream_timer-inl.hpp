// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/stream_timer.hpp>

namespace perfspec::detail {

inline const stream_timers*& installed_stream_timers() noexcept {
    static const stream_timers* installed = nullptr;
    return installed;
}

bool use_stream_timers(const stream_timers& timers) noexcept {
    installed_stream_timers() = &timers;
    return true;
}

const stream_timers* known_stream_timers() noexcept { return installed_stream_timers(); }

}  // namespace perfspec::detail
