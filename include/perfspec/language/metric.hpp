// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace perfspec::inline v0_1 {

/// The quantity that a query measures. `metric_table` has a row for each.
enum class metric_kind : std::uint8_t {
    latency,
    cpu_time,
    throughput,
    own,
    device_time,
    kernel_time,
    device_throughput,
    growth,
    stability,
    layers,
    oracle,
    profile,
    peak_memory,
    cold_start,
    first_call,
    load_time,
    allocations,
    allocated_bytes,
    op_count,
    kernel_count,
    flops,
    tensor_allocations,
    tensor_memory,
    device_memory,
    compile_time,
    worker_count,
    instructions,
    cycles,
    branch_misses,
    cache_misses,
    module_count,
};

/// The source of the readings of a metric. It decides which procedures can judge its claims.
enum class reading : std::uint8_t {
    wall_clock,         ///< around a batch of calls
    processor_clock,    ///< around a batch of calls, in processor time of all threads
    body,               ///< a value that each call of the body returns
    declared,           ///< a value of the subject that its adapter knows without a run
    device_clock,       ///< the time that each call takes on its device
    counter,            ///< of the process, around one call
    peak_of_counter,    ///< of the process, the highest level within one call
    processor_counter,  ///< of the processor, around a batch of calls
    module,             ///< by a module, in a fresh process
    first_run,          ///< once in a fresh process
    peak_of_first_run,  ///< memory, once in a fresh process
    sizes,              ///< times over sizes, as the slope of a fit
    processes,          ///< medians of fresh processes, as their spread
    parts,              ///< a table of the parts of a run; only recorded
};

/// The verdict of a claim if its metric cannot be read.
enum class unreadable : std::uint8_t {
    is_invalid,     ///< the program lacks something
    is_not_judged,  ///< this machine lacks something
};

/// What a subject must offer before a metric can be measured.
enum class supply : std::uint8_t {
    nothing,
    device,      ///< a clock of the device that it runs on
    operators,   ///< a recorder of its operators
    kernels,     ///< a recorder of its kernels
    operations,  ///< a recorder of the operands of its operators
    memory,      ///< a recorder of its allocations
    compiler,    ///< a known time of compilation
};

/// Which machines share a stored value.
enum class shared_by : std::uint8_t { like_machines, one_architecture };

/// A row of `metric_table`.
struct metric_traits {
    metric_kind metric;
    std::string_view word;          ///< its function in the language: "latency"
    dimension unit;                 ///< a throughput has one for each kind of work; this is the first
    perfspec::statistic statistic;  ///< the default
    better direction;               ///< users choose that of their own metrics
    reading from;
    supply needs;
    unreadable otherwise;
    shared_by baselines;
    std::string_view help;  ///< the description in the reference (README.md, "Queries")
};

