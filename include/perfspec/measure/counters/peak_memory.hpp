// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace perfspec {

/// What the system tells about the memory of this process, bytes; nothing where it does not. A seam: tests script it.
class memory_system {
public:
    memory_system() = default;
    memory_system(const memory_system&) = delete;
    memory_system& operator=(const memory_system&) = delete;
    virtual ~memory_system() = default;

    /// The resident set now.
    [[nodiscard]] virtual std::optional<std::int64_t> resident() = 0;
    /// Makes `peak` begin anew with the resident set of now; false where the system does not let it.
    [[nodiscard]] virtual bool reset_peak() = 0;
    /// The largest resident set since the last `reset_peak` or the start of the process.
    [[nodiscard]] virtual std::optional<std::int64_t> peak() = 0;
    /// Hands back to the system what was used and is free again, so that using it once more shows. False where the allocator takes no such request.
    [[nodiscard]] virtual bool give_back_free() = 0;
};

/// /proc/self/status and /proc/self/clear_refs where this is Linux, which takes a 5 to reset the peak since 4.0; else getrusage. Free memory is given
/// back by malloc_trim, where malloc is glibc's.
[[nodiscard]] memory_system& process_memory();

/// The environment of a process whose memory is measured. glibc starts with these thresholds and raises both to the size of a block that is freed,
/// so that later blocks stay in the heap: the same code would need more memory the second time. Given, they stay as they are. Other allocators do not
/// know them.
inline constexpr std::pair<const char*, const char*> steady_heap_variables[] = {{"MALLOC_MMAP_THRESHOLD_", "131072"},
                                                                                {"MALLOC_TRIM_THRESHOLD_", "131072"}};

/// How far the body drives up the process's memory: a reading before the body is the level, and the one after it the peak since then.
///
/// Free memory is given back before the level is taken: what earlier runs of the same code used and freed shows when it is used again.
/// Where the peak cannot be reset it tells something only when the body exceeds all that was before; else the second reading throws
/// measurement_failure (not_countable).
class peak_memory_counter final : public counter {
public:
    explicit peak_memory_counter(memory_system& memory) noexcept : memory_(&memory) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override {}
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

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
