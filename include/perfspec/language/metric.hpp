// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace perfspec::inline v0_2 {

struct metric_traits;

/// The quantity that a query measures: a metric of the core (`metrics`), or of a module (claim/modules.hpp).
class metric_kind {
public:
    constexpr metric_kind(const metric_traits& row) noexcept : row_(&row) {}  // NOLINT(google-explicit-constructor)
    metric_kind(const metric_traits&&) = delete;                              // the row of a temporary has no identity

    [[nodiscard]] constexpr const metric_traits& row() const noexcept { return *row_; }

    friend bool operator==(const metric_kind&, const metric_kind&) = default;
    friend bool operator<(const metric_kind& a, const metric_kind& b) noexcept {
        return std::less<const metric_traits*>{}(a.row_, b.row_);
    }

private:
    const metric_traits* row_;  ///< of the lifetime of the program
};

/// The source of the readings of a metric. It decides which procedures can judge its claims.
enum class reading : std::uint8_t {
    wall_clock,         ///< around a batch of calls
    processor_clock,    ///< around a batch of calls, in processor time of all threads
    body,               ///< a value that each call of the body returns
    declared,           ///< a value that a module knows without a run
    call,               ///< a value that a module reads of each call
    counter,            ///< of the process, around one call
    peak_of_counter,    ///< of the process, the highest level within one call
    processor_counter,  ///< of the processor, around a batch of calls
    module,             ///< a count of a module, in a fresh process
    first_run,          ///< once in a fresh process
    peak_of_first_run,  ///< memory, once in a fresh process
    sizes,              ///< times over sizes, as the slope of a fit
    processes,          ///< medians of fresh processes, as their spread
    parts,              ///< a table of the parts of a run; only recorded
};

/// The verdict of a claim if its metric cannot be read.
enum class unreadable : std::uint8_t {
    is_error,    ///< the program lacks something
    is_skipped,  ///< this machine lacks something
};

/// Which machines share a stored value.
enum class shared_by : std::uint8_t { like_machines, one_architecture };

namespace detail {

/// Its owner cannot be copied.
struct identity {
    constexpr identity() noexcept = default;
    identity(const identity&) = delete;
    identity& operator=(const identity&) = delete;
};

}  // namespace detail

/// A metric, which its address identifies.
struct metric_traits {
    std::string_view word;          ///< its function in the language: "latency"
    dimension unit;                 ///< a throughput has one for each kind of work; this is the first
    perfspec::statistic statistic;  ///< the default
    better direction;               ///< users choose that of their own metrics
    reading from;
    unreadable otherwise;
    shared_by baselines;
    std::string_view help;  ///< the description in the reference (README.md, "Queries")
    [[no_unique_address]] detail::identity identity{};
};

/// The metrics of the core. CONTRIBUTING.md, "Where things are", says what a new one needs.
namespace detail::metrics {
// clang-format off
inline constexpr metric_traits latency{"latency", dimension::time, statistic::median, better::less,
    reading::wall_clock, unreadable::is_skipped, shared_by::like_machines, "wall time of one iteration, the median"};
inline constexpr metric_traits cpu_time{"cpu_time", dimension::time, statistic::median, better::less,
    reading::processor_clock, unreadable::is_skipped, shared_by::like_machines, "process CPU time of one iteration, all threads"};
inline constexpr metric_traits throughput{"throughput", dimension::item_rate, statistic::median, better::more,
    reading::wall_clock, unreadable::is_skipped, shared_by::like_machines, "declared work per second"};
inline constexpr metric_traits own{"metric", dimension::own, statistic::median, better::more,
    reading::body, unreadable::is_skipped, shared_by::like_machines, "what each call of the body returns, in your own unit"};
inline constexpr metric_traits complexity{"complexity", dimension::power, statistic::median, better::less,
    reading::sizes, unreadable::is_skipped, shared_by::like_machines, "power of n in which wall time grows with the size of the input"};
inline constexpr metric_traits spread{"spread", dimension::spread, statistic::median, better::less,
    reading::processes, unreadable::is_skipped, shared_by::like_machines, "how much the medians of `latency(x)` spread between fresh processes"};
inline constexpr metric_traits peak_memory{"peak_memory", dimension::bytes, statistic::median, better::less,
    reading::peak_of_first_run, unreadable::is_skipped, shared_by::like_machines, "how much one iteration raises the memory of the process"};
inline constexpr metric_traits cold_start{"cold_start", dimension::time, statistic::once, better::less,
    reading::first_run, unreadable::is_skipped, shared_by::like_machines, "in a fresh process, loading and all calls until one is steady"};
inline constexpr metric_traits first_call{"first_call", dimension::time, statistic::once, better::less,
    reading::first_run, unreadable::is_skipped, shared_by::like_machines, "in a fresh process, the first call after loading"};
inline constexpr metric_traits load_time{"load_time", dimension::time, statistic::once, better::less,
    reading::first_run, unreadable::is_skipped, shared_by::like_machines, "in a fresh process, `.load(step)` alone"};
inline constexpr metric_traits allocations{"allocations", dimension::count, statistic::exact, better::less,
    reading::counter, unreadable::is_error, shared_by::one_architecture, "calls of `operator new`, `malloc` and their like in one iteration"};
inline constexpr metric_traits allocated_bytes{"allocated_bytes", dimension::bytes, statistic::exact, better::less,
    reading::counter, unreadable::is_error, shared_by::one_architecture, "bytes that calls of `operator new`, `malloc` and their like in one iteration ask for"};
inline constexpr metric_traits instructions{"instructions", dimension::count, statistic::median, better::less,
    reading::processor_counter, unreadable::is_skipped, shared_by::like_machines, "instructions of one iteration, in user space"};
inline constexpr metric_traits cycles{"cycles", dimension::count, statistic::median, better::less,
    reading::processor_counter, unreadable::is_skipped, shared_by::like_machines, "cycles of the processor in one iteration, in user space"};
inline constexpr metric_traits branch_misses{"branch_misses", dimension::count, statistic::median, better::less,
    reading::processor_counter, unreadable::is_skipped, shared_by::like_machines, "mispredicted branches of one iteration"};
inline constexpr metric_traits cache_misses{"cache_misses", dimension::count, statistic::median, better::less,
    reading::processor_counter, unreadable::is_skipped, shared_by::like_machines, "misses of the last-level cache in one iteration"};
// clang-format on
}  // namespace detail::metrics

