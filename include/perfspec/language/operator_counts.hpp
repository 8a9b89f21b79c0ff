// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

namespace perfspec {

inline namespace language {

/// Calls of operators in one iteration, in all threads, including calls within other operators. It is a count like `allocations`. *Not
/// judged* for subjects whose operators nothing can see.
///
///     PERF_CHECK(op_count(model) <= 120);
query<dimension::count, statistic::exact> op_count(const subject& x);

/// Kernels that one iteration runs. It is a count like `allocations`, but its baselines are kept for each hardware, because a compiler
/// fuses kernels for its target.
///
/// For an AOTInductor package for the processor that was exported with `--kernel-profiling`, it counts what the package announces. These
/// are its own kernels, those of LibTorch that it calls, and the operators that it hands back to LibTorch. It also counts an operator that
/// one of these starts on another thread. For a LibTorch subject on a device, or `on_device`, it counts the kernels that ran there, without
/// copies and fills of memory. *Not judged* for every other subject: op_count(x) counts operators on the processor.
///
///     PERF_CHECK(kernel_count(fused) < kernel_count(unfused));
query<dimension::count, statistic::exact> kernel_count(const subject& x);

#define PERFSPEC_DETAIL_COUNT_OF_ONE(NAME)                                                                                  \
    template <class A, class B, class... More>                                                                              \
    requires(detail::Callable<A> || detail::Subject<A>) query<dimension::count, statistic::exact> NAME(const A&, const B&,  \
                                                                                                       const More&...) {    \
        static_assert(detail::never<A>,                                                                                     \
                      "perfspec: " #NAME " takes one subject: write two assertions, or " #NAME "(b) < 0.8 * " #NAME "(a)"); \
        return query<dimension::count, statistic::exact>(nullptr);                                                          \
    }
PERFSPEC_DETAIL_COUNT_OF_ONE(op_count)
PERFSPEC_DETAIL_COUNT_OF_ONE(kernel_count)
#undef PERFSPEC_DETAIL_COUNT_OF_ONE

}  // namespace language
}  // namespace perfspec
