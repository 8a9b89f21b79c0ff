// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/timing/stream_hold.hpp>

#include <atomic>

namespace perfspec::detail {

stream_hold::stream_hold(const cuda_stream& stream, std::uint32_t* flag) : flag_(flag) {
    std::atomic_ref(*flag_).store(hold_flag::held);
    watch_ = stream.runtime().watch(flag_, longest_hold);
    stream.need(
        stream.runtime().wait_for_flag(stream.handle(), flag_),
        " (of the hold that keeps launches out of device_time; where the driver has none, say .host_synchronised())");
}

bool stream_hold::release() noexcept {
    std::uint32_t expected = hold_flag::held;
    std::atomic_ref(*flag_).compare_exchange_strong(expected, hold_flag::released);
    watch_.reset();
    return expected != hold_flag::timed_out;
}

}  // namespace perfspec::detail
