// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/usage.hpp>
#include <perfspec/measure/machine/clock-inl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace perfspec {
namespace detail {

/// The beginning of a small kernel file, read without the heap; empty where there is no such file.
class process_file {
public:
    explicit process_file(const char* path) {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        length_ = static_cast<std::size_t>(std::max<ssize_t>(::read(file, buffer_.data(), buffer_.size() - 1), 0));
        ::close(file);
    }
    [[nodiscard]] std::string_view text() const noexcept { return {buffer_.data(), length_}; }

    /// The number behind a name, as in "Threads:	3"; 0 where the name is not there.
    [[nodiscard]] std::int64_t number(std::string_view name) const noexcept {
        const auto at = text().find(name);
        return at == std::string_view::npos ? 0 : std::strtoll(buffer_.data() + at + name.size(), nullptr, 10);
    }

private:
    std::array<char, 4096> buffer_{};
    std::size_t length_{};
};

class usage_of_process final : public usage_meter {
public:
    [[nodiscard]] usage now() override {
        usage u;
        const process_file status("/proc/self/status");
        u.memory_bytes = status.number("\nRssAnon:") * 1024;
        u.threads = static_cast<int>(status.number("\nThreads:"));
        rusage used{};
        if (::getrusage(RUSAGE_SELF, &used) == 0) u.page_faults = used.ru_minflt + used.ru_majflt;
        u.wall_ns = read_system_clock(CLOCK_MONOTONIC);
        // In this order the other threads' part is never negative.
        u.own_cpu_ns = read_system_clock(CLOCK_THREAD_CPUTIME_ID);
        u.cpu_ns = read_system_clock(CLOCK_PROCESS_CPUTIME_ID);
        return u;
    }
};

}  // namespace detail

usage_meter& process_usage() {
    static detail::usage_of_process meter;
    return meter;
}

}  // namespace perfspec
