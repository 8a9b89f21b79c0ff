// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/queries.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// Whether two NaN at the same place agree. `by_dtype`: only in half precision, where overflow is common.
enum class nan_rule : unsigned char { by_dtype, agree, differ };

/// The condition on smaller batches. `invariant`: half of the inputs' rows, a quarter, … down to one must return the
/// same bits as in the whole batch.
enum class batch_rule : unsigned char { free, invariant };

/// `kept`: outputs that PASS must equal the recorded outputs bit by bit. Their file is beside the baselines; the update
/// flag writes it.
enum class golden_rule : unsigned char { none, kept };

/// When outputs count as the same.
struct accuracy {
    double tolerance{};  ///< relative; 0: 1e-4, float16 1e-3, bfloat16 1e-2, float32 gradients on an accelerator 1e-3
    double absolute{};   ///< 0: the tolerance, times the reference's largest value if that is below 1
    nan_rule nan{nan_rule::by_dtype};
    std::string skipped{};  ///< not empty: not compared, for this reason (VERIFIER_SKIPPED)
    double multiplier{};    ///< on the reference's own error to double precision; 0: 2 or 3, by dtype and size
    double cosine{};        ///< not 0: beyond the tolerance, least cosine similarity, such as 0.99; it ignores a factor
    double mask_overlap{};  ///< not 0: least intersection over union of booleans, such as 0.99; 0: they must be equal
    unsigned runs{1};       ///< of the candidate, from one seed; it passes by a majority
    batch_rule batch{batch_rule::free};
    golden_rule golden{golden_rule::none};
    std::vector<tensor_list> also_on{};  ///< further inputs on which outputs must agree: `generated(make, {1, 2, 3})`
};

/// Inputs for `accuracy::also_on`, which `make` draws from each seed. Restores the program's random numbers.
///
/// One input tests one path through a model. A trace that lost an `if`, or a constant that a compiler took from the
/// example, is right for the example and wrong for other inputs.
///
///     const auto make = [](std::uint64_t) { return perfspec::tensor_list{at::randn({8, 3, 224, 224})}; };
///     PERF_REQUIRE(same_output(model, script, perfspec::accuracy{.also_on = perfspec::generated(make, {1, 2, 3})}));
///
/// make   called with a seed, after at::manual_seed(seed). It may return other shapes for another seed
[[nodiscard]] std::vector<tensor_list> generated(const std::function<tensor_list(std::uint64_t seed)>& make,
                                                 const std::vector<std::uint64_t>& seeds);

/// Compares a candidate's outputs with a reference's, one after the other. Returns PASS or FAIL, and error statistics
/// of all outputs.
///
/// - FAIL unless the number of outputs, their shapes, and dtypes and values of integers and booleans are equal.
///   `mask_overlap` relaxes this for booleans; two empty masks agree.
/// - Floating-point outputs of two dtypes are compared in double precision, with the tolerance of the coarser dtype.
/// - PASS if |candidate - reference| <= absolute + tolerance * |reference| everywhere. For outputs far below 1
///   `absolute` shrinks, so that it never exceeds the outputs. For gradients it follows the largest of all gradients.
/// - Otherwise, with `cosine`, PASS from that cosine similarity on. Outputs of one element skip this, because it would
///   compare only signs.
/// - Otherwise, with outputs in double precision: PASS if the candidate's root mean square error to them is at most m
///   times the reference's own, plus tolerance / 10 (of the root mean square, if that is below 1). m is `multiplier`;
///   by default 3 for half precision, fewer than 1000 elements, 1x1 feature maps or a tolerance from 2e-2, and 2
///   otherwise. If the reference has NaN, a candidate without NaN passes within 4e-2 of the double-precision result.
///
/// The statistics are the worst of all outputs: max_abs_error, mean_abs_error, max_rel_error, rmse, max_abs_reference,
/// tolerance; and if they were computed, rmse_reference_double, rmse_reference_rounded (the reference computed in the
/// candidate's precision), rmse_candidate_double, cosine_similarity and mask_overlap.
///
/// double_reference  the reference's outputs in double precision; empty if there are none.
/// throws            `input_error` for an invalid accuracy, such as a cosine above 1.
/// Source: `same` in torch/_dynamo/utils.py of PyTorch 2.13, with the tolerances of its benchmarks/dynamo. perfspec is
/// stricter in three ways. Integers must be equal. The absolute tolerance shrinks with outputs below 1; PyTorch's 1e-4
/// accepts anything for outputs of 1e-5. Cosine similarity is used only on request; PyTorch also uses it if the
/// reference cannot run in double precision.
[[nodiscard]] verification compare_outputs(const tensor_list& reference, const tensor_list& candidate,
                                           const accuracy& how = {}, const tensor_list& double_reference = {});

inline namespace language {

/// `same_output` with your own accuracy. The accuracy stays with the candidate, so `speedup` also verifies by it.
/// Throws `input_error` for subjects that are not LibTorch's, and for an invalid accuracy.
///
///     PERF_REQUIRE(same_output(model, quantized, perfspec::accuracy{.tolerance = 0.05}));
///     PERF_REQUIRE(same_output(model, segmenter, perfspec::accuracy{.mask_overlap = 0.99, .runs = 3}));
[[nodiscard]] claim same_output(const subject& reference, const subject& candidate, const accuracy& how);

}  // namespace language
}  // namespace perfspec::inline v0_2
