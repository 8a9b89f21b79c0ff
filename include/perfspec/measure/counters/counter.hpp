// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <typeindex>
#include <vector>

namespace perfspec::inline v0_2 {

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
    /// Counts only what has this name from the next `begin` on; empty: everything. For counters of modules.
    virtual void count_only(const std::string&) {}

    [[nodiscard]] bool may_stand_still() const noexcept override { return true; }
    [[nodiscard]] detail::remote_reading remote_kind() const noexcept override { return detail::remote_reading::none; }
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

/// What to count: the metric, and the name of the part of it that counts.
struct counter_key {
    metric_kind metric;
    std::string name{};  ///< empty: everything

    friend bool operator==(const counter_key&, const counter_key&) = default;
};

/// The counters and recorders of a process, by what they count. A seam: tests script it.
class counters : public seam {
public:
    /// The counter of a metric that counts (`is_counted`), or of peak memory. The next call with another name changes
    /// it. Throws std::logic_error for other metrics.
    [[nodiscard]] virtual counter& of(const counter_key& key) = 0;
    /// The recorder of this type that a module installed; null if none did.
    template <class Recorder> [[nodiscard]] Recorder* recorder() {
        return static_cast<Recorder*>(recorder_of(typeid(Recorder)));
    }

private:
    [[nodiscard]] virtual void* recorder_of(std::type_index type) = 0;
};

/// The counters of this process.
[[nodiscard]] counters& process_counters();

/// Has a module count a metric in this process. It calls this before main, and `how` must live as long as the process.
/// Returns true, so the initializer of a constant can call it.
bool use_counter(metric_kind m, counter& how);

/// The recorders of modules in this process, by their types. They must live as long as the process.
[[nodiscard]] std::map<std::type_index, void*>& installed_recorders();

/// Installs a module's recorder in this process. Returns true, so the initializer of a constant can call it before
/// main.
template <class Recorder> bool install_recorder(std::type_identity_t<Recorder>* r) {
    installed_recorders()[typeid(Recorder)] = r;
    return true;
}

/// The recorder of this type in this process; null if no module installed one.
template <class Recorder> [[nodiscard]] Recorder* installed_recorder() noexcept {
    const auto found = installed_recorders().find(typeid(Recorder));
    return found == installed_recorders().end() ? nullptr : static_cast<Recorder*>(found->second);
}

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

}  // namespace perfspec::inline v0_2
