// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/language/query.hpp>

namespace perfspec {
inline namespace language {

/// The clock of the multiprocessors while x runs, in MHz, the median of samples: a metric of the name "sm_clock in
/// MHz". Throttled samples count here. *Not judged* where the driver lets nothing read the clocks.
///
///     PERF_CHECK(sm_clock(saxpy) > 1500);
[[nodiscard]] query<dimension::own> sm_clock(const cuda_work& x);

}  // namespace language
}  // namespace perfspec
