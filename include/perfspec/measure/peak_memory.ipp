// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/peak_memory.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace perfspec {
namespace detail {

/// Read without the heap, which is what is measured.
class process_files final : public memory_system {
public:
    [[nodiscard]] std::optional<std::int64_t> resident() override { return kibibytes("VmRSS:"); }

    [[nodiscard]] bool reset_peak() override {
        const int file = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
        if (file < 0) return false;
        const bool done = ::write(file, "5", 1) == 1;
        ::close(file);
        return done;
    }

    [[nodiscard]] std::optional<std::int64_t> peak() override {
        if (const auto seen = kibibytes("VmHWM:")) return seen;
        rusage used{};
        if (::getrusage(RUSAGE_SELF, &used) != 0) return {};
        return used.ru_maxrss * std::int64_t{1024};
    }

private:
    /// "VmHWM:	    5120 kB" of /proc/self/status.
    static std::optional<std::int64_t> kibibytes(std::string_view name) {
        const int file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
        if (file < 0) return {};
        std::array<char, 4096> buffer{};
        const auto length = ::read(file, buffer.data(), buffer.size() - 1);
        ::close(file);
        const std::string_view text(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
        const auto at = text.find(name);
        if (at == std::string_view::npos) return {};
        return std::strtoll(text.data() + at + name.size(), nullptr, 10) * std::int64_t{1024};
    }
};

}  // namespace detail

memory_system& process_memory() {
    static detail::process_files memory;
    return memory;
}

std::string peak_memory_counter::begin() {
    in_sample_ = false;
    if (memory_->resident() && memory_->peak()) return {};
    return "this system does not tell how much memory a process has: /proc/self/status is needed";
}

std::int64_t peak_memory_counter::take_level() {
    peak_before_ = memory_->peak().value_or(0);
    was_reset_ = memory_->reset_peak();
    level_ = memory_->resident().value_or(0);
    return level_;
}

std::int64_t peak_memory_counter::take_peak() {
    const std::int64_t peak = memory_->peak().value_or(0);
    if (was_reset_ || peak > peak_before_) return std::max(level_, peak);
    throw measurement_failure(failure_kind::not_countable,
                              "the peak of memory cannot be told: /proc/self/clear_refs is not writable here, and the process was larger "
                              "before; let the test case do less before the claim");
}

std::int64_t peak_memory_counter::now() {
    in_sample_ = !in_sample_;
    return in_sample_ ? take_level() : take_peak();
}

}  // namespace perfspec
