// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Work on a device continues after the call that launched it: without this wait only the launch would be timed.
inline void wait_for(c10::Device device) {
    if (!device.is_cpu()) c10::impl::VirtualGuardImpl{device.type()}.synchronizeDevice(device.index());
}

/// Puts this thread's work on a stream for the life of this object.
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

/// Precondition: the inputs are made.
inline void make_ready(stream_set& streams) {
    const c10::impl::VirtualGuardImpl guard{streams.device.type()};
    while (std::ssize(streams.all) < streams.count)
        streams.all.push_back(guard.getStreamFromGlobalPool(streams.device));
    wait_for(streams.device);  // a stream does not wait for the inputs on another one
}

template <class Run> void run_on_each(const stream_set& streams, std::uint64_t iterations, const Run& run_once) {
    for (; iterations != 0; --iterations) {
        for (const c10::Stream& stream : streams.all) {
            const on_stream current{stream};
            run_once();
        }
    }
}

/// Whether the streams of this LibTorch have a native handle: in 2.13 yes, in 2.6 no.
template <class Stream> inline constexpr bool tells_native_streams = requires(const Stream& stream) {
    stream.native_handle();
};

/// Why only events can time the streams of a device; empty if timers can.
inline std::string why_with_gaps_on(c10::Device device, const stream_timers* known) {
    if (known != nullptr && known->devices == c10::DeviceTypeName(device.type(), /*lower_case=*/true)) {
        if (tells_native_streams<c10::Stream>) return {};
        return "to time the work alone, perfspec needs a LibTorch whose streams have native_handle(), such as 2.13";
    }
    if (device.is_cuda()) return "to time the work alone, link perfspec::cuda, and make the subject after main begins";
    return "perfspec cannot hold streams of this kind of device";
}

void device_clock::select_timers(const subject& x, c10::Device device, bool makes_inputs) {
    timers = nullptr;
    timer.reset();
    why_with_gaps = makes_inputs ? "its setup(make) gives each run another input, so runs cannot be timed in a row"
                                 : why_with_gaps_on(device, known_stream_timers());
    if (why_with_gaps.empty()) timers = known_stream_timers();
    std::string& timing = readings_of(x).timing;
    if (device.is_cpu()) return timing.clear();
    timing = timers == nullptr ? timed_with_gaps
                               : timers->timing(is_host_synchronized ? stream_use::unheld : stream_use::held);
}

std::string device_clock::caveat() {
    if (!std::exchange(has_timed, false)) return {};
    if (timers == nullptr)
        return "its device_time is the time between two events around one run. It includes gaps between launches, and "
               "perfspec does not check for a slow clock or for work on other streams; " +
               why_with_gaps;
    std::string text = timer == nullptr ? std::string{} : timer->caveat();
    if (is_host_synchronized)
        text += (text.empty() ? "" : "; ") +
                std::string("its stream is not held, so its device_time includes the gaps between launches");
    return text;
}

// Times by the clock of a device. Work of the processor does not count, unless the device waits for it. Timers of an
// adapter for the streams of the device take the time if there are any, otherwise events before and after the work.

inline constexpr double ns_of_a_millisecond = 1e6;

/// An event on the stream, with the time of the device.
inline c10::Event marked(const c10::Stream& stream) {
    c10::Event event{stream.device_type(),
                     c10::EventFlag::BACKEND_DEFAULT};  // the other flag makes events without a time
    event.record(stream);
    return event;
}

/// The nanoseconds of one run on the current stream, by events. Precondition: the device has no other work.
template <class Run> double time_between_events(c10::Device device, const Run& run_once) {
    const c10::Stream stream = c10::impl::VirtualGuardImpl{device.type()}.getStream(device);
    const c10::Event begin = marked(stream);
    run_once();
    const c10::Event end = marked(stream);
    wait_for(device);
    return begin.elapsedTime(end) * ns_of_a_millisecond;
}

/// The nanoseconds from the beginning on the first stream to the end of one run on each, by events.
template <class Run> double time_between_events(const stream_set& streams, const Run& run_once) {
    const c10::Event begin = marked(streams.all.front());
    run_on_each(streams, 1, run_once);
    std::vector<c10::Event> ends;
    for (const c10::Stream& stream : streams.all) ends.push_back(marked(stream));
    wait_for(streams.device);
    double longest = 0;
    for (const c10::Event& end : ends) longest = std::max(longest, begin.elapsedTime(end));
    return longest * ns_of_a_millisecond;
}

/// Makes a device current for the life of this object: timers need their own device, bodies that of the program.
class current_device {
public:
    explicit current_device(c10::Device device) : guard_{device.type()}, before_{guard_.exchangeDevice(device)} {}
    current_device(const current_device&) = delete;
    current_device& operator=(const current_device&) = delete;
    ~current_device() { guard_.uncheckedSetDevice(before_); }

    [[nodiscard]] c10::Device before() const noexcept { return before_; }

private:
    c10::impl::VirtualGuardImpl guard_;
    c10::Device before_;
};

/// The nanoseconds of one iteration that `launch_once` puts on the stream, by the timer of the clock. Throws like
/// `stream_timer`.
template <class Stream, class Launch>
double time_on_stream(device_clock& clock, std::string_view name, const Stream& stream, const Launch& launch_once) {
    if constexpr (tells_native_streams<Stream>) {
        const current_device timed{stream.device()};
        auto launch = [&] {
            const current_device of_program{timed.before()};
            launch_once();
        };
        if (clock.timer == nullptr)
            clock.timer = clock.timers->make(clock.is_host_synchronized ? stream_use::unheld : stream_use::held);
        return clock.timer->time_iteration(stream.native_handle(),
                                           {.name = name,
                                            .self = &launch,
                                            .launch = [](void* self) { (*static_cast<decltype(launch)*>(self))(); },
                                            .waits_for_last = clock.waits_for_last});
    }
    return 0.0;  // unreachable: the clock has no timers then
}

/// Nanoseconds of one run on the current stream. Precondition: the device has no other work.
template <class Run>
double device_time_of(device_clock& clock, std::string_view name, c10::Device device, const Run& run_once) {
    clock.has_timed = true;
    if (clock.timers == nullptr) return time_between_events(device, run_once);
    const c10::impl::VirtualGuardImpl guard{device.type()};
    return time_on_stream(clock, name, guard.getStream(device.has_index() ? device : guard.getDevice()), run_once);
}

/// Puts one run on each stream, as one piece of work of the first stream: the others start with it, and it waits for
/// all.
template <class Run> void run_joined(const stream_set& streams, const Run& run_once) {
    const c10::Stream& first = streams.all.front();
    const c10::Event begin = marked(first);
    for (const c10::Stream& stream : streams.all)
        if (stream != first) begin.block(stream);
    run_on_each(streams, 1, run_once);
    for (const c10::Stream& stream : streams.all)
        if (stream != first) marked(stream).block(first);
}

/// Nanoseconds of one run on each stream, from the beginning of the first to the end of the last.
template <class Run>
double device_time_of(device_clock& clock, std::string_view name, const stream_set& streams, const Run& run_once) {
    clock.has_timed = true;
    if (clock.timers == nullptr) return time_between_events(streams, run_once);
    return time_on_stream(clock, name, streams.all.front(), [&] { run_joined(streams, run_once); });
}

}  // namespace perfspec::inline v0_2::detail