/// All metrics of the core.
inline constexpr const metric_traits* metric_table[] = {
    &detail::metrics::latency,      &detail::metrics::cpu_time,    &detail::metrics::throughput,
    &detail::metrics::own,          &detail::metrics::complexity,  &detail::metrics::spread,
    &detail::metrics::peak_memory,  &detail::metrics::cold_start,  &detail::metrics::first_call,
    &detail::metrics::load_time,    &detail::metrics::allocations, &detail::metrics::allocated_bytes,
    &detail::metrics::instructions, &detail::metrics::cycles,      &detail::metrics::branch_misses,
    &detail::metrics::cache_misses};

[[nodiscard]] constexpr const metric_traits& traits_of(metric_kind m) noexcept { return m.row(); }

/// Whether it is a count around the body.
[[nodiscard]] constexpr bool is_counted(metric_kind m) noexcept {
    return traits_of(m).from == reading::counter || traits_of(m).from == reading::peak_of_counter ||
           traits_of(m).from == reading::processor_counter || traits_of(m).from == reading::module;
}

/// Whether the processor counts it.
[[nodiscard]] constexpr bool is_counted_by_hardware(metric_kind m) noexcept {
    return traits_of(m).from == reading::processor_counter;
}

/// Whether a module knows the value without a run.
[[nodiscard]] constexpr bool is_declared(metric_kind m) noexcept { return traits_of(m).from == reading::declared; }

/// Whether each call of the body reports a value, without readings.
[[nodiscard]] constexpr bool reports_own_value(metric_kind m) noexcept {
    return traits_of(m).from == reading::body || traits_of(m).from == reading::call;
}

/// Whether a sample has one iteration, because several do not add up.
[[nodiscard]] constexpr bool takes_single_iterations(metric_kind m) noexcept {
    return traits_of(m).from == reading::peak_of_counter;
}

/// Whether a clock of perfspec reads it, around a batch of calls.
[[nodiscard]] constexpr bool is_clocked(metric_kind m) noexcept {
    return traits_of(m).from == reading::wall_clock || traits_of(m).from == reading::processor_clock;
}

/// Whether it needs a process that has not run the body yet.
[[nodiscard]] constexpr bool needs_fresh_process(metric_kind m) noexcept {
    return traits_of(m).from == reading::first_run || traits_of(m).from == reading::peak_of_first_run ||
           traits_of(m).from == reading::module;
}

/// Whether it may have no noise: equal readings are compared exactly. It may also be 0.
[[nodiscard]] constexpr bool may_repeat_exactly(metric_kind m) noexcept {
    return is_counted(m) || is_declared(m) || traits_of(m).from == reading::body;
}

/// Whether it is work per time.
[[nodiscard]] constexpr bool is_rate(metric_kind m) noexcept { return traits_of(m).unit == dimension::item_rate; }

/// Whether it is independent of the hardware, so that machines of one architecture share its baselines.
[[nodiscard]] constexpr bool is_same_on_all_hardware(metric_kind m) noexcept {
    return traits_of(m).baselines == shared_by::one_architecture;
}

}  // namespace perfspec::inline v0_2
