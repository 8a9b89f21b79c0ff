// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy-inl.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cosine_similarity.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

inline bool is_half(at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; }

inline bool any_nan(const at::Tensor& x) { return at::isnan(x).any().item<bool>(); }

/// The tolerance of PyTorch's harness for a dtype. The coarser of two dtypes has the larger one.
inline double usual_tolerance(at::ScalarType type) {
    if (type == at::kBFloat16) return 1e-2;
    return type == at::kHalf ? 1e-3 : 1e-4;
}

inline at::ScalarType coarser(at::ScalarType a, at::ScalarType b) {
    if (usual_tolerance(a) != usual_tolerance(b)) return usual_tolerance(a) > usual_tolerance(b) ? a : b;
    return c10::elementSize(a) <= c10::elementSize(b) ? a : b;
}

inline bool nan_agree(at::ScalarType type, const accuracy& how) {
    return how.nan == nan_rule::agree || (how.nan == nan_rule::by_dtype && is_half(type));
}

/// The largest finite absolute value, or 0.
inline double largest_of(const at::Tensor& x) {
    if (!x.defined() || x.numel() == 0) return 0;
    const at::Tensor values = wide(x).abs();
    return at::where(at::isfinite(values), values, 0.0).max().item<double>();
}

/// How far a candidate's values may lie from the reference's: `absolute` plus `relative` times the reference's value.
struct allowed_error {
    at::ScalarType precision{at::kFloat};  ///< the coarser dtype of the two
    double relative{};
    double absolute{};
    bool nan_agree{};

    /// "0.0001 absolute plus relative"
    [[nodiscard]] std::string text() const {
        if (absolute == relative) return short_number(relative) + " absolute plus relative";
        return short_number(absolute) + " absolute plus " + short_number(relative) + " relative";
    }
};

struct agreement {
    bool same{};
    std::string text;
};

/// A result of the reference, that of the candidate, and the allowed error.
struct tensor_to_judge {
    at::Tensor reference;
    at::Tensor candidate;
    tensor_role role{};
    double largest{};  ///< value of the reference; for a gradient, of all its gradients
    allowed_error allowed{};
    at::Tensor exact{};    ///< the reference's in double precision; undefined if it did not run in it
    at::Tensor rounded{};  ///< the reference's in the candidate's coarser precision; undefined likewise
};

/// Results of the reference in other precisions; empty for a precision in which it did not run.
struct other_runs {
    named_tensors exact{};                        ///< double
    named_tensors rounded{};                      ///< the candidate's
    std::optional<at::ScalarType> computed_in{};  ///< a coarser dtype than that of the results, as of autocast
};

inline double multiplier_for(const at::Tensor& reference, const allowed_error& allowed, const accuracy& how) {
    if (how.multiplier > 0) return how.multiplier;
    const bool pointwise = reference.dim() == 4 && reference.size(-1) == 1 && reference.size(-2) == 1;
    return is_half(allowed.precision) || reference.numel() < 1000 || pointwise || allowed.relative >= 2e-2 ? 3.0 : 2.0;
}

/// The allowed error beyond the reference's own: a tenth of the tolerance, less for outputs below 1.
inline double small_error(const tensor_to_judge& x, const accuracy& how) {
    if (how.absolute > 0) return how.absolute / 10;
    const double size = x.role == tensor_role::gradient ? x.largest : root_mean_square(x.exact);
    return x.allowed.relative / 10 * std::min(1.0, size);
}

/// Elements of the candidate that equal those of another run. Infinities are equal, and NaN with `nan_agree`.
inline at::Tensor equal_elements(const at::Tensor& candidate, const at::Tensor& other, bool nan_agree) {
    if (!other.defined()) return at::zeros_like(candidate, at::kBool);
    const at::Tensor same = candidate.eq(other);
    return nan_agree ? same.logical_or(at::isnan(candidate).logical_and(at::isnan(other))) : same;
}

