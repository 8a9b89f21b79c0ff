// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/queries.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <string>

namespace perfspec {

/// Whether two NaN at the same place agree. `by_dtype`: in half precision, where overflow is usual, and nowhere else.
enum class nan_rule : unsigned char { by_dtype, agree, differ };

/// When outputs count as the same.
struct accuracy {
    double tolerance{};  ///< absolute and relative; 0: by dtype, 1e-4, float16 1e-3, bfloat16 1e-2
    nan_rule nan{nan_rule::by_dtype};
    std::string skipped{};  ///< not empty: not compared, for this reason (VERIFIER_SKIPPED)
};

/// Compares a candidate's outputs with a reference's; PASS or FAIL, one after the other, and error statistics of all.
///
/// - The number of outputs, their shapes and dtypes are equal, else FAIL. Integers and booleans are equal, else FAIL.
/// - PASS where |candidate - reference| <= tolerance + tolerance * |reference| everywhere.
/// - Else, where the same was computed in double precision: PASS if the candidate's root mean square error to it is at most m
///   times the reference's own, plus tolerance / 10; m is 3 for half precision, fewer than 1000 elements, 1x1 feature maps or
///   a tolerance from 2e-2, else 2. A finite candidate within 4e-2 of it passes where the reference is NaN.
///
/// double_reference  the reference's outputs in double precision; empty if there are none.
/// Source: `same` in torch/_dynamo/utils.py of PyTorch 2.13, with the tolerances of its benchmarks/dynamo; integers are stricter.
[[nodiscard]] verification compare_outputs(const tensor_list& reference, const tensor_list& candidate, const accuracy& how = {},
                                           const tensor_list& double_reference = {});

inline namespace language {

/// `same_output` with a tolerance of one's own. It stays with the candidate: `speedup` then verifies by it too.
/// Throws `input_error` for subjects that are not LibTorch's.
///
///     PERF_REQUIRE(same_output(model, quantised, perfspec::accuracy{.tolerance = 0.05}));
[[nodiscard]] claim same_output(const subject& reference, const subject& candidate, const accuracy& how);

}  // namespace language
}  // namespace perfspec
