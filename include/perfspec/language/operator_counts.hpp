// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <string_view>

namespace perfspec::inline v0_1 {

inline namespace language {

/// Calls of operators in one iteration, in all threads, including calls within other operators. It is a count like
/// `allocations`. *Not judged* for subjects without a recorder of operators.
///
///     PERF_CHECK(op_count(model) <= 120);
query<dimension::count, statistic::exact> op_count(const subject& x);

/// Calls of one operator in one iteration, by its full name and with all of its overloads. *Invalid* if the library has
/// no operator of that name: a misspelled name must not count as 0. Throws input_error for an empty name.
///
///     PERF_CHECK(op_count(model, "aten::copy_") == 0);
query<dimension::count, statistic::exact> op_count(const subject& x, std::string_view name);

/// Kernels that one iteration runs. It is a count like `allocations`, but its baselines are kept for each hardware,
/// because a compiler fuses kernels for its target.
///
/// For an AOTInductor package for the processor that was exported with `--kernel-profiling`, it counts what the package
/// announces. These are its own kernels, those of LibTorch that it calls, and the operators that it calls in LibTorch.
/// It also counts an operator that one of these starts on another thread. For a subject of <perfspec/cuda.hpp>, a
/// LibTorch subject on a device, or `on_device`, it counts the kernels that ran there, without copies and fills of
/// memory. *Not judged* for every other subject: op_count(x) counts operators on the processor.
///
///     PERF_CHECK(kernel_count(fused) < kernel_count(unfused));
query<dimension::count, statistic::exact> kernel_count(const subject& x);

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
/// inputs. It is compared like `allocations`. *Not judged* for subjects that run on the processor; link perfspec::cuda,
/// whose README has the details.
///
///     PERF_CHECK(device_memory(sort) <= 64_MiB);
query<dimension::bytes, statistic::exact> device_memory(const subject& x);

/// How long compiling the model took before this program ran, from the side file that export.py leaves beside an
/// AOTInductor package. It is one measurement, so a bound needs room for the noise of compilers: some 10 %. *Not
/// judged* for subjects that are not compiled, and for a package from a warm compiler cache.
///
///     PERF_CHECK(compile_time(inductor) < 1.3 * baseline());
query<dimension::time, statistic::once> compile_time(const subject& x);

}  // namespace language
}  // namespace perfspec::inline v0_1