/// The root mean square error over the chosen elements that are finite in both; 0 without any, and for an undefined
/// run.
inline double rmse_of(const at::Tensor& exact, const at::Tensor& other, const at::Tensor& chosen) {
    if (!other.defined()) return 0.0;
    const at::Tensor used = chosen.logical_and(at::isfinite(other));
    if (!used.any().item<bool>()) return 0.0;
    return root_mean_square(exact.masked_select(used) - other.masked_select(used));
}

/// Whether the candidate is about as near to the result in double precision as the reference is. An infinite or
/// undefined element must equal that of the reference, or of the reference in the candidate's precision: a mean over
/// infinity would allow every value.
inline agreement against_double(error_statistics& statistics, const tensor_to_judge& x, const accuracy& how) {
    const at::Tensor exact = wide(x.exact), reference = wide(x.reference), candidate = wide(x.candidate);
    const at::Tensor rounded = x.rounded.defined() ? wide(x.rounded) : at::Tensor{};
    constexpr double loose = 4e-2;
    if (!any_nan(exact) && !any_nan(candidate) && any_nan(reference) && at::allclose(candidate, exact, loose, loose))
        return {true, "finite where the reference is NaN, and near the double-precision result"};
    const at::Tensor measurable = at::isfinite(candidate).logical_and(at::isfinite(exact));
    const at::Tensor equal = equal_elements(candidate, reference, x.allowed.nan_agree)
                                 .logical_or(equal_elements(candidate, rounded, x.allowed.nan_agree))
                                 .logical_and(at::isfinite(candidate).logical_not());
    if (!measurable.logical_or(equal).all().item<bool>())
        return {false, "not within " + x.allowed.text() +
                           ", and some elements are infinite or NaN in only one of the outputs"};
    const double own = rmse_of(exact, reference, measurable), error = rmse_of(exact, candidate, measurable);
    const double coarse = rmse_of(exact, rounded, measurable);
    const double factor = multiplier_for(x.reference, x.allowed, how), small = small_error(x, how);
    keep_worst(statistics, "rmse_reference_double", own);
    keep_worst(statistics, "rmse_candidate_double", error);
    if (rounded.defined()) keep_worst(statistics, "rmse_reference_rounded", coarse);
    std::string text = "root mean square error against double precision " + short_number(error) +
                       ", of the reference " + short_number(own);
    if (rounded.defined())
        text += ", of the reference in " + dtype_name(x.allowed.precision) + " " + short_number(coarse);
    return {error <= factor * std::max(own, coarse) + small,
            text + "; allowed is " + short_number(factor) +
                (rounded.defined() ? " times the larger one of these" : " times that") + " plus " +
                short_number(small)};
}

/// Why outputs with NaN in them disagree; empty for other outputs.
inline std::string nan_text(const at::Tensor& reference, const at::Tensor& candidate) {
    const bool in_reference = any_nan(reference), in_candidate = any_nan(candidate);
    if (in_reference && in_candidate) return "; both hold NaN, which agree only with nan_rule::agree";
    if (in_reference || in_candidate)
        return std::string{"; the "} + (in_reference ? "reference" : "candidate") + " holds NaN";
    return {};
}

// Prints enough digits that a value just below the limit does not look like the limit.
inline std::string share_text(double value, double limit) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g, expected at least %.6g", value, limit);
    return text;
}

// The eps is that of PyTorch's harness: against zeros the similarity is 0.
inline agreement by_cosine(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                           double limit) {
    const double similarity =
        at::cosine_similarity(wide(reference).flatten(), wide(candidate).flatten(), /*dim=*/0, /*eps=*/1e-6)
            .item<double>();
    keep_worst(statistics, "cosine_similarity", similarity);
    return {similarity >= limit, "cosine similarity " + share_text(similarity, limit)};
}

