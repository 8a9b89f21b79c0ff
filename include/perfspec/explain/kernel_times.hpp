// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/counter.hpp>
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

namespace perfspec::inline v0_2 {

/// The kind of an entry of a trace: a call of an operator on the processor; on a device a kernel, or a copy or fill.
enum class traced_work : std::uint8_t { call, kernel, transfer };

/// One entry of a trace that follows work from the processor to a device.
struct device_event {
    std::string name;
    traced_work what{};
    std::int64_t start_ns{};
    std::int64_t end_ns{};
    std::uint64_t thread{};  ///< of a call
    std::uint64_t call{};    ///< number of the call, or of the call that started work on a device; 0: unknown
    std::string shapes{};    ///< of a call, like those of operator_event

    friend bool operator==(const device_event&, const device_event&) = default;
};

/// The number of kernels that ran on devices.
[[nodiscard]] std::uint64_t count_kernels(std::span<const device_event> trace);

/// Records operators and the work that they start on a device; an adapter installs it. It records the calls of the
/// thread that calls `begin`.
class device_recorder {
public:
    device_recorder() = default;
    device_recorder(const device_recorder&) = delete;
    device_recorder& operator=(const device_recorder&) = delete;
    virtual ~device_recorder() = default;

    /// Starts to record. Returns why it cannot; empty if it does.
    [[nodiscard]] virtual std::string begin(input_shapes shapes) = 0;
    /// Stops, and returns the work since `begin`. The device has finished it.
    [[nodiscard]] virtual std::vector<device_event> end() = 0;
};

namespace detail {

inline constexpr const char* no_recorded_kernels =
    "the profiler saw no kernel on the device: the body launches none, another profiler uses CUPTI, or this LibTorch "
    "was built without CUPTI";
inline constexpr const char* no_device_recorder =
    "this program cannot record work on devices. Link perfspec::cuda for subjects of <perfspec/cuda.hpp>, or "
    "perfspec::libtorch for subjects of <perfspec/libtorch.hpp>";

}  // namespace detail

/// The kernels of a sample, and their recorder.
struct kernel_request {
    std::string name{};           ///< of the kernels, as in `kernel_time`; empty: all
    device_recorder* recorder{};  ///< may be null

    friend bool operator==(const kernel_request&, const kernel_request&) = default;
};

/// Counts kernels that run on devices. A reading stops the trace and starts another one.
class device_kernels_counter final : public counter {
public:
    explicit device_kernels_counter(device_recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    device_recorder* (*recorder_)() noexcept;
    bool counts_{};
    std::int64_t kernels_{};
};

namespace detail {

/// Stops the recorder and returns its record. Throws measurement_failure if that cannot be read.
inline std::vector<device_event> trace_of(device_recorder& recorder) {
    try {
        return recorder.end();
    } catch (const std::exception& error) {
        throw measurement_failure(failure_kind::not_countable,
                                  std::string("the record of the device's work cannot be read: ") + error.what());
    }
}

/// Stops a recorder and discards its record, also one that cannot be read.
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

/// Finds kernels in a trace: those with exactly that name and its namespaces, otherwise those with that name in any
/// namespace. A name with `*` finds all that it fits; an empty one finds all kernels.
///
/// whose  the subject, for the text of a fault: "\"fused\""
/// Throws measurement_failure: not_countable for a trace without kernels, which a profiler probably missed, and for one
/// that lacks the time of a launch; refused if no kernel has the name, or different ones do. The text has the names of
/// the kernels that ran, the nearest first.
[[nodiscard]] named_kernels kernels_named(std::span<const device_event> trace, std::string_view name,
                                          std::string_view whose);

/// Runs one iteration, and returns the nanoseconds of the device in the requested kernels. Repeats samples that the
/// adapter does not accept, such as those of a throttled device.
///
/// Throws like take_sample and kernels_named; not_countable without a recorder, or if a trace cannot be read.
[[nodiscard]] double time_kernels(const subject& x, const kernel_request& kernels);

namespace detail {

/// "at::native::softmax" of "void at::native::softmax<float, 4>(float*, int)". Keeps a name of C.
[[nodiscard]] std::string_view name_without_arguments(std::string_view demangled);

/// perfspec's own kernel, which reads the clocks of the device and may be in a trace.
inline constexpr std::string_view stamp_kernel = "perfspec_stamp";

}  // namespace detail
}  // namespace perfspec::inline v0_2

// Lets an adapter without a device's toolkit use the timers of the adapter with it: LibTorch's models on CUDA streams.

namespace perfspec::inline v0_2::detail {

/// The body of a subject with its type erased.
struct streamed_body {
    std::string_view name;
    void* self;
    void (*launch)(void* self);  ///< puts one iteration on the stream
    bool waits_for_last{};       ///< each iteration waits for the one before it, so the queue may have only one
};

/// Whether the stream waits until a whole sample is in its queue. `unheld`: waits of its device for the processor
/// count.
enum class stream_use : std::uint8_t { held, unheld };

/// Times iterations of one subject on a stream of its adapter, by the device's clock.
class stream_timer {
public:
    stream_timer() = default;
    stream_timer(const stream_timer&) = delete;
    stream_timer& operator=(const stream_timer&) = delete;
    virtual ~stream_timer() = default;

    /// Nanoseconds of one iteration. Throws measurement_failure (refused) for a body that waits for its device while
    /// its stream is held, for one that leaves the stream empty or work on others, and for a device that is mostly
    /// throttled; and errors of the device.
    ///
    /// stream  the native handle of a stream of the current device
    [[nodiscard]] virtual double time_iteration(void* stream, const streamed_body& body) = 0;
    /// A note on the samples since the last call, or empty.
    [[nodiscard]] virtual std::string caveat() = 0;
    /// A text on the discarded samples since the last call, or empty.
    [[nodiscard]] virtual std::string report_slow_samples() = 0;
};

/// Makes timers for the streams of one kind of device.
struct stream_timers {
    std::string_view devices;  ///< "cuda"
    std::unique_ptr<stream_timer> (*make)(stream_use use);
    std::string (*timing)(stream_use use);  ///< the fact of records and keys: "hot", "hot-synchronized"
};

/// Installed by an adapter before main, or null.
inline const stream_timers*& known_stream_timers() noexcept {
    static const stream_timers* installed = nullptr;
    return installed;
}

}  // namespace perfspec::inline v0_2::detail
