// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Queries of models and devices. Their results are judged like those of the core.

#include <perfspec/language/queries.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <string_view>

namespace perfspec::inline v0_2 {

inline namespace language {

/// Time of one iteration as the device measures it, from the start of its first work to the end of its last (median).
/// *Skipped* for subjects that run on the processor.
query<dimension::time> device_time(const subject& x);

/// Time that the device spends in the kernels of one iteration: the sum over their launches (median). Without a name
/// all kernels count. *Skipped* for subjects that run on the processor, and without a recorder of kernels, as for
/// `kernels(x)`.
///
/// name  the name of a kernel, with its namespaces or without, as in the source: "softmax". All instances of a template
///       count. A `*` stands for any text, and then all matching kernels count: "triton_*".
/// A claim is an *error* if an iteration runs no such kernel, or iterations differ: the reason lists the names, the
/// nearest first. A note says which kernels counted, and how often an iteration launches them. Throws input_error for
/// an empty name.
///
/// Each sample is one traced iteration. The state of the cache is that of `device_time`: `.cold()`, `.hot()` of a CUDA
/// subject. Kernels that run at the same time add up, so a sum may be longer than `device_time(x)`; gaps between
/// kernels, copies and fills do not count.
///
///     PERF_CHECK(kernel_time(step, "softmax") < 12us);
///     PERF_CHECK(kernel_time(fused, "gelu") < 0.5 * kernel_time(plain, "gelu"));
query<dimension::time> kernel_time(const subject& x);
query<dimension::time> kernel_time(const subject& x, std::string_view name);

/// Declared work per second of device_time(x). `perfspec::peak_bandwidth()` and `peak_flops` (<perfspec/cuda.hpp>) are
/// the limits of a CUDA device.
///
///     PERF_CHECK(device_throughput(saxpy, bytes) > 0.8 * perfspec::peak_bandwidth());
query<dimension::item_rate> device_throughput(const subject& x);
query<dimension::byte_rate> device_throughput(const subject& x, bytes_tag);
query<dimension::flop_rate> device_throughput(const subject& x, flops_tag);

/// Calls of operators in one iteration, in all threads, including calls within other operators. It is a count like
/// `allocations`. *Skipped* for subjects without a recorder of operators.
///
///     PERF_CHECK(operators(model) <= 120);
query<dimension::count, statistic::exact> operators(const subject& x);

/// Calls of one operator in one iteration, by its full name and with all of its overloads. *Error* if the library has
/// no operator of that name: a misspelled name must not count as 0. Throws input_error for an empty name.
///
///     PERF_CHECK(operators(model, "aten::copy_") == 0);
query<dimension::count, statistic::exact> operators(const subject& x, std::string_view name);

/// Kernels that one iteration runs. It is a count like `allocations`, but its baselines are kept for each hardware,
/// because a compiler fuses kernels for its target.
///
/// For an AOTInductor package for the processor that was exported with `--kernel-profiling`, it counts what the package
/// announces. These are its own kernels, those of LibTorch that it calls, and the operators that it calls in LibTorch.
/// It also counts an operator that one of these starts on another thread. For a subject of <perfspec/cuda.hpp>, a
/// LibTorch subject on a device, or `on_device`, it counts the kernels that ran there, without copies and fills of
/// memory. *Skipped* for every other subject: operators(x) counts operators on the processor.
///
///     PERF_CHECK(kernels(fused) < kernels(unfused));
query<dimension::count, statistic::exact> kernels(const subject& x);

/// Blocks of memory that one iteration asks of LibTorch's allocators, on the processor and on devices, in all threads.
/// It is a count like `allocations`, which does not include them.
///
///     PERF_CHECK(tensor_allocations(step) <= baseline());
query<dimension::count, statistic::exact> tensor_allocations(const subject& x);

/// How many bytes one iteration needs for tensors at its peak, above the level before it: for its results and all that
/// it keeps, not its inputs and weights. On devices, it is the rounded bytes of the blocks of their allocators, without
/// the cache. It is compared like `allocations`. Each reading is one iteration, also with `iterations(n)`. Memory that
/// libraries such as oneDNN allocate themselves does not count; it is in `peak_memory(x)`.
///
///     PERF_CHECK(tensor_memory(compiled) < 0.8 * tensor_memory(eager));
query<dimension::bytes, statistic::exact> tensor_memory(const subject& x);

/// How many bytes of the current device's memory one iteration needs at its peak, above the level before it: not its
/// inputs. It is compared like `allocations`. *Skipped* for subjects that run on the processor; link perfspec::cuda,
/// whose README has the details.
///
///     PERF_CHECK(device_memory(sort) <= 64_MiB);
query<dimension::bytes, statistic::exact> device_memory(const subject& x);

/// How long compiling the model took before this program ran, from the side file that export.py leaves beside an
/// AOTInductor package. It is one measurement, so a bound needs room for the noise of compilers: some 10 %. *Skipped*
/// for subjects that are not compiled, and for a package from a warm compiler cache.
///
///     PERF_CHECK(compile_time(inductor) < 1.3 * baseline());
query<dimension::time, statistic::once> compile_time(const subject& x);

/// Floating-point operations of one iteration, as PyTorch's profiler counts them: a multiplication
/// and an addition are two. Its formulas (`computeFlops` in torch/csrc/profiler/util.cpp) are for aten::conv2d, mm,
/// addmm, bmm, baddbmm, mul and add, by the shapes of their inputs. perfspec also counts add_ and mul_ like add and
/// mul. A call within another counted one does not count again. It is a count like `operators`.
///
/// Operators without a formula do not count: activations, normalizations, attention in one operator, 1-d and 3-d
/// convolutions, backward passes of convolutions. A note names products and convolutions among them. *Skipped*
/// for an iteration without any counted call, and for an AOTInductor package, whose own kernels have no formula.
///
///     PERF_CHECK(flop_count(model) <= 1.2e9);
///     PERF_CHECK(flop_count(pruned) < 0.5 * flop_count(model));
query<dimension::count, statistic::exact> flop_count(const subject& x);

}  // namespace language
}  // namespace perfspec::inline v0_2
