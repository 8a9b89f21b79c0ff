// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// Something that bodies make grow: heap calls, instructions. It is read before and after a body as a clock is, and a
/// sample is the difference. One of the seams: tests script it.
class counter : public clock {
public:
    /// Starts to count, in every thread that the process has and will have. Returns why it cannot, and what to do about
    /// it; empty where it counts. A counter that already counts continues.
    [[nodiscard]] virtual std::string begin() = 0;
    virtual void end() noexcept = 0;
    /// The count so far. Throws measurement_failure (not_countable) where the count has become worthless.
    [[nodiscard]] std::int64_t now() override = 0;
    /// What the readings so far may not show, and what to do about it; empty where they show everything.
    [[nodiscard]] virtual std::string caveat() const { return {}; }

    [[nodiscard]] bool may_stand_still() const noexcept override { return true; }
    [[nodiscard]] detail::remote_reading there() const noexcept override { return detail::remote_reading::none; }
};

/// Makes a counter count as long as this object lives.
class counting {
public:
    explicit counting(counter& what) : counter_(what), fault_(what.begin()) {}
    counting(const counting&) = delete;
    counting& operator=(const counting&) = delete;
    ~counting() { counter_.end(); }

    /// Why the counter does not count, and what to do about it; empty where it counts.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

private:
    counter& counter_;
    std::string fault_;
};

class operator_recorder;
class device_recorder;  // of a module

/// The counters of a process, by what they count.
class counters {
public:
    counters() = default;
    counters(const counters&) = delete;
    counters& operator=(const counters&) = delete;
    virtual ~counters() = default;

    /// The counter of a metric that counts (`is_counted`), or of peak memory. Throws std::logic_error for another.
    [[nodiscard]] virtual counter& of(metric_kind m) = 0;
    /// The recorder of the operators of tensor libraries; null where there is none.
    [[nodiscard]] virtual operator_recorder* operators() noexcept { return nullptr; }
    /// The recorder of operators together with the work that they start on a device; null where there is none.
    [[nodiscard]] virtual device_recorder* devices() noexcept { return nullptr; }
    /// The counter of calls of one operator. It counts another operator once it is asked for that.
    [[nodiscard]] virtual counter& of_operator(const std::string& name) = 0;
    /// The counter of kernels that run on devices. Those of the processor are in `of(metric_kind::kernel_count)`.
    [[nodiscard]] virtual counter& device_kernels() = 0;
};

/// The counters of this process.
[[nodiscard]] counters& process_counters();

/// The recorder of this process; null until a module sets it. It must live as long as the process.
[[nodiscard]] device_recorder*& known_device_recorder() noexcept;

/// Has a module count a metric in this process. It calls this before main, and `how` must live as long as the process.
/// Returns true, so the initialiser of a constant can call it.
///
/// m  kernel_count: of kernels that run on devices
bool use_counter(metric_kind m, counter& how);

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
    /// Whether counters that open count: some hypervisors and sandboxes let them open, and leave them at 0.
    [[nodiscard]] virtual bool do_count() { return true; }
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

inline constexpr const char* no_kernels_seen =
    "the profiler saw no kernel on the device: the body starts none, another profiler has CUPTI, or this LibTorch is built without it";
inline constexpr const char* no_device_recorder =
    "this program records no work on devices: link perfspec::cuda for subjects of <perfspec/cuda.hpp>, or perfspec::libtorch for those of "
    "<perfspec/libtorch.hpp>";

}  // namespace detail

}  // namespace perfspec