/// All metrics, in the order of `metric_kind`. CONTRIBUTING.md, "Where things are",
/// says what a new one needs.
inline constexpr metric_traits metric_table[] = {
    // clang-format off
    {metric_kind::latency, "latency", dimension::time, statistic::median, better::less,
     reading::wall_clock, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "wall time of one iteration, the median"},
    {metric_kind::cpu_time, "cpu_time", dimension::time, statistic::median, better::less,
     reading::processor_clock, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "process CPU time of one iteration, all threads"},
    {metric_kind::throughput, "throughput", dimension::item_rate, statistic::median, better::more,
     reading::wall_clock, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "declared work per second"},
    {metric_kind::own, "metric", dimension::own, statistic::median, better::more,
     reading::body, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "what each call of the body returns, in your own unit"},
    {metric_kind::device_time, "device_time", dimension::time, statistic::median, better::less,
     reading::device_clock, supply::device, unreadable::is_not_judged, shared_by::like_machines, "time of one iteration as the device measures it"},
    {metric_kind::kernel_time, "kernel_time", dimension::time, statistic::median, better::less,
     reading::device_clock, supply::device, unreadable::is_not_judged, shared_by::like_machines, "time that the device spends in the kernels of one iteration"},
    {metric_kind::device_throughput, "device_throughput", dimension::item_rate, statistic::median, better::more,
     reading::device_clock, supply::device, unreadable::is_not_judged, shared_by::like_machines, "declared work per second of `device_time(x)`"},
    {metric_kind::growth, "growth", dimension::power, statistic::median, better::less,
     reading::sizes, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "power of n in which wall time grows with the size of the input"},
    {metric_kind::stability, "stability", dimension::spread, statistic::median, better::less,
     reading::processes, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "how much the medians of `latency(x)` spread between fresh processes"},
    {metric_kind::layers, "layers", dimension::time, statistic::several, better::less,
     reading::parts, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "wall time of each layer of a model"},
    {metric_kind::oracle, "oracle", dimension::time, statistic::several, better::less,
     reading::parts, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "the best mixture of the layers of variants of a model"},
    {metric_kind::profile, "profile", dimension::time, statistic::several, better::less,
     reading::parts, supply::operators, unreadable::is_not_judged, shared_by::like_machines, "wall time of each operator of one iteration"},
    {metric_kind::peak_memory, "peak_memory", dimension::bytes, statistic::median, better::less,
     reading::peak_of_first_run, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "how much one iteration raises the memory of the process"},
    {metric_kind::cold_start, "cold_start", dimension::time, statistic::once, better::less,
     reading::first_run, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "in a fresh process, loading and all calls until one is steady"},
    {metric_kind::first_call, "first_call", dimension::time, statistic::once, better::less,
     reading::first_run, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "in a fresh process, the first call after loading"},
    {metric_kind::load_time, "load_time", dimension::time, statistic::once, better::less,
     reading::first_run, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "in a fresh process, `.load(step)` alone"},
    {metric_kind::allocations, "allocations", dimension::count, statistic::exact, better::less,
     reading::counter, supply::nothing, unreadable::is_invalid, shared_by::one_architecture, "calls of `operator new`, `malloc` and their like in one iteration"},
    {metric_kind::allocated_bytes, "allocated_bytes", dimension::bytes, statistic::exact, better::less,
     reading::counter, supply::nothing, unreadable::is_invalid, shared_by::one_architecture, "bytes that calls of `operator new`, `malloc` and their like in one iteration ask for"},
    {metric_kind::op_count, "op_count", dimension::count, statistic::exact, better::less,
     reading::counter, supply::operators, unreadable::is_invalid, shared_by::one_architecture, "operators of LibTorch that one iteration calls"},
    {metric_kind::kernel_count, "kernel_count", dimension::count, statistic::exact, better::less,
     reading::counter, supply::kernels, unreadable::is_not_judged, shared_by::like_machines, "kernels that one iteration runs"},
    {metric_kind::flops, "flops", dimension::count, statistic::exact, better::less,
     reading::counter, supply::operations, unreadable::is_invalid, shared_by::one_architecture, "floating-point operations of LibTorch's operators in one iteration, as PyTorch's profiler counts them"},
    {metric_kind::tensor_allocations, "tensor_allocations", dimension::count, statistic::exact, better::less,
     reading::counter, supply::memory, unreadable::is_invalid, shared_by::like_machines, "blocks of memory that one iteration asks of LibTorch's allocators"},
    {metric_kind::tensor_memory, "tensor_memory", dimension::bytes, statistic::exact, better::less,
     reading::peak_of_counter, supply::memory, unreadable::is_invalid, shared_by::like_machines, "how many bytes one iteration needs for tensors at its peak, above the level before it"},
    {metric_kind::device_memory, "device_memory", dimension::bytes, statistic::exact, better::less,
     reading::peak_of_counter, supply::device, unreadable::is_not_judged, shared_by::like_machines, "how many bytes of its device one iteration needs at its peak, above the level before it"},
    {metric_kind::compile_time, "compile_time", dimension::time, statistic::once, better::less,
     reading::declared, supply::compiler, unreadable::is_not_judged, shared_by::like_machines, "time that compiling the model took, with an empty compiler cache"},
    {metric_kind::worker_count, "worker_count", dimension::count, statistic::exact, better::less,
     reading::declared, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "a number that a worker knows of its subject, such as graph breaks"},
    {metric_kind::instructions, "instructions", dimension::count, statistic::median, better::less,
     reading::processor_counter, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "instructions of one iteration, in user space"},
    {metric_kind::cycles, "cycles", dimension::count, statistic::median, better::less,
     reading::processor_counter, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "cycles of the processor in one iteration, in user space"},
    {metric_kind::branch_misses, "branch_misses", dimension::count, statistic::median, better::less,
     reading::processor_counter, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "mispredicted branches of one iteration"},
    {metric_kind::cache_misses, "cache_misses", dimension::count, statistic::median, better::less,
     reading::processor_counter, supply::nothing, unreadable::is_not_judged, shared_by::like_machines, "misses of the last-level cache in one iteration"},
    {metric_kind::module_count, "module_count", dimension::count, statistic::exact, better::less,
     reading::module, supply::nothing, unreadable::is_not_judged, shared_by::one_architecture, "what a module counts in fresh processes, under a name of its own"},
    // clang-format on
};

namespace detail {

consteval bool is_metric_table_in_order() {
    for (std::size_t i = 0; i < std::size(metric_table); ++i)
        if (static_cast<std::size_t>(metric_table[i].metric) != i) return false;
    return true;
}
static_assert(is_metric_table_in_order(), "metric_table has one row for each metric_kind, in the same order");

}  // namespace detail

[[nodiscard]] constexpr const metric_traits& traits_of(metric_kind m) noexcept {
    return metric_table[static_cast<std::size_t>(m)];
}

/// Whether it is a count around the body.
[[nodiscard]] constexpr bool is_counted(metric_kind m) noexcept {
    return traits_of(m).from == reading::counter || traits_of(m).from == reading::peak_of_counter ||
           traits_of(m).from == reading::processor_counter || m == metric_kind::module_count;
}

/// Whether the processor counts it.
[[nodiscard]] constexpr bool is_counted_by_hardware(metric_kind m) noexcept {
    return traits_of(m).from == reading::processor_counter;
}

/// Whether the adapter knows the value without a run.
[[nodiscard]] constexpr bool is_declared(metric_kind m) noexcept { return traits_of(m).from == reading::declared; }

/// Whether each call of the body reports a value, without readings.
[[nodiscard]] constexpr bool reports_own_value(metric_kind m) noexcept {
    return traits_of(m).from == reading::body || traits_of(m).from == reading::device_clock;
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
           m == metric_kind::module_count;
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

}  // namespace perfspec::inline v0_1
