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

/// What other batches must give. `invariant`: half of the inputs' rows, a quarter, … one give what they give in the whole batch, bit by bit.
enum class batch_rule : unsigned char { free, invariant };

/// `kept`: outputs that PASS must be those that were kept, bit by bit, in a file beside the baselines, which the update flag writes.
enum class golden_rule : unsigned char { none, kept };

/// When outputs count as the same.
struct accuracy {
    double tolerance{};  ///< absolute and relative; 0: by dtype, 1e-4, float16 1e-3, bfloat16 1e-2; gradients on an accelerator 1e-3
    nan_rule nan{nan_rule::by_dtype};
    std::string skipped{};  ///< not empty: not compared, for this reason (VERIFIER_SKIPPED)
    double multiplier{};    ///< of the reference's own error to double precision; 0: 2 or 3, by dtype and size
    double cosine{};        ///< not 0: beyond the tolerance PASS from this cosine similarity on, such as 0.99, which sees no factor
    double mask_overlap{};  ///< not 0: booleans PASS from this intersection over union on, such as 0.99, instead of where equal
    unsigned runs{1};       ///< of the candidate, from one seed; more than half must PASS
    batch_rule batch{batch_rule::free};
    golden_rule golden{golden_rule::none};
};

/// Compares a candidate's outputs with a reference's; PASS or FAIL, one after the other, and error statistics of all.
///
/// - The number of outputs, their shapes and dtypes are equal, else FAIL. Integers and booleans are equal, else FAIL; `mask_overlap` relaxes
///   that of booleans, of which both may be empty.
/// - PASS where |candidate - reference| <= tolerance + tolerance * |reference| everywhere.
/// - Else, with `cosine`, PASS from that cosine similarity on. Outputs of one element, of which it would only see the sign, go on:
/// - Else, where the same was computed in double precision: PASS if the candidate's root mean square error to it is at most m
///   times the reference's own, plus tolerance / 10; m is `multiplier`, else 3 for half precision, fewer than 1000 elements, 1x1 feature maps or
///   a tolerance from 2e-2, else 2. A finite candidate within 4e-2 of it passes where the reference is NaN.
///
/// The statistics are the worst of all outputs: max_abs_error, mean_abs_error, max_rel_error, rmse, max_abs_reference, tolerance; where they were
/// computed rmse_reference_double, rmse_candidate_double, cosine_similarity, mask_overlap.
///
/// double_reference  the reference's outputs in double precision; empty if there are none.
/// throws            `input_error` for an accuracy that means nothing, such as a cosine above 1.
/// Source: `same` in torch/_dynamo/utils.py of PyTorch 2.13, with the tolerances of its benchmarks/dynamo. Stricter are integers, and that
/// only who asks for a cosine similarity gets one: there it also stands in where the reference cannot run in double precision.
[[nodiscard]] verification compare_outputs(const tensor_list& reference, const tensor_list& candidate, const accuracy& how = {},
                                           const tensor_list& double_reference = {});

inline namespace language {

/// `same_output` with an accuracy of one's own. It stays with the candidate: `speedup` then verifies by it too.
/// Throws `input_error` for subjects that are not LibTorch's, and for an accuracy that means nothing.
///
///     PERF_REQUIRE(same_output(model, quantised, perfspec::accuracy{.tolerance = 0.05}));
///     PERF_REQUIRE(same_output(model, segmenter, perfspec::accuracy{.mask_overlap = 0.99, .runs = 3}));
[[nodiscard]] claim same_output(const subject& reference, const subject& candidate, const accuracy& how);

}  // namespace language
}  // namespace perfspec
