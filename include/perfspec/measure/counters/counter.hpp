// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::inline v0_1 {

/// A count that bodies increase: heap calls, instructions. As with a clock, a sample is the difference of two readings.
/// A seam: tests script it.
class counter : public clock {
public:
    /// Starts to count, in every thread that the process has and will have. Returns why it cannot, and the remedy;
    /// empty if it counts. A counter that already counts continues.
    [[nodiscard]] virtual std::string begin() = 0;
    virtual void end() noexcept = 0;
    /// The count so far. Throws measurement_failure (not_countable) if the count is not valid any more.
    [[nodiscard]] std::int64_t now() override = 0;
    /// What the readings so far may miss, and the remedy; empty: nothing.
    [[nodiscard]] virtual std::string caveat() const { return {}; }

    [[nodiscard]] bool may_stand_still() const noexcept override { return true; }
    [[nodiscard]] detail::remote_reading remote_kind() const noexcept override { return detail::remote_reading::none; }
};

/// Counts by the recorder of a module.
template <class Recorder> class recorder_counter : public counter {
public:
    /// recorder  called at each use, because a module may install its own later; its result may be null
    explicit recorder_counter(Recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    void end() noexcept override {
        if (Recorder* const recorder = recorder_()) static_cast<void>(recorder->end());
    }

protected:
    Recorder* (*recorder_)() noexcept;
};

/// Makes a counter count during the lifetime of this object.
class counting {
public:
    explicit counting(counter& what) : counter_(what), fault_(what.begin()) {}
    counting(const counting&) = delete;
    counting& operator=(const counting&) = delete;
    ~counting() { counter_.end(); }

    /// Why the counter does not count, and the remedy; empty if it counts.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

private:
    counter& counter_;
    std::string fault_;
};

class operator_recorder;
class device_recorder;  // of a module

/// The counters of a process, by what they count.
class counters : public seam {
public:
    /// The counter of a metric that counts (`is_counted`), or of peak memory. Throws std::logic_error for other
    /// metrics.
    [[nodiscard]] virtual counter& of(metric_kind m) = 0;
    /// The recorder of the operators of tensor libraries, or null.
    [[nodiscard]] virtual operator_recorder* operators() noexcept { return nullptr; }
    /// The recorder of operators with the work that they start on a device, or null.
    [[nodiscard]] virtual device_recorder* devices() noexcept { return nullptr; }
    /// The counter of calls of one operator. The next call of this function changes the operator.
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

/// The count of one event, and for how long it was enabled and counted. The second time is shorter if the processor has
/// too few counters.
struct event_reading {
    std::int64_t count{};
    std::int64_t enabled_ns{};
    std::int64_t running_ns{};
};

/// The kernel's interface for counting events. A seam: tests script it.
class event_system : public seam {
public:
    /// Returns a descriptor that counts the event in user space, in that thread and the threads that it starts; or
    /// minus an errno.
    [[nodiscard]] virtual int open(metric_kind event, int thread) = 0;
    [[nodiscard]] virtual std::optional<event_reading> read(int descriptor) = 0;
    virtual void close(int descriptor) noexcept = 0;
    /// The threads of this process.
    [[nodiscard]] virtual std::vector<int> threads() = 0;
    /// kernel.perf_event_paranoid; nullopt if the system has none.
    [[nodiscard]] virtual std::optional<int> paranoid_level() = 0;
    /// Whether open counters advance: under some hypervisors and sandboxes they stay at 0.
    [[nodiscard]] virtual bool counters_advance() { return true; }
};

/// perf_event_open(2).
[[nodiscard]] event_system& kernel_events();

/// Counts one kind of event with the processor's own counters, in all threads of the process: those of its begin, and
/// those that they start. It counts one event at a time, because the processor has few counters.
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

inline constexpr const char* no_recorded_kernels =
    "the profiler saw no kernel on the device: the body starts none, another profiler has CUPTI, or this LibTorch is built without it";
inline constexpr const char* no_device_recorder =
    "this program records no work on devices: link perfspec::cuda for subjects of <perfspec/cuda.hpp>, or perfspec::libtorch for those of "
    "<perfspec/libtorch.hpp>";

}  // namespace detail

/// Sees the memory that a tensor library allocates; an adapter installs it.
class tensor_recorder : public seam {
public:
    /// Sees allocations from now on, in all threads; on devices only in this thread and in threads that the library
    /// starts for it. Returns why it cannot; empty if it can.
    [[nodiscard]] virtual std::string begin() = 0;
    virtual void end() noexcept = 0;
    /// The number of blocks allocated so far.
    [[nodiscard]] virtual std::int64_t allocations() const = 0;
    /// Makes `peak` start again, from the bytes that are allocated now.
    virtual void restart_peak() = 0;
    /// How far the allocated bytes rose above their level at the last `restart_peak`.
    [[nodiscard]] virtual std::int64_t peak() const = 0;
    /// The bytes that it saw and that are still allocated. Only differences of levels have a meaning.
    [[nodiscard]] virtual std::int64_t level() const = 0;
};

/// Registers an adapter's recorder for this process; it must live as long as the process. Returns true, so the
/// initialiser of a constant can call it before main.
bool use_tensor_recorder(tensor_recorder& r) noexcept;

/// The recorder of this process; null if no adapter installed one.
[[nodiscard]] tensor_recorder* known_tensor_recorder() noexcept;

/// Counts blocks of memory of tensors.
class tensor_counter : public recorder_counter<tensor_recorder> {
public:
    using recorder_counter::recorder_counter;

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;
};

/// Measures how far the body raises the bytes of tensors. The reading before the body is the level, and the reading
/// after it is the peak since then.
class tensor_memory_counter final : public tensor_counter {
public:
    using tensor_counter::tensor_counter;

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;

private:
    bool in_sample_{};
};

/// Sees the floating-point operations of a tensor library's operators; an adapter installs it.
class operation_recorder : public seam {
public:
    /// Counts every call that begins from now on, in all threads.
    virtual void begin() = 0;
    virtual void end() noexcept = 0;
    /// The operations of all calls so far that have a formula.
    [[nodiscard]] virtual std::int64_t operations() const = 0;
    /// The number of those calls.
    [[nodiscard]] virtual std::int64_t counted_calls() const = 0;
    /// Products and convolutions that ran since `begin` and have no formula, by name.
    [[nodiscard]] virtual std::vector<std::string> uncounted() const = 0;
    /// The operators that have a formula: "aten::mm, aten::add".
    [[nodiscard]] virtual std::string counted_operators() const = 0;
};

/// Registers an adapter's recorder for this process; it must live as long as the process. Returns true, so the
/// initialiser of a constant can call it before main.
bool use_operation_recorder(operation_recorder& r) noexcept;

/// The recorder of this process; null if no adapter installed one.
[[nodiscard]] operation_recorder* known_operation_recorder() noexcept;

/// Counts floating-point operations. A body without any counted call has no count: its operations are unknown, not 0.
class operation_counter final : public recorder_counter<operation_recorder> {
public:
    using recorder_counter::recorder_counter;

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

private:
    bool in_sample_{};
    std::int64_t calls_before_{};
};

}  // namespace perfspec::inline v0_1
