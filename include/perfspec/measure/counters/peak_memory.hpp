// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace perfspec {

/// What the system reports about the memory of this process, in bytes; nothing where it does not. A seam: tests script
/// it.
class memory_system : public seam {
public:
    /// The resident set now.
    [[nodiscard]] virtual std::optional<std::int64_t> resident() = 0;
    /// Makes `peak` start again from the current resident set. False where the system does not allow it.
    [[nodiscard]] virtual bool reset_peak() = 0;
    /// The largest resident set since the last `reset_peak` or the start of the process.
    [[nodiscard]] virtual std::optional<std::int64_t> peak() = 0;
    /// Returns memory that was used and is free again to the system, so its next use shows. False where the allocator
    /// cannot do that.
    [[nodiscard]] virtual bool give_back_free() = 0;
};

/// The memory of this process. On Linux it reads /proc/self/status, and resets the peak by writing a 5 to
/// /proc/self/clear_refs (since Linux 4.0). Elsewhere it calls getrusage. malloc_trim gives free memory back, where
/// malloc is glibc's.
[[nodiscard]] memory_system& process_memory();

/// The environment of a process whose memory is measured. glibc starts with these thresholds, and raises both when a
/// larger block is freed. Later blocks then stay in the heap. The same code would need more memory the second time.
/// Thresholds that are set in the environment do not change. Other allocators ignore these variables.
inline constexpr std::pair<const char*, const char*> steady_heap_variables[] = {{"MALLOC_MMAP_THRESHOLD_", "131072"},
                                                                                {"MALLOC_TRIM_THRESHOLD_", "131072"}};

/// Measures how far the body raises the memory of the process. The reading before the body is the level, and the
/// reading after it is the peak since then.
///
/// Free memory is given back before the level is taken. So memory that earlier runs of the same code used and freed
/// shows when it is used again. Where the peak cannot be reset, it says something only if the body exceeds everything
/// before. Otherwise the second reading throws measurement_failure (not_countable).
class peak_memory_counter final : public counter {
public:
    explicit peak_memory_counter(memory_system& memory) noexcept : memory_(&memory) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override {}
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;
    [[nodiscard]] detail::remote_reading there() const noexcept override { return detail::remote_reading::peak_memory; }

private:
    [[nodiscard]] std::int64_t take_level();
    [[nodiscard]] std::int64_t take_peak();

    memory_system* memory_;
    bool in_sample_{};
    bool was_reset_{};
    bool free_is_hidden_{};
    std::int64_t level_{};
    std::int64_t peak_before_{};
};

}  // namespace perfspec
