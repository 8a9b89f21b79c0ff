// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/heap_counters.hpp>
#include <perfspec/measure/counters/operator_events.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::inline v0_1 {
namespace detail {

/// The installed recorder, or null.
template <class Recorder> Recorder*& installed() noexcept {
    static Recorder* recorder = nullptr;
    return recorder;
}

template <class Recorder> bool install(Recorder& r) noexcept {
    installed<Recorder>() = &r;
    return true;
}

/// "a, b and 3 others"; empty for none.
inline std::string listed_names(const std::vector<std::string>& names) {
    constexpr std::size_t most = 4;
    if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} others", fmt::join(std::span(names).first(most), ", "), names.size() - most);
}

}  // namespace detail

operator_recorder* known_operator_recorder() noexcept { return detail::installed<operator_recorder>(); }
tensor_recorder* known_tensor_recorder() noexcept { return detail::installed<tensor_recorder>(); }
operation_recorder* known_operation_recorder() noexcept { return detail::installed<operation_recorder>(); }

bool use_operator_recorder(operator_recorder& r) noexcept { return detail::install(r); }
bool use_tensor_recorder(tensor_recorder& r) noexcept { return detail::install(r); }
bool use_operation_recorder(operation_recorder& r) noexcept { return detail::install(r); }

std::string operation_counter::begin() {
    operation_recorder* const recorder = recorder_();
    if (recorder == nullptr)
        return "nothing in this program counts operations: link perfspec::libtorch, and make the subject with perfspec::eager or another of "
               "<perfspec/libtorch.hpp>; for work that you declare by .flops(n), write throughput(x, flops)";
    in_sample_ = false;
    recorder->begin();
    return {};
}

std::int64_t operation_counter::now() {
    const operation_recorder& recorder = *recorder_();
    in_sample_ = !in_sample_;
    if (in_sample_) {
        calls_before_ = recorder.counted_calls();
    } else if (recorder.counted_calls() == calls_before_) {
        const std::string others = detail::listed_names(recorder.uncounted());
        throw measurement_failure(
            failure_kind::not_countable,
            "no operator whose operations can be counted ran, so they are unknown; there are formulas for " +
                recorder.counted_operators() + (others.empty() ? "" : ", and none for " + others));
    }
    return recorder.operations();
}

std::string operation_counter::caveat() const {
    const operation_recorder* const recorder = recorder_();
    const std::string names = recorder == nullptr ? std::string{} : detail::listed_names(recorder->uncounted());
    return names.empty() ? std::string{}
                         : "operations that are not counted, because there is no formula for them: " + names;
}

std::string tensor_counter::begin() {
    if (tensor_recorder* const recorder = recorder_()) return recorder->begin();
    return "this program cannot record the memory of tensors: link perfspec::libtorch; for operator new, write allocations(x)";
}

std::int64_t tensor_counter::now() { return recorder_()->allocations(); }

std::string tensor_memory_counter::begin() {
    in_sample_ = false;
    return tensor_counter::begin();
}

std::int64_t tensor_memory_counter::now() {
    tensor_recorder& recorder = *recorder_();
    in_sample_ = !in_sample_;
    if (!in_sample_) return recorder.peak();
    recorder.restart_peak();
    return 0;
}

