// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/hardware_counters.hpp>
#include <perfspec/measure/failure.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace perfspec {

std::string detail::explain_event_error(int error, std::optional<int> paranoid_level) {
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

std::string hardware_counter::begin() {
    if (!descriptors_.empty()) return {};
    int error = ESRCH;
    for (const int thread : events_->threads()) {
        const int opened = events_->open(event_, thread);
        if (opened >= 0) {
            descriptors_.push_back(opened);
        } else if (opened != -ESRCH) {  // a thread that has just ended counts nothing
            error = -opened;
            end();
            return detail::explain_event_error(error, events_->paranoid_level());
        }
    }
    return descriptors_.empty() ? detail::explain_event_error(error, events_->paranoid_level()) : std::string{};
}

void hardware_counter::end() noexcept {
    for (const int d : descriptors_) events_->close(d);
    descriptors_.clear();
}

std::int64_t hardware_counter::now() {
    std::int64_t sum = 0;
    for (const int d : descriptors_) {
        const auto seen = events_->read(d);
        if (!seen) throw measurement_failure(failure_kind::not_countable, "the processor's counters could not be read");
        // A share of the time could be scaled up. But the claim would then depend on which share was counted.
        if (seen->running_ns < seen->enabled_ns)
            throw measurement_failure(
                failure_kind::not_countable,
                fmt::format(
                    "the processor's counters counted only {:.0f} % of the time, because another profiler uses them, or the thread "
                    "moved to a core of another kind: stop perf and other profilers, sysctl kernel.nmi_watchdog=0, taskset to cores of "
                    "one kind",
                    100.0 * static_cast<double>(seen->running_ns) / static_cast<double>(seen->enabled_ns)));
        sum += seen->count;
    }
    return sum;
}

}  // namespace perfspec
