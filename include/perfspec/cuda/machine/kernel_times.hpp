// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/operator_events.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// What an entry of a trace is: a call of an operator on the processor; on a device, a kernel, or a copy or a fill of
/// memory.
enum class traced_work : std::uint8_t { call, kernel, transfer };

/// One entry of a trace that follows work from the processor to a device.
struct device_event {
    std::string name;
    traced_work what{};
    std::int64_t start_ns{};
    std::int64_t end_ns{};
    std::uint64_t thread{};  ///< of a call
    std::uint64_t
        call{};  ///< of a call: its own number; of work on a device: the number of the call that started it; 0: unknown
    std::string shapes{};  ///< of a call: as operator_event has them

    friend bool operator==(const device_event&, const device_event&) = default;
};

/// How many kernels ran on devices.
[[nodiscard]] std::uint64_t count_kernels(std::span<const device_event> trace);

/// Records operators and the work that they start on a device; an adapter installs it. It records the calls of the
/// thread that calls `begin`.
class device_recorder {
public:
    device_recorder() = default;
    device_recorder(const device_recorder&) = delete;
    device_recorder& operator=(const device_recorder&) = delete;
    virtual ~device_recorder() = default;

    /// Starts to record. Returns why it cannot; empty where it does.
    [[nodiscard]] virtual std::string begin(input_shapes shapes) = 0;
    /// Stops, and returns what ended since `begin`. The device has finished by then.
    [[nodiscard]] virtual std::vector<device_event> end() = 0;
};

/// Like use_operator_recorder.
inline bool use_device_recorder(device_recorder& r) noexcept {
    known_device_recorder() = &r;
    return true;
}

/// Counts kernels that run on devices. A reading stops the trace and starts another one.
class device_kernel_counter final : public counter {
public:
    explicit device_kernel_counter(device_recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    device_recorder* (*recorder_)() noexcept;
    bool counts_{};
    std::int64_t kernels_{};
};

namespace detail {

/// Stops the recorder and returns what it recorded. Throws measurement_failure where that cannot be read.
inline std::vector<device_event> trace_of(device_recorder& recorder) {
    try {
        return recorder.end();
    } catch (const std::exception& error) {
        throw measurement_failure(failure_kind::not_countable,
                                  std::string("the record of the device's work cannot be read: ") + error.what());
    }
}

/// Stops a recorder when nobody needs the recorded data any more, so nobody needs to know why it cannot be read.
inline void stop(device_recorder& recorder) noexcept {
    try {
        static_cast<void>(recorder.end());
    } catch (const std::exception&) {}  // NOLINT(bugprone-empty-catch)
}

}  // namespace detail

/// The kernels of a trace that a name fits.
struct named_kernels {
    double nanoseconds{};  ///< of all their launches
    std::uint64_t launches{};
    std::set<std::string> names{};  ///< with their namespaces, without arguments
    std::uint64_t untimed{};        ///< launches whose time the profiler lost

    friend bool operator==(const named_kernels&, const named_kernels&) = default;
};

/// Finds kernels in a trace: those with exactly that name and its namespaces, or else those with that name in any
/// namespace. A name with `*` finds all that it fits; an empty one finds all kernels.
///
/// whose  the subject, for the text of a fault: "\"fused\""
/// Throws measurement_failure: not_countable for a trace without kernels, in which a profiler probably saw nothing, and
/// for one that lacks the time of a launch; refused where no kernel has the name, or different ones do. The text has
/// the names that ran, the nearest first.
[[nodiscard]] named_kernels kernels_named(std::span<const device_event> trace, std::string_view name,
                                          std::string_view whose);

/// Runs one iteration, and returns the nanoseconds that the device spent in the kernels that are asked for. Samples
/// that the adapter does not accept, such as those of a throttled device, are taken again.
///
/// Throws as take_sample and kernels_named do; not_countable where nothing records kernels, or a trace cannot be read.
[[nodiscard]] double time_kernels(const subject& x, const kernel_request& kernels);

namespace detail {

/// "at::native::softmax" of "void at::native::softmax<float, 4>(float*, int)". A name of C is itself.
[[nodiscard]] std::string_view name_without_arguments(std::string_view demangled);

/// A kernel of perfspec's own that may be in a trace: it reads the clocks of the device.
inline constexpr std::string_view stamp_kernel = "perfspec_stamp";

}  // namespace detail
}  // namespace perfspec

// How an adapter without a device's toolkit has its work timed by the one that has it: LibTorch's models on CUDA
// streams.

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
