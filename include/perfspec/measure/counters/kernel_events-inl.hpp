// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/metric.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {
namespace detail {

inline std::uint64_t event_number(metric_kind event) {
    if (event == metrics::instructions) return PERF_COUNT_HW_INSTRUCTIONS;
    if (event == metrics::cycles) return PERF_COUNT_HW_CPU_CYCLES;
    if (event == metrics::branch_misses) return PERF_COUNT_HW_BRANCH_MISSES;
    if (event == metrics::cache_misses) return PERF_COUNT_HW_CACHE_MISSES;
    throw std::logic_error("perfspec: no event of the processor counts " + std::string(traits_of(event).word));
}

class linux_events final : public event_system {
public:
    [[nodiscard]] int open(metric_kind event, int thread) override {
        perf_event_attr attributes{};
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.size = sizeof attributes;
        attributes.config = event_number(event);
        attributes.inherit = 1;
        attributes.exclude_kernel = 1;
        attributes.exclude_hv = 1;
        attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        const long descriptor = ::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
        return descriptor >= 0 ? static_cast<int>(descriptor) : -errno;
    }
    [[nodiscard]] std::optional<event_reading> read(int descriptor) override {
        event_reading value;
        static_assert(sizeof value == 24);
        if (::read(descriptor, &value, sizeof value) != static_cast<ssize_t>(sizeof value)) return {};
        return value;
    }
    void close(int descriptor) noexcept override { ::close(descriptor); }

    [[nodiscard]] std::vector<int> threads() override {
        std::vector<int> ids;
        std::error_code ignored;
        for (std::filesystem::directory_iterator at("/proc/self/task", ignored), end; !ignored && at != end;
             at.increment(ignored)) {
            const std::string name = at->path().filename().string();
            int thread = 0;
            if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc{})
                ids.push_back(thread);
        }
        return ids.empty() ? std::vector{0} : ids;
    }
    [[nodiscard]] bool counters_advance() override {
        static const bool advance = instructions_advance();
        return advance;
    }
    [[nodiscard]] std::optional<int> paranoid_level() override {
        std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
        int level = 0;
        return file >> level ? std::optional(level) : std::nullopt;
    }

private:
    [[nodiscard]] bool instructions_advance();
};

/// Whether the counter of instructions advances in a loop. True if it cannot be opened, because `open` then reports
/// that.
inline bool linux_events::instructions_advance() {
    constexpr int enough = 10'000;
    const int descriptor = open(metrics::instructions, 0);
    if (descriptor < 0) return true;
    const auto before = read(descriptor);
    for (int i = 0; i < enough; ++i) asm volatile("");
    const auto after = read(descriptor);
    close(descriptor);
    return !before || !after || after->count - before->count >= enough;
}

}  // namespace detail

event_system& kernel_events() {
    static detail::linux_events& events = *new detail::linux_events;
    return events;
}

}  // namespace perfspec::inline v0_2
