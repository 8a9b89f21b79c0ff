// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/operator_events.hpp>

#include <cstdint>
#include <span>
#include <string>
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

/// The calls of operators, each with the device time of the work that it started itself, without the operators that it
/// called. Work whose call is unknown, such as a program's own kernels, appears as calls named "(no operator)".
///
/// Work that ran on several streams at once counts once for each: a sum may be longer than the time that the device was
/// busy.
[[nodiscard]] std::vector<operator_event> calls_with_device_times(std::span<const device_event> trace);

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

/// The operators of one iteration with their times on the device. The overload for an operator_recorder has the times
/// on the processor alone. Throws measurement_failure (not_countable) where the recorder cannot begin or its trace
/// cannot be read.
[[nodiscard]] std::vector<operator_event> record_operators(device_recorder& recorder, const subject& x,
                                                           input_shapes shapes = input_shapes::ignored);

/// Like use_operator_recorder and known_operator_recorder.
bool use_device_recorder(device_recorder& r) noexcept;
[[nodiscard]] device_recorder* known_device_recorder() noexcept;

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

inline constexpr const char* no_kernels_seen =
    "the profiler saw no kernel on the device: the body starts none, another profiler has CUPTI, or this LibTorch is built without it";

}  // namespace detail
}  // namespace perfspec