namespace detail {

/// Explains the errno of `open`.
inline std::string explain_event_error(int error, std::optional<int> paranoid_level) {
    const std::string level =
        paranoid_level ? fmt::format("kernel.perf_event_paranoid is {}", *paranoid_level) : "no level is known";
    switch (error) {
    case EACCES:
    case EPERM:
        return fmt::format(
            "the kernel does not let this user count the processor's events ({}): sudo sysctl kernel.perf_event_paranoid=2; in a "
            "container, the seccomp profile must allow perf_event_open, too (docker: --cap-add PERFMON)",
            level);
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "this machine offers no such counter, as most virtual machines do not: run on hardware, or let the hypervisor pass the "
               "processor's counters on";
    case ENOSYS: return "this system has no perf_event_open: hardware counters need Linux with performance events";
    case EMFILE:
    case ENFILE: return "no file descriptors are left for counters, one a thread: raise ulimit -n";
    default:
        return fmt::format("the processor's events cannot be counted: perf_event_open: {} ({})", std::strerror(error),
                           level);
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
    return "the processor's counters open, and stay at 0 while it works: a hypervisor or a sandbox offers them without "
           "counting; run on hardware, or use simulated_instructions(x)";
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
                    "the processor's counters counted only {:.0f} % of the time, because another profiler uses them, or the thread "
                    "moved to a core of another kind: stop perf and other profilers, sysctl kernel.nmi_watchdog=0, taskset to cores of "
                    "one kind",
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
        return "nothing in this program counts " + std::string(traits_of(metric_).word) + ": link perfspec::cuda";
    }
    void end() noexcept override {}
    [[nodiscard]] std::int64_t now() override { return 0; }

private:
    metric_kind metric_;
};

inline std::map<metric_kind, counter*>& counters_of_modules() {
    static auto& all = *new std::map<metric_kind, counter*>;  // never destroyed, as the counters
    return all;
}

class real_counters final : public counters {
public:
    [[nodiscard]] counter& of(metric_kind m) override {
        if (m == metric_kind::allocations) return calls_;
        if (m == metric_kind::allocated_bytes) return bytes_;
        if (m == metric_kind::op_count) return operators_;
        if (m == metric_kind::kernel_count) return kernels_;
        if (m == metric_kind::flops) return operations_;
        if (m == metric_kind::tensor_allocations) return tensor_allocations_;
        if (m == metric_kind::tensor_memory) return tensor_memory_;
        if (m == metric_kind::peak_memory) return memory_;
        for (hardware_counter& c : hardware_)
            if (c.event() == m) return c;
        if (traits_of(m).needs == supply::device) return of_module(m);
        throw std::logic_error("counters: this metric is not counted");
    }
    [[nodiscard]] operator_recorder* operators() noexcept override { return known_operator_recorder(); }
    [[nodiscard]] device_recorder* devices() noexcept override { return known_device_recorder(); }
    [[nodiscard]] counter& of_operator(const std::string& name) override {
        named_operators_.count_only(name);
        return named_operators_;
    }
    [[nodiscard]] counter& device_kernels() override { return of_module(metric_kind::kernel_count); }

private:
    counter& of_module(metric_kind m) {
        const auto known = counters_of_modules().find(m);
        return known != counters_of_modules().end() ? *known->second : missing_.emplace(m, m).first->second;
    }

    heap_counter calls_{heap_counter::what::calls, known_heap_counters};
    heap_counter bytes_{heap_counter::what::bytes, known_heap_counters};
    operator_counter operators_{known_operator_recorder};
    operator_counter named_operators_{known_operator_recorder};
    operator_counter kernels_{known_operator_recorder, &operator_recorder::outermost};
    operation_counter operations_{known_operation_recorder};
    tensor_counter tensor_allocations_{known_tensor_recorder};
    tensor_memory_counter tensor_memory_{known_tensor_recorder};
    std::map<metric_kind, missing_counter> missing_;
    peak_memory_counter memory_{process_memory()};
    hardware_counter hardware_[4]{{metric_kind::instructions, kernel_events()},
                                  {metric_kind::cycles, kernel_events()},
                                  {metric_kind::branch_misses, kernel_events()},
                                  {metric_kind::cache_misses, kernel_events()}};
};

}  // namespace detail

counters& process_counters() {
    static detail::real_counters& all = *new detail::real_counters;
    return all;
}

device_recorder*& known_device_recorder() noexcept { return detail::installed<device_recorder>(); }

bool use_counter(metric_kind m, counter& how) {
    detail::counters_of_modules()[m] = &how;
    return true;
}

namespace detail {

bool use_heap_counters(heap_counters& counted, bool counts_malloc) noexcept {
    counted.counts_malloc = counts_malloc;
    return install(counted);
}

heap_counters* known_heap_counters() noexcept { return installed<heap_counters>(); }

}  // namespace detail

std::string heap_counter::begin() {
    detail::heap_counters* const counted = counted_();
    if (counted == nullptr)
        return "this program does not count its allocations: write #include <perfspec/allocations.hpp> in one of its source files, which "
               "replaces operator new and delete";
    if (!counted->counts_malloc)
        throw measurement_failure(
            failure_kind::not_countable,
            "perfspec cannot see calls of malloc in this program, so a count would be too small: link it dynamically, "
            "with glibc, and without a malloc of its own (include/perfspec/measure/README.md, Counts)");
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
    return fmt::format("{} of the allocations that were seen are of other threads than the one that calls the body: "
                       "those that the body started count, and so do all others of the program",
                       others);
}

}  // namespace perfspec::inline v0_1
