// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/usage.hpp>
#include <perfspec/measure/machine/sleeper.hpp>

#include <cstdint>
#include <optional>

namespace perfspec {

/// Processor time that other threads used after calls had returned, until they rested.
struct work_after_calls {
    std::int64_t after_one_ns{};
    std::int64_t after_many_ns{};
    std::uint64_t many{};

    /// A call's part. Threads that wait for the next call by spinning do so once, after one call and after many.
    [[nodiscard]] double a_call() const noexcept;
    /// Whether what goes on is work of each call: four times as much after many calls as after one, and a call's part no less than its own `call_ns`.
    [[nodiscard]] bool is_of_each_call(double call_ns) const noexcept;
};

/// The processor time a call of x that other threads go on with after it has returned, nanoseconds; nothing where none do, where they never rest, and
/// for calls too slow to be repeated just for this.
[[nodiscard]] std::optional<double> find_work_after(const subject& x, double call_ns, usage_meter& meter, sleeper& rest);

}  // namespace perfspec
