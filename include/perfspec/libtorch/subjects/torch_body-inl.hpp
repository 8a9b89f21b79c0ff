// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstdint>
#include <iterator>

namespace perfspec::detail {

/// Work on a device continues after a call has returned. Without this wait only its launch would be timed.
inline void wait_for(c10::Device device) {
    if (!device.is_cpu()) c10::impl::VirtualGuardImpl{device.type()}.synchronizeDevice(device.index());
}

/// Puts this thread's work on a stream as long as this object lives.
class on_stream {
public:
    explicit on_stream(const c10::Stream& stream)
        : guard_{stream.device_type()}, before_{guard_.getStream(stream.device())} {
        guard_.exchangeStream(stream);
    }
    on_stream(const on_stream&) = delete;
    on_stream& operator=(const on_stream&) = delete;
    ~on_stream() { guard_.exchangeStream(before_); }

private:
    c10::impl::VirtualGuardImpl guard_;
    c10::Stream before_;
};

/// Call this after the inputs are made.
inline void make_ready(stream_set& streams) {
    const c10::impl::VirtualGuardImpl guard{streams.device.type()};
    while (std::ssize(streams.made) < streams.count)
        streams.made.push_back(guard.getStreamFromGlobalPool(streams.device));
    wait_for(streams.device);  // a stream does not wait for what another one prepares
}

template <class Run> void run_on_each(const stream_set& streams, std::uint64_t iterations, const Run& run_once) {
    for (; iterations != 0; --iterations) {
        for (const c10::Stream& stream : streams.made) {
            const on_stream current{stream};
            run_once();
        }
    }
}

}  // namespace perfspec::detail
