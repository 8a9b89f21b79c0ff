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

/// What a trace tells of: a call of an operator on the processor; on a device a kernel, or a copy or a fill of memory.
enum class traced_work : std::uint8_t { call, kernel, transfer };

/// One entry of a trace that follows work from the processor to a device.
struct device_event {
    std::string name;
    traced_work what{};
    std::int64_t start_ns{};
    std::int64_t end_ns{};
    std::uint64_t thread{};  ///< of a call
    std::uint64_t call{};    ///< of a call its own number; of work on a device that of the call which started it; 0: nobody knows

    friend bool operator==(const device_event&, const device_event&) = default;
};

/// How many kernels ran on devices.
[[nodiscard]] std::uint64_t count_kernels(std::span<const device_event> trace);

/// The calls of operators, each with the time of what it started on a device by itself, the operators that it called left out. Work of which
/// nobody knows the call, such as that of a program's own kernels, is that of calls named "(no operator)".
///
/// Work that ran on several streams at once counts as often: a sum may be longer than the time that the device was busy.
[[nodiscard]] std::vector<operator_event> calls_with_device_times(std::span<const device_event> trace);

/// Sees operators and what they make a device do; an adapter installs it. It sees the calls of the thread that begins.
class device_recorder {
public:
    device_recorder() = default;
    device_recorder(const device_recorder&) = delete;
    device_recorder& operator=(const device_recorder&) = delete;
    virtual ~device_recorder() = default;

    /// Records from now on. Returns why it cannot; empty where it does.
    [[nodiscard]] virtual std::string begin() = 0;
    /// Stops, and gives what ended since `begin`; the device is done by then.
    [[nodiscard]] virtual std::vector<device_event> end() = 0;
};

/// The operators of one iteration with their times on the device, as record_operators gives those of the processor alone. Throws
/// measurement_failure (not_countable) where the recorder cannot begin.
[[nodiscard]] std::vector<operator_event> record_operators(device_recorder& recorder, const subject& x);

/// As use_operator_recorder and known_operator_recorder.
bool use_device_recorder(device_recorder& r) noexcept;
[[nodiscard]] device_recorder* known_device_recorder() noexcept;

/// Counts kernels that run on devices. A reading stops the trace and begins another one.
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

}  // namespace perfspec
