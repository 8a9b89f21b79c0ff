// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/disturbance.hpp>

#include <chrono>
#include <cstdint>

namespace perfspec::testing {

/// The usage of a process, as bodies report it.
class scripted_usage final : public usage_meter {
public:
    usage used{};
    processor_use processors{};
    machine_counters counters{};
    process_resources holds{};

    /// This thread works for `ns`.
    void work(std::int64_t ns) {
        used.wall_ns += ns;
        used.cpu_ns += ns;
        used.own_cpu_ns += ns;
    }

    [[nodiscard]] usage now() override { return used; }
    [[nodiscard]] process_resources kept() override { return holds; }
    [[nodiscard]] processor_use use_of_processors(metered_waiting, reading_place) override { return processors; }
    [[nodiscard]] machine_counters machine() override { return counters; }

    /// A call of one thread works for this long, and waits for a processor for that long.
    void call(std::chrono::nanoseconds works, std::chrono::nanoseconds waits) {
        processors.own_ns += works.count();
        processors.waited_ns += waits.count();
        if (waits.count() > 0) ++processors.interruptions;
    }
    /// The same of two threads.
    void call_of_two_threads(std::chrono::nanoseconds works, std::chrono::nanoseconds waits) {
        call(works, waits);
        processors.others_ns += works.count();
    }
};

}  // namespace perfspec::testing
