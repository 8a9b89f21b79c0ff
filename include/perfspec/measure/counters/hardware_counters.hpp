// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// The count of one event, how long it should have been counted, and how long it was. The second time is shorter where
/// more events are asked for than the processor has counters.
struct event_reading {
    std::int64_t count{};
    std::int64_t enabled_ns{};
    std::int64_t running_ns{};
};

/// The kernel's interface for counting events. A seam: tests script it.
class event_system {
public:
    event_system() = default;
    event_system(const event_system&) = delete;
    event_system& operator=(const event_system&) = delete;
    virtual ~event_system() = default;

    /// Returns a descriptor that counts the event in user space, in that thread and the threads that it starts; or
    /// minus an errno.
    [[nodiscard]] virtual int open(metric_kind event, int thread) = 0;
    [[nodiscard]] virtual std::optional<event_reading> read(int descriptor) = 0;
    virtual void close(int descriptor) noexcept = 0;
    /// The threads of this process.
    [[nodiscard]] virtual std::vector<int> threads() = 0;
    /// kernel.perf_event_paranoid; nothing where the system has none.
    [[nodiscard]] virtual std::optional<int> paranoid_level() = 0;
};

/// perf_event_open(2) on Linux; elsewhere every `open` returns -ENOSYS.
[[nodiscard]] event_system& kernel_events();

/// Counts one kind of event with the processor's own counters, in all threads of the process: those that live when it
/// begins, and those that they start. It counts one event at a time, so the processor's few counters need not be
/// shared.
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
