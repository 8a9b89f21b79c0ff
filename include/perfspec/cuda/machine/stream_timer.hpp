// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// How an adapter without a device's toolkit has its work timed by the one that has it: LibTorch's models on CUDA
// streams.

#include <perfspec/language/subjects/subject_state.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// The body of a subject, called by its address.
struct streamed_body {
    std::string_view name;
    void* self;
    void (*launch)(void* self);  ///< puts one iteration on the stream
    bool waits_for_last{};  ///< each iteration waits until the one before it is done, so no second one may be in the
                            ///< queue
};

/// Whether the stream waits until a whole sample is in its queue. `unheld`: its device may wait for the processor, and
/// that counts.
enum class stream_use : std::uint8_t { held, unheld };

/// Takes the time of the iterations of one subject on a stream that its adapter names, by the device's clock.
class stream_timer {
public:
    stream_timer() = default;
    stream_timer(const stream_timer&) = delete;
    stream_timer& operator=(const stream_timer&) = delete;
    virtual ~stream_timer() = default;

    /// Nanoseconds of one iteration. Throws measurement_failure (refused) for a body that waits for its device while
    /// its stream is held, for one that leaves the stream empty or work on others, and for a device that is throttled
    /// most of the time; and errors of the device.
    ///
    /// stream  the native handle of a stream of the device that is current now
    [[nodiscard]] virtual double time_iteration(void* stream, const streamed_body& body) = 0;
    /// What readers of the samples since the last call should know; empty where there is nothing.
    [[nodiscard]] virtual std::string caveat() = 0;
    /// The samples since the last call that did not count.
    [[nodiscard]] virtual std::string tell_slow_samples() = 0;
};

/// Makes timers for the streams of one kind of device.
struct stream_timers {
    std::string_view devices;  ///< "cuda"
    std::unique_ptr<stream_timer> (*make)(stream_use use);
    std::string (*timing)(stream_use use);  ///< the fact of records and keys: "hot", "hot-synchronised"
};

/// Those that an adapter installed before main; null where none did.
inline const stream_timers*& known_stream_timers() noexcept {
    static const stream_timers* installed = nullptr;
    return installed;
}

}  // namespace perfspec::detail
