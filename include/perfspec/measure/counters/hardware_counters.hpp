// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// One event's count, and how long it was to count and did: shorter where more events are asked for than the processor has counters.
struct event_reading {
    std::int64_t count{};
    std::int64_t enabled_ns{};
    std::int64_t running_ns{};
};

/// What the kernel offers to count events with. A seam: tests script it.
class event_system {
public:
    event_system() = default;
    event_system(const event_system&) = delete;
    event_system& operator=(const event_system&) = delete;
    virtual ~event_system() = default;

    /// A descriptor that counts the event in that thread and those it starts, in user space; or minus an errno.
    [[nodiscard]] virtual int open(metric_kind event, int thread) = 0;
    [[nodiscard]] virtual std::optional<event_reading> read(int descriptor) = 0;
    virtual void close(int descriptor) noexcept = 0;
    /// The threads of this process.
    [[nodiscard]] virtual std::vector<int> threads() = 0;
    /// kernel.perf_event_paranoid; nothing where the system has none.
    [[nodiscard]] virtual std::optional<int> paranoid_level() = 0;
};

/// perf_event_open(2) where this is Linux; elsewhere every `open` says ENOSYS.
[[nodiscard]] event_system& kernel_events();

/// Counts one kind of event with the processor's own counters, in all threads of the process: those that live when it begins, and those they
/// start. One event at a time, so that the processor's few counters are not shared out.
class hardware_counter final : public counter {
public:
    hardware_counter(metric_kind event, event_system& events) noexcept : event_(event), events_(&events) {}
    hardware_counter(const hardware_counter&) = delete;
    hardware_counter& operator=(const hardware_counter&) = delete;
    ~hardware_counter() override { end(); }

    [[nodiscard]] metric_kind event() const noexcept { return event_; }
    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    metric_kind event_;
    event_system* events_;
    std::vector<int> descriptors_;
};

namespace detail {
/// Why an event cannot be counted, from the errno of `open`.
[[nodiscard]] std::string explain_event_error(int error, std::optional<int> paranoid_level);
}  // namespace detail

}  // namespace perfspec
