// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Two ways to keep a log small: compact it all at once now and then, or compact a little in every call. Their medians
// do not show the pauses; their 99th percentiles do. A percentile of cpu_time shows what the calls do. A percentile of
// latency also shows how often a busy machine interrupts them, so a bound on it needs much room.

#include <perfspec/catch2.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// Work on one entry.
std::uint64_t mix(std::uint64_t x) {
    for (int i = 0; i < 64; ++i) {
        x ^= x >> 33U;
        x *= 0xff51afd7ed558ccdULL;
    }
    return x;
}

/// Each call adds 4096 entries. After every `calls_between` calls the new entries are compacted.
class event_log {
public:
    explicit event_log(std::size_t calls_between) : calls_between_(calls_between) {}

    std::uint64_t add() {
        for (int i = 0; i < 4096; ++i) entries_.push_back(mix(++last_));
        std::uint64_t kept = 0;
        if (++calls_ % calls_between_ != 0) return kept;
        for (const std::uint64_t entry : entries_) kept ^= mix(entry);
        entries_.clear();
        return kept;
    }

private:
    std::size_t calls_between_;
    std::size_t calls_ = 0;
    std::uint64_t last_ = 0;
    std::vector<std::uint64_t> entries_;
};

}  // namespace

TEST_CASE("compacting a little in every call shortens the pauses", "[perf]") {
    event_log at_once(32);
    event_log steadily(1);
    auto pausing = perfspec::subject("compacts at once", [&] { return at_once.add(); });
    auto steady = perfspec::subject("compacts steadily", [&] { return steadily.add(); });

    PERF_CHECK(p99(cpu_time(steady)) < 0.5 * p99(cpu_time(pausing)));
    PERF_CHECK(p99(latency(steady)) < 100ms);
}
