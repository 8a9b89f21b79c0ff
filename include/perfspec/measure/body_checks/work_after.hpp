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

    /// The time per call. Threads that spin while they wait for the next call do so once, after one call as after many.
    [[nodiscard]] double a_call() const noexcept;
    /// Whether the time belongs to each call: it is four times as much after many calls as after one, and per call at least `call_ns`.
    [[nodiscard]] bool is_of_each_call(double call_ns) const noexcept;
};

/// The processor time per call of x that other threads use after it has returned, in nanoseconds. Nothing where they use none, where they
/// never rest, and where calls are too slow to be repeated only for this check.
[[nodiscard]] std::optional<double> find_work_after(const subject& x, double call_ns, usage_meter& meter, sleeper& rest);

}  // namespace perfspec
