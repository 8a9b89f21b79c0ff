// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/heap_counters.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

/// Explains the errno of `open`.
inline std::string explain_event_error(int error, std::optional<int> paranoid_level) {
    const std::string level = paranoid_level ? fmt::format("kernel.perf_event_paranoid is {}", *paranoid_level)
                                             : "kernel.perf_event_paranoid is unknown";
    switch (error) {
    case EACCES:
    case EPERM:
        return fmt::format(
            "the kernel does not let this user count the processor's events ({}). Allow it (sudo sysctl "
            "kernel.perf_event_paranoid=2). In a container, the seccomp profile must also allow perf_event_open "
            "(docker run --cap-add PERFMON)",
            level);
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "this machine offers no such counter, like most virtual machines. Run on a physical machine, or let the "
               "hypervisor expose the processor's counters (vPMU)";
    case ENOSYS: return "this system has no perf_event_open: hardware counters need Linux with performance events";
    case EMFILE:
    case ENFILE:
        return "no file descriptors are left: the counters need one for each thread. Raise the limit, such as ulimit "
               "-n 4096";
    default:
        return fmt::format("the processor's events cannot be counted, because perf_event_open failed: {} ({})",
                           std::strerror(error), level);
    }
}

}  // namespace detail

std::string hardware_counter::begin() {
    if (!descriptors_.empty()) return {};
    int error = ESRCH;
    for (const int thread : events_->threads()) {
        const int opened = events_->open(event_, thread);
        if (opened >= 0) {
            descriptors_.push_back(opened);
        } else if (opened != -ESRCH) {  // the thread has just ended
            error = -opened;
            end();
            return detail::explain_event_error(error, events_->paranoid_level());
        }
    }
    if (descriptors_.empty()) return detail::explain_event_error(error, events_->paranoid_level());
    if (events_->counters_advance()) return {};
    end();
    return "the processor's counters can be opened but stay at 0, because this hypervisor or sandbox does not count. "
           "Run on a physical machine, or use simulated_instructions(x)";
}

void hardware_counter::end() noexcept {
    for (const int d : descriptors_) events_->close(d);
    descriptors_.clear();
}

std::int64_t hardware_counter::now() {
    std::int64_t sum = 0;
    for (const int d : descriptors_) {
        const auto value = events_->read(d);
        if (!value)
            throw measurement_failure(failure_kind::not_countable, "the processor's counters could not be read");
        // No scaling: the claim would depend on which share of the time was counted.
        if (value->running_ns < value->enabled_ns)
            throw measurement_failure(
                failure_kind::not_countable,
                fmt::format(
                    "the processor's counters counted only {:.0f} % of the time, because another profiler uses them or "
                    "the thread moved to a core of another type. Stop perf and other profilers, turn off the watchdog "
                    "(sudo sysctl kernel.nmi_watchdog=0), or use cores of one type (taskset -c 0-3)",
                    100.0 * static_cast<double>(value->running_ns) / static_cast<double>(value->enabled_ns)));
        sum += value->count;
    }
    return sum;
}

namespace detail {

/// The counter of a metric that no module counts.
class missing_counter final : public counter {
public:
    explicit missing_counter(metric_kind m) noexcept : metric_(m) {}

    [[nodiscard]] std::string begin() override {
        return "this program cannot count " + std::string(traits_of(metric_).word) +
               ", because the library of perfspec for it is not linked. include/perfspec/README.md names the library";
    }
    void end() noexcept override {}
    [[nodiscard]] std::int64_t now() override { return 0; }

private:
    metric_kind metric_;
};

inline std::map<metric_kind, counter*>& counters_of_modules() {
    static auto& all = *new std::map<metric_kind, counter*>;  // never destroyed: others may use it at the end
    return all;
}

class real_counters final : public counters {
public:
    [[nodiscard]] counter& of(const counter_key& key) override {
        const metric_kind m = key.metric;
        if (m == metrics::allocations) return calls_;
        if (m == metrics::allocated_bytes) return bytes_;
        if (m == metrics::peak_memory) return memory_;
        for (hardware_counter& c : hardware_)
            if (c.event() == m) return c;
        if (!is_counted(m)) throw std::logic_error("counters: this metric is not counted");
        const auto known = counters_of_modules().find(m);
        if (known == counters_of_modules().end()) return missing_.emplace(m, m).first->second;
        known->second->count_only(key.name);
        return *known->second;
    }

private:
    [[nodiscard]] void* recorder_of(std::type_index type) override {
        const auto found = installed_recorders().find(type);
        return found == installed_recorders().end() ? nullptr : found->second;
    }

    heap_counter calls_{heap_counter::what::calls, known_heap_counters};
    heap_counter bytes_{heap_counter::what::bytes, known_heap_counters};
    std::map<metric_kind, missing_counter> missing_;
    peak_memory_counter memory_{process_memory()};
    hardware_counter hardware_[4]{{metrics::instructions, kernel_events()},
                                  {metrics::cycles, kernel_events()},
                                  {metrics::branch_misses, kernel_events()},
                                  {metrics::cache_misses, kernel_events()}};
};

}  // namespace detail

counters& process_counters() {
    static detail::real_counters& all = *new detail::real_counters;
    return all;
}

std::map<std::type_index, void*>& installed_recorders() {
    static auto& all = *new std::map<std::type_index, void*>;  // never destroyed: others may use it at the end
    return all;
}

bool use_counter(metric_kind m, counter& how) {
    detail::counters_of_modules()[m] = &how;
    return true;
}

namespace detail {

bool use_heap_counters(heap_counters& counted, bool counts_malloc) noexcept {
    counted.counts_malloc = counts_malloc;
    return install_recorder<heap_counters>(&counted);
}

heap_counters* known_heap_counters() noexcept { return installed_recorder<heap_counters>(); }

}  // namespace detail

std::string heap_counter::begin() {
    detail::heap_counters* const counted = counted_();
    if (counted == nullptr)
        return "this program does not count its allocations. Add #include <perfspec/allocations.hpp> to one of its "
               "source files; the header replaces operator new and delete";
    if (!counted->counts_malloc)
        throw measurement_failure(
            failure_kind::not_countable,
            "perfspec cannot see calls of malloc in this program, so a count would be too small. Link the program "
            "dynamically, with glibc and without another malloc (include/perfspec/measure/README.md, Counts)");
    counted->thread.store(::pthread_self());
    counted->calls_of_others.store(0);
    counted->counting.store(true);
    return {};
}

void heap_counter::end() noexcept {
    if (detail::heap_counters* const counted = counted_()) counted->counting.store(false);
}

std::int64_t heap_counter::now() { return (what_ == what::calls ? counted_()->calls : counted_()->bytes).load(); }

std::string heap_counter::caveat() const {
    const detail::heap_counters* const counted = counted_();
    if (counted == nullptr) return {};
    const std::int64_t others = counted->calls_of_others.load();
    if (others == 0) return {};
    return fmt::format(
        "{} of the counted allocations are of other threads. The count includes all threads of the program, "
        "also those that the body did not start",
        others);
}

}  // namespace perfspec::inline v0_2
