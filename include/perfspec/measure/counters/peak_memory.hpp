// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace perfspec::inline v0_2 {

/// Memory of this process, in bytes; nullopt if the system does not report it. A seam: tests script it.
class memory_system : public seam {
public:
    /// The resident set now.
    [[nodiscard]] virtual std::optional<std::int64_t> resident() = 0;
    /// Makes `peak` start again from the current resident set. False if the system does not allow it.
    [[nodiscard]] virtual bool reset_peak() = 0;
    /// The largest resident set since the last `reset_peak` or the start of the process.
    [[nodiscard]] virtual std::optional<std::int64_t> peak() = 0;
    /// Returns free memory to the system, so that its next use shows. False if the allocator cannot do that.
    [[nodiscard]] virtual bool give_back_free() = 0;
};

/// The memory of this process. On Linux it reads /proc/self/status, and resets the peak by writing a 5 to
/// /proc/self/clear_refs (since Linux 4.0). Elsewhere it calls getrusage. glibc's malloc_trim returns free memory.
[[nodiscard]] memory_system& process_memory();

/// The environment of a process whose memory is measured. glibc starts with these thresholds, and raises both when the
/// program frees a larger block. Later blocks then stay in the heap, and the same code would need more memory the
/// second time. Thresholds that are set in the environment do not change. Other allocators ignore these variables.
inline constexpr std::pair<const char*, const char*> steady_heap_variables[] = {{"MALLOC_MMAP_THRESHOLD_", "131072"},
                                                                                {"MALLOC_TRIM_THRESHOLD_", "131072"}};

/// Measures how far the body raises the memory of the process. The reading before the body is the level, and the
/// reading after it is the peak since then.
///
/// The first reading returns free memory to the system, so memory that earlier runs freed shows when it is used again.
/// If the peak cannot be reset, the body must exceed the previous peak; otherwise the second reading throws
/// measurement_failure (not_countable).
class peak_memory_counter final : public counter {
public:
    explicit peak_memory_counter(memory_system& memory) noexcept : memory_(&memory) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override {}
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;
    [[nodiscard]] detail::remote_reading remote_kind() const noexcept override {
        return detail::remote_reading::peak_memory;
    }

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

}  // namespace perfspec::inline v0_2