inline agreement compare_floats(error_statistics& statistics, const tensor_to_judge& x, const accuracy& how) {
    keep_worst_errors(statistics, x.reference, x.candidate, x.allowed.relative, x.allowed.absolute);
    const std::string as =
        x.reference.scalar_type() == x.candidate.scalar_type() ? "" : " for " + dtype_name(x.candidate.scalar_type());
    if (at::allclose(wide(x.candidate), wide(x.reference), x.allowed.relative, x.allowed.absolute,
                     x.allowed.nan_agree)) {
        return {true, "within " + x.allowed.text() + as};
    }
    if (how.cosine > 0 && x.reference.numel() > 1) return by_cosine(statistics, x.reference, x.candidate, how.cosine);
    agreement result{false, "not within " + x.allowed.text() + as +
                                ", and there is no result in double precision to compare with"};
    if (x.exact.defined()) result = against_double(statistics, x, how);
    if (result.same) return result;
    if (x.largest == 0 && !any_nan(x.reference)) result.text += "; the reference is zero everywhere";
    result.text += nan_text(x.reference, x.candidate);
    return result;
}

inline agreement compare_masks(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                               double limit) {
    const auto both = (reference & candidate).sum().item<long>();
    const auto either = (reference | candidate).sum().item<long>();
    const double overlap = either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either);
    keep_worst(statistics, "mask_overlap", overlap);
    return {overlap >= limit, "intersection over union, " + std::to_string(both) + " of " + std::to_string(either) +
                                  " elements, " + share_text(overlap, limit)};
}

/// Whether a comparison of both dtypes is possible: they are equal, or both floating point.
inline bool comparable_dtypes(at::ScalarType a, at::ScalarType b) {
    return a == b || (at::isFloatingType(a) && at::isFloatingType(b));
}

inline agreement compare_tensors(error_statistics& statistics, const tensor_to_judge& x, const accuracy& how) {
    const at::Tensor &reference = x.reference, &candidate = x.candidate;
    if (!reference.defined() && !candidate.defined()) return {true, "both undefined"};
    if (!reference.defined() || !candidate.defined() ||
        !comparable_dtypes(reference.scalar_type(), candidate.scalar_type()) ||
        reference.sizes() != candidate.sizes()) {
        return {false, described(candidate) + ", but the reference has " + described(reference)};
    }
    if (reference.numel() == 0) return {true, "both empty"};
    if (reference.scalar_type() == at::kBool && how.mask_overlap > 0)
        return compare_masks(statistics, reference, candidate, how.mask_overlap);
    if (!reference.is_floating_point() && !reference.is_complex()) {
        const bool same = at::equal(reference, candidate);
        return {same, same ? "equal" : "integers or booleans differ"};
    }
    return compare_floats(statistics, x, how);
}

/// The result of another run at the same place; undefined if that run has none of this shape.
inline at::Tensor result_beside(const at::Tensor& reference, const named_tensors& others, std::size_t i) {
    const bool usable = i < others.size() && others[i].value.defined() && others[i].value.is_floating_point() &&
                        others[i].value.sizes() == reference.sizes();
    return usable ? dense(others[i].value).to(reference.device()) : at::Tensor{};
}

// A parameter without effect on the loss has no gradient, or a zero one with some compilers.
inline at::Tensor value_beside(const named_tensor& x, const named_tensor& other) {
    const bool is_zero = x.role == tensor_role::gradient && !x.value.defined() && other.value.defined();
    return is_zero ? at::zeros_like(dense(other.value)) : dense(x.value);
}

inline double largest_gradient(const named_tensors& results) {
    double largest = 0;
    for (const named_tensor& each : results) {
        if (each.role == tensor_role::gradient) largest = std::max(largest, largest_of(dense(each.value)));
    }
    return largest;
}

/// The allowed error of the candidate. The absolute part stays below the reference's largest value: otherwise any small
/// output would be right. PyTorch's harness allows float32 gradients on an accelerator a larger error.
inline allowed_error allowed_for(const tensor_to_judge& x, const other_runs& runs, const accuracy& how) {
    allowed_error allowed{.precision = coarser(x.reference.scalar_type(), x.candidate.scalar_type())};
    if (runs.computed_in && x.reference.is_floating_point())
        allowed.precision = coarser(allowed.precision, *runs.computed_in);
    const bool may_be_larger =
        x.role == tensor_role::gradient && !x.reference.is_cpu() && allowed.precision == at::kFloat;
    allowed.relative = how.tolerance > 0 ? how.tolerance : may_be_larger ? 1e-3 : usual_tolerance(allowed.precision);
    allowed.absolute = how.absolute > 0 ? how.absolute : allowed.relative * std::min(1.0, x.largest);
    allowed.nan_agree = nan_agree(allowed.precision, how);
    return allowed;
}

