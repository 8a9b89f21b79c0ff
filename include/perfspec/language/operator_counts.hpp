// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

namespace perfspec {

inline namespace language {

/// Calls of operators in one iteration, in all threads, those within other operators included. A count as `allocations` is. *Not judged* for subjects
/// whose operators nobody sees.
///
///     PERF_CHECK(op_count(model) <= 120);
query<dimension::count, statistic::exact> op_count(const subject& x);

/// Kernels that one iteration runs. A count as `allocations` is, whose baselines are kept for the hardware: a compiler fuses for its target.
///
/// Of an AOTInductor package for the processor that was exported with `--kernel-profiling`: the kernels that it announces, its own and those of
/// LibTorch that it calls, and the operators that it hands back to LibTorch; also an operator that one of these starts on another thread. Of a
/// LibTorch subject on a device, or `on_device`: the kernels that ran there, copies and fills of memory not counted. *Not judged* for every other
/// subject: op_count(x) counts operators on the processor.
///
///     PERF_CHECK(kernel_count(fused) < kernel_count(unfused));
query<dimension::count, statistic::exact> kernel_count(const subject& x);

#define PERFSPEC_DETAIL_COUNT_OF_ONE(NAME)                                                                                  \
    template <class A, class B, class... More>                                                                              \
    requires(detail::Callable<A> || detail::Subject<A>) query<dimension::count, statistic::exact> NAME(const A&, const B&,  \
                                                                                                       const More&...) {    \
        static_assert(detail::never<A>,                                                                                     \
                      "perfspec: " #NAME " is of one subject: write two assertions, or " #NAME "(b) < 0.8 * " #NAME "(a)"); \
        return query<dimension::count, statistic::exact>(nullptr);                                                          \
    }
PERFSPEC_DETAIL_COUNT_OF_ONE(op_count)
PERFSPEC_DETAIL_COUNT_OF_ONE(kernel_count)
#undef PERFSPEC_DETAIL_COUNT_OF_ONE

}  // namespace language
}  // namespace perfspec
