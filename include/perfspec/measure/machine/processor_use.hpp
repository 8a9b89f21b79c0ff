// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

// How long a sample would have taken without interruptions (stats/README.md, "Interrupted samples").

namespace perfspec::inline v0_2 {

/// The threads whose waiting for a processor counts. `none` is cheap, and enough for a body that works in one thread
/// and does not block: its processor time has no waiting in it.
enum class metered_waiting : std::uint8_t { none, of_all_threads };

/// What a process has used of the processors: so far, or between two readings. Values that the system does not provide
/// are zero.
struct processor_use {
    std::int64_t own_ns{};          ///< processor time of the thread that runs the body
    std::int64_t others_ns{};       ///< of the other threads together; of a worker, also of child processes
    std::int64_t ended_ns{};        ///< of `others_ns`, of threads that may have ended: their waiting is unknown
    std::int64_t waited_ns{};       ///< of all threads together: could run, and waited for a processor
    std::uint64_t interruptions{};  ///< times at which the system gave that thread's processor to another one
    std::uint64_t blocks{};         ///< times at which that thread waited for something else: a lock, a file, a time
    bool is_beside_others{true};    ///< other processes used processors lately; otherwise threads wait for each other

    /// Work of all threads.
    [[nodiscard]] constexpr std::int64_t all_ns() const noexcept { return own_ns + others_ns; }
    /// Whether the other threads did next to nothing; or, if no thread waited, less than a twentieth of the work. A
    /// thread that spins until a waiting one is done has most of the processor time, too.
    [[nodiscard]] constexpr bool is_of_one_thread() const noexcept {
        constexpr std::int64_t next_to_nothing_ns = 10'000, one_in = 20;
        return others_ns <= next_to_nothing_ns || (waited_ns == 0 && others_ns * one_in <= own_ns);
    }
    /// Whether one thread did the work without blocking: then its processor time is its time without interruptions.
    [[nodiscard]] constexpr bool is_of_one_computing_thread() const noexcept {
        return blocks == 0 && is_of_one_thread();
    }

    friend bool operator==(const processor_use&, const processor_use&) = default;
};

/// The use between two readings. The cost of an empty pair of readings, `of_reading`, is taken off the processor times.
/// A total that falls counts as 0: threads that have ended take their waiting with them.
[[nodiscard]] constexpr processor_use difference(const processor_use& before, const processor_use& after,
                                                 const processor_use& of_reading = {}) noexcept {
    const auto rise = [](auto first, auto later) { return later > first ? later - first : 0; };
    return {.own_ns = rise(before.own_ns + of_reading.own_ns, after.own_ns),
            .others_ns = rise(before.others_ns + of_reading.others_ns, after.others_ns),
            .ended_ns = rise(before.ended_ns + of_reading.others_ns, after.ended_ns),
            .waited_ns = rise(before.waited_ns, after.waited_ns),
            .interruptions = rise(before.interruptions, after.interruptions),
            .blocks = rise(before.blocks, after.blocks),
            .is_beside_others = after.is_beside_others};
}

/// A time without interruptions, in nanoseconds.
struct working_time {
    double ns{};
    bool is_exact{};  ///< otherwise a lower limit: the waiting may overlap with work, or lie outside the reading

    /// Whether interruptions took at most 1 % of the reading.
    [[nodiscard]] constexpr bool is_nearly(double reading_ns) const noexcept {
        return is_exact && reading_ns - ns <= 0.01 * reading_ns;
    }

    friend bool operator==(const working_time&, const working_time&) = default;
};

/// The time of `elapsed_ns` without interruptions.
///
/// Of one computing thread it is the processor time, if the thread was interrupted. Taking the waiting off the elapsed
/// time would be wrong, because the system also counts waiting just before and just after the sample. Other samples
/// are what they are if no other process used a processor, or if their threads waited for at most 1 % of the time;
/// otherwise only a lower limit is known. If threads that did the work have ended, not even that.
[[nodiscard]] constexpr working_time working_time_of(std::int64_t elapsed_ns, const processor_use& use) noexcept {
    constexpr std::int64_t parts = 100;
    const auto elapsed = static_cast<double>(elapsed_ns);
    if (use.is_of_one_computing_thread()) {
        const bool is_known = use.interruptions > 0 && use.own_ns > 0;
        return {is_known ? static_cast<double>(std::min(use.own_ns, elapsed_ns)) : elapsed, true};
    }
    if (!use.is_beside_others) return {elapsed, true};
    if (2 * use.ended_ns > use.others_ns) return {0.0, false};
    const bool is_unmetered = use.interruptions > 0 && use.waited_ns == 0;
    if (!is_unmetered && use.waited_ns * parts <= elapsed_ns) return {elapsed, true};
    const std::int64_t worked = use.is_of_one_thread() ? use.own_ns : 0;  // several may spin until another one is done
    const std::int64_t least = is_unmetered ? worked : std::max(elapsed_ns - use.waited_ns, worked);
    return {static_cast<double>(std::clamp<std::int64_t>(least, 0, elapsed_ns)), false};
}

}  // namespace perfspec::inline v0_2
