// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The metrics of models and devices: rows like those of `metric_table`.

#include <perfspec/language/metric.hpp>

namespace perfspec::inline v0_2::detail::metrics {

// clang-format off
inline constexpr metric_traits device_time{"device_time", dimension::time, statistic::median, better::less,
    reading::call, unreadable::is_skipped, shared_by::like_machines, "time of one iteration as the device measures it"};
inline constexpr metric_traits kernel_time{"kernel_time", dimension::time, statistic::median, better::less,
    reading::call, unreadable::is_skipped, shared_by::like_machines, "time that the device spends in the kernels of one iteration"};
inline constexpr metric_traits device_throughput{"device_throughput", dimension::item_rate, statistic::median, better::more,
    reading::call, unreadable::is_skipped, shared_by::like_machines, "declared work per second of `device_time(x)`"};
inline constexpr metric_traits layers{"layers", dimension::time, statistic::several, better::less,
    reading::parts, unreadable::is_skipped, shared_by::like_machines, "wall time of each layer of a model"};
inline constexpr metric_traits best_mixture{"best_mixture", dimension::time, statistic::several, better::less,
    reading::parts, unreadable::is_skipped, shared_by::like_machines, "the best mixture of the layers of variants of a model"};
inline constexpr metric_traits profile{"profile", dimension::time, statistic::several, better::less,
    reading::parts, unreadable::is_skipped, shared_by::like_machines, "wall time of each operator of one iteration"};
inline constexpr metric_traits operators{"operators", dimension::count, statistic::exact, better::less,
    reading::counter, unreadable::is_error, shared_by::one_architecture, "operators of LibTorch that one iteration calls"};
inline constexpr metric_traits kernels{"kernels", dimension::count, statistic::exact, better::less,
    reading::counter, unreadable::is_skipped, shared_by::like_machines, "kernels that one iteration runs"};
inline constexpr metric_traits flop_count{"flop_count", dimension::count, statistic::exact, better::less,
    reading::counter, unreadable::is_error, shared_by::one_architecture, "floating-point operations of LibTorch's operators in one iteration, as PyTorch's profiler counts them"};
inline constexpr metric_traits tensor_allocations{"tensor_allocations", dimension::count, statistic::exact, better::less,
    reading::counter, unreadable::is_error, shared_by::like_machines, "blocks of memory that one iteration asks of LibTorch's allocators"};
inline constexpr metric_traits tensor_memory{"tensor_memory", dimension::bytes, statistic::exact, better::less,
    reading::peak_of_counter, unreadable::is_error, shared_by::like_machines, "how many bytes one iteration needs for tensors at its peak, above the level before it"};
inline constexpr metric_traits device_memory{"device_memory", dimension::bytes, statistic::exact, better::less,
    reading::peak_of_counter, unreadable::is_skipped, shared_by::like_machines, "how many bytes of its device one iteration needs at its peak, above the level before it"};
inline constexpr metric_traits compile_time{"compile_time", dimension::time, statistic::once, better::less,
    reading::declared, unreadable::is_skipped, shared_by::like_machines, "time that compiling the model took, with an empty compiler cache"};

/// `kernels` of a subject whose kernels run on a device: another counter has it.
inline constexpr metric_traits device_kernels{"kernels", dimension::count, statistic::exact, better::less,
    reading::counter, unreadable::is_skipped, shared_by::like_machines, ""};
// clang-format on

/// All of them that queries have.
inline constexpr const metric_traits* of_models[] = {
    &device_time, &kernel_time, &device_throughput,  &layers,        &best_mixture,  &profile,     &operators,
    &kernels,     &flop_count,  &tensor_allocations, &tensor_memory, &device_memory, &compile_time};

}  // namespace perfspec::inline v0_2::detail::metrics
