// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <algorithm>
#include <cstdint>

namespace perfspec::inline v0_2 {

/// Where a search for the largest batch ends.
struct batch_search {
    std::uint32_t limit{4096};  ///< no larger batch is tried, 1 to 1048576
    /// Of tensors, at their peak; 0: all memory of the device. The processor needs a number.
    quantity<dimension::bytes> memory{0};
};

namespace detail {

/// The largest number up to limit that fits, if 0 and all smaller numbers fit. It doubles or halves from `start`.
template <class Fits> std::uint32_t largest_that(Fits&& fits, std::uint32_t start, std::uint32_t limit) {
    std::uint32_t good = 0;
    std::uint32_t bad = limit + 1;
    for (std::uint32_t n = std::clamp(start, 1U, limit); good < n && n < bad;) {
        (fits(n) ? good : bad) = n;
        n = good == n ? (bad > limit ? std::min(2 * n, limit) : bad) : (good == 0 ? n / 2 : good);
    }
    while (bad - good > 1) {
        const std::uint32_t middle = good + (bad - good) / 2;
        (fits(middle) ? good : bad) = middle;
    }
    return good;
}

}  // namespace detail

inline namespace language {

/// The largest batch, in rows, in which a model does not run out of memory. Rows are the first dimension of the first
/// input, and of each other input with as many rows. They are cut, or repeated from the first one on.
///
/// x       a LibTorch subject that does not train. An AOTInductor package runs in the sizes of its export.
/// within  a batch is too large if inputs, activations and outputs together need more bytes than `memory` at their
///         peak, or the device runs out of memory. Parameters do not count. On the processor a search needs a number,
///         because a process that exhausts its memory is killed. A batch that needs about twice the number may be
///         tried.
///
/// The search doubles the batch of the inputs, or halves it if it is too large, and bisects the last step. The result
/// is 0 if a single row is too much. The search assumes that a batch is too large if a smaller one is. So it tries one
/// more batch at the end, twice the smallest that was too large: if it runs, the claim is an *error*. A search that
/// takes longer than the claim's `cap` or `budget` stops before its next batch, and the claim is *skipped*.
///
/// Memory is lacking if the model throws `c10::OutOfMemoryError` or `std::bad_alloc`, or LibTorch's allocator of the
/// processor says so. Any other exception makes the claim *error*. It is a metric in "rows": claim it against a
/// number, against the same of another subject, or against a baseline. Throws `input_error` for a subject that is not
/// LibTorch's or that trains, inputs without rows, a limit out of range, and no memory on the processor.
///
///     PERF_CHECK(largest_batch(model, {.memory = 2_GiB}) >= 64);
[[nodiscard]] query<dimension::own> largest_batch(const subject& x, const batch_search& within = {});

}  // namespace language
}  // namespace perfspec::inline v0_2
