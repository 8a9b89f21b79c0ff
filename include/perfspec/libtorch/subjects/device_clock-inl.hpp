// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/device_clock.hpp>

#include <c10/core/Stream.h>

#include <utility>

namespace perfspec::detail {

/// Whether the streams of this LibTorch have a native handle: those of 2.13 do, those of 2.6 do not.
template <class Stream> inline constexpr bool tells_native_streams = requires(const Stream& stream) {
    stream.native_handle();
};

/// Why nothing but events times the streams of a device; empty where something does.
inline std::string why_with_gaps_on(c10::Device device, const stream_timers* known) {
    if (known != nullptr && known->devices == c10::DeviceTypeName(device.type(), /*lower_case=*/true)) {
        if (tells_native_streams<c10::Stream>) return {};
        return "for the time of the work alone perfspec needs a newer LibTorch, whose streams have a native_handle(): 2.13 has it";
    }
    if (device.is_cuda())
        return "for the time of the work alone link perfspec::cuda, and make the subject after main begins";
    return "perfspec holds no streams of this kind of device";
}

void device_clock::settle(subject_state& state, c10::Device device, bool makes_inputs) {
    timers = nullptr;
    timer.reset();
    why_with_gaps = makes_inputs ? "its setup(make) gives each run another input, so runs cannot be timed in a row"
                                 : why_with_gaps_on(device, known_stream_timers());
    if (why_with_gaps.empty()) timers = known_stream_timers();
    if (device.is_cpu()) return state.device_timing.clear();
    state.device_timing = timers == nullptr
                              ? timed_with_gaps
                              : timers->timing(is_host_synchronised ? stream_use::unheld : stream_use::held);
}

std::string device_clock::tell() {
    if (!std::exchange(has_timed, false)) return {};
    if (timers == nullptr)
        return "its device_time is that between two events around one run: gaps between launches count, and nothing looks for a slow clock or "
               "for work on other streams; " +
               why_with_gaps;
    std::string told = timer == nullptr ? std::string{} : timer->caveat();
    if (is_host_synchronised)
        told += (told.empty() ? "" : "; ") +
                std::string("its stream is not held, so its device_time has the gaps between launches in it");
    return told;
}

}  // namespace perfspec::detail