/// Two results on one device, dense, with the allowed error and the results of other runs. A reference in double
/// precision is its own exact result.
inline tensor_to_judge side_by_side(const named_tensor& expected, const named_tensor& actual, double largest_gradient,
                                    const other_runs& runs, std::size_t i, const accuracy& how) {
    tensor_to_judge x{.reference = value_beside(expected, actual),
                      .candidate = value_beside(actual, expected),
                      .role = expected.role};
    if (!x.reference.defined() || !x.candidate.defined()) return x;
    x.candidate = x.candidate.to(x.reference.device());
    x.largest = x.role == tensor_role::gradient ? largest_gradient : largest_of(x.reference);
    x.allowed = allowed_for(x, runs, how);
    x.rounded = result_beside(x.reference, runs.rounded, i);
    x.exact = x.reference.scalar_type() == at::kDouble ? x.reference : result_beside(x.reference, runs.exact, i);
    if (x.exact.defined() && x.exact.scalar_type() != at::kDouble) x.exact.reset();
    return x;
}

/// One line per output; for many outputs only those that differ, and the number of those that agree.
inline std::string joined(const std::vector<agreement>& all) {
    constexpr std::size_t maximum = 8;
    std::string text;
    std::size_t shown = 0, differing = 0, left_out = 0;
    for (const agreement& each : all) {
        differing += each.same ? 0 : 1;
        if ((all.size() > maximum && each.same) || shown == maximum) {
            ++left_out;
            continue;
        }
        text += (shown++ == 0 ? "" : "\n") + each.text;
    }
    if (left_out == 0) return text;
    return text + (shown == 0 ? "" : "\n") + std::to_string(all.size() - differing) + " of " +
           std::to_string(all.size()) + " outputs and gradients agree";
}

/// Compares all tensors of both.
inline agreement compare_results(error_statistics& statistics, const named_tensors& reference,
                                 const named_tensors& candidate, const accuracy& how, const other_runs& runs) {
    if (reference.size() != candidate.size()) {
        return {false, std::to_string(candidate.size()) + " outputs, but the reference has " +
                           std::to_string(reference.size())};
    }
    if (std::ranges::none_of(reference, [](const named_tensor& each) { return each.value.defined(); }))
        return {false, "neither returned a tensor with a value, so there is nothing to compare"};
    bool same = true;
    std::vector<agreement> all;
    const double largest = largest_gradient(reference);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const named_tensor &expected = reference[i], &actual = candidate[i];
        if (called(expected) != called(actual))
            return {false, called(actual) + ", but the reference has " + called(expected)};
        const tensor_to_judge x = side_by_side(expected, actual, largest, runs, i, how);
        agreement one = compare_tensors(statistics, x, how);
        one.text = called(expected) + ", " + described(x.reference) + ": " + one.text;
        same = same && one.same;
        all.push_back(std::move(one));
    }
    return {same, joined(all)};
}

}  // namespace detail

verification compare_outputs(const tensor_list& reference, const tensor_list& candidate, const accuracy& how,
                             const tensor_list& double_reference) {
    detail::check_accuracy(how);
    const c10::InferenceMode no_gradients;
    verification result{verification_code::pass, {}, {}};
    const auto agreed =
        detail::compare_results(result.statistics, detail::numbered(reference), detail::numbered(candidate), how,
                                {.exact = detail::numbered(double_reference)});
    if (!agreed.same) result.code = verification_code::fail;
    result.text = agreed.text;
    return result;
}

}  // namespace perfspec::inline v0_2
