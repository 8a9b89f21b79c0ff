// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/stream_set-inl.hpp>

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <vector>

// Times that a device takes with its own clock, by events before and after the work. What the processor does meanwhile does not count,
// unless the device waits for it.

namespace perfspec::detail {

inline constexpr double ns_of_a_millisecond = 1e6;

/// Marks the stream, as long as it has work, with the time of the device.
inline c10::Event marked(const c10::Stream& stream) {
    c10::Event event{stream.device_type(), c10::EventFlag::BACKEND_DEFAULT};  // the other flag makes events without a time
    event.record(stream);
    return event;
}

/// The nanoseconds of one run on the current stream. Precondition: the device has no other work.
template <class Run> double device_time_of(c10::Device device, const Run& run_once) {
    const c10::Stream stream = c10::impl::VirtualGuardImpl{device.type()}.getStream(device);
    const c10::Event begin = marked(stream);
    run_once();
    const c10::Event end = marked(stream);
    wait_for(device);
    return begin.elapsedTime(end) * ns_of_a_millisecond;
}

/// The nanoseconds from the beginning on the first stream to the end of one run on each.
template <class Run> double device_time_of(const stream_set& streams, const Run& run_once) {
    const c10::Event begin = marked(streams.made.front());
    run_on_each(streams, 1, run_once);
    std::vector<c10::Event> ends;
    for (const c10::Stream& stream : streams.made) ends.push_back(marked(stream));
    wait_for(streams.device);
    double longest = 0;
    for (const c10::Event& end : ends) longest = std::max(longest, begin.elapsedTime(end));
    return longest * ns_of_a_millisecond;
}

}  // namespace perfspec::detail
