// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/outputs/allowed_error-inl.hpp>
#include <perfspec/libtorch/outputs/bits-inl.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cosine_similarity.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

struct agreement {
    bool same{};
    std::string text;
};

/// A result of the reference and the candidate's, and how far they may lie apart.
struct tensor_to_judge {
    at::Tensor reference;
    at::Tensor candidate;
    tensor_role role{};
    double largest{};  ///< value of the reference; for a gradient, of all its gradients
    allowed_error allowed{};
};

/// What the reference returned in other precisions; empty where it was not run in one.
struct other_runs {
    named_tensors exact{};                        ///< double
    named_tensors rounded{};                      ///< the candidate's
    std::optional<at::ScalarType> computed_in{};  ///< a coarser dtype that results do not show, as autocast's
};

/// The reference's results of other runs, which a candidate beyond the tolerance may be measured against. Each may be
/// undefined.
struct other_precisions {
    at::Tensor exact{};    ///< computed in double precision
    at::Tensor rounded{};  ///< computed in the candidate's own, coarser precision
};

inline double multiplier_for(const at::Tensor& reference, const allowed_error& allowed, const accuracy& how) {
    if (how.multiplier > 0) return how.multiplier;
    const bool pointwise = reference.dim() == 4 && reference.size(-1) == 1 && reference.size(-2) == 1;
    return is_half(allowed.precision) || reference.numel() < 1000 || pointwise || allowed.relative >= 2e-2 ? 3.0 : 2.0;
}

/// The error that a right candidate may have beside the reference's own: a tenth of the tolerance. It shrinks with
/// outputs below 1.
inline double small_error(const tensor_to_judge& x, const at::Tensor& exact, const accuracy& how) {
    if (how.absolute > 0) return how.absolute / 10;
    const double size = x.role == tensor_role::gradient ? x.largest : root_mean_square(exact);
    return x.allowed.relative / 10 * std::min(1.0, size);
}

/// Results of one shape in double precision, the parts of complex numbers apart. `rounded` may be undefined.
struct wide_results {
    at::Tensor exact;
    at::Tensor reference;
    at::Tensor candidate;
    at::Tensor rounded;
};

inline wide_results widened(const tensor_to_judge& x, const other_precisions& computed) {
    return {wide(computed.exact), wide(x.reference), wide(x.candidate),
            computed.rounded.defined() ? wide(computed.rounded) : at::Tensor{}};
}

/// Elements of the candidate that are equal to another run's: infinities are, and NaN where it agrees.
inline at::Tensor equal_elements(const at::Tensor& candidate, const at::Tensor& other, bool nan_agree) {
    if (!other.defined()) return at::zeros_like(candidate, at::kBool);
    const at::Tensor same = candidate.eq(other);
    return nan_agree ? same.logical_or(at::isnan(candidate).logical_and(at::isnan(other))) : same;
}

/// Whether each element without an error is what the reference has there, or the reference in the candidate's
/// precision: an infinity has no distance from anything, so a mean over it would allow every value.
///
/// measurable  where the candidate and the exact result are finite
inline bool agree_without_error(const wide_results& x, const at::Tensor& measurable, bool nan_agree) {
    const at::Tensor given = equal_elements(x.candidate, x.reference, nan_agree)
                                 .logical_or(equal_elements(x.candidate, x.rounded, nan_agree));
    return measurable.logical_or(given.logical_and(at::isfinite(x.candidate).logical_not())).all().item<bool>();
}

/// The root mean square error over the chosen elements that are finite in both; 0 where none is, and for a run that
/// there was not.
inline double rmse_of(const at::Tensor& exact, const at::Tensor& other, const at::Tensor& chosen) {
    if (!other.defined()) return 0.0;
    const at::Tensor used = chosen.logical_and(at::isfinite(other));
    return used.any().item<bool>() ? rmse(exact.masked_select(used), other.masked_select(used)) : 0.0;
}

inline agreement against_double(error_statistics& statistics, const tensor_to_judge& x,
                                const other_precisions& computed, const accuracy& how) {
    const at::Tensor& exact = computed.exact;
    constexpr double loose = 4e-2;
    if (!any_nan(exact) && !any_nan(x.candidate) && any_nan(x.reference) &&
        at::allclose(wide(x.candidate), wide(exact), loose, loose)) {
        return {true, "finite where the reference is NaN, and near the double-precision result"};
    }
    const wide_results all = widened(x, computed);
    const at::Tensor measurable = at::isfinite(all.candidate).logical_and(at::isfinite(all.exact));
    if (!agree_without_error(all, measurable, x.allowed.nan_agree))
        return {false, "not within " + x.allowed.text() + ", and infinite or undefined where the other is not"};
    const double own = rmse_of(all.exact, all.reference, measurable);
    const double error = rmse_of(all.exact, all.candidate, measurable);
    const double rounded = rmse_of(all.exact, all.rounded, measurable);
    const double factor = multiplier_for(x.reference, x.allowed, how);
    const double small = small_error(x, exact, how);
    note(statistics, "rmse_reference_double", own);
    note(statistics, "rmse_candidate_double", error);
    if (computed.rounded.defined()) note(statistics, "rmse_reference_rounded", rounded);
    const bool same = error <= factor * std::max(own, rounded) + small;
    const std::string in_its_precision =
        computed.rounded.defined() ? " and in " + dtype_name(x.allowed.precision) + " " + short_number(rounded)
                                   : std::string{};
    return {same, "root mean square error to double precision " + short_number(error) + ", the reference's own " +
                      short_number(own) + in_its_precision + ", allowed " + short_number(factor) + " times that plus " +
                      short_number(small)};
}

/// Why outputs with NaN in them disagree; empty for other outputs.
inline std::string nan_text(const at::Tensor& reference, const at::Tensor& candidate) {
    const bool in_reference = any_nan(reference), in_candidate = any_nan(candidate);
    if (in_reference && in_candidate) return "; both hold NaN, which agree under nan_rule::agree alone";
    if (in_reference || in_candidate)
        return std::string{"; the "} + (in_reference ? "reference" : "candidate") + " holds NaN";
    return {};
}

// Prints enough digits that a value just below the limit does not look like the limit.
inline std::string share_text(double found, double wanted) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g, wanted %.6g", found, wanted);
    return text;
}

// The eps is that of PyTorch's harness: against zeros the similarity is 0.
inline agreement by_cosine(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                           double wanted) {
    const double found =
        at::cosine_similarity(wide(reference).flatten(), wide(candidate).flatten(), /*dim=*/0, /*eps=*/1e-6)
            .item<double>();
    note(statistics, "cosine_similarity", found, worst::smallest);
    return {found >= wanted, "cosine similarity " + share_text(found, wanted)};
}

inline agreement compare_floats(error_statistics& statistics, const tensor_to_judge& x,
                                const other_precisions& computed, const accuracy& how) {
    note_errors(statistics, x.reference, x.candidate, x.allowed.relative, x.allowed.absolute);
    const std::string as =
        x.reference.scalar_type() == x.candidate.scalar_type() ? "" : " for " + dtype_name(x.candidate.scalar_type());
    if (at::allclose(wide(x.candidate), wide(x.reference), x.allowed.relative, x.allowed.absolute,
                     x.allowed.nan_agree)) {
        return {true, "within " + x.allowed.text() + as};
    }
    if (how.cosine > 0 && x.reference.numel() > 1) return by_cosine(statistics, x.reference, x.candidate, how.cosine);
    agreement found{false, "not within " + x.allowed.text() + as + ", and nothing in double precision to compare with"};
    if (computed.exact.defined()) found = against_double(statistics, x, computed, how);
    if (found.same) return found;
    if (x.largest == 0 && !any_nan(x.reference)) found.text += "; the reference is zero everywhere";
    found.text += nan_text(x.reference, x.candidate);
    return found;
}

inline agreement compare_masks(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                               double wanted) {
    const auto both = (reference & candidate).sum().item<long>();
    const auto either = (reference | candidate).sum().item<long>();
    const double overlap = either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either);
    note(statistics, "mask_overlap", overlap, worst::smallest);
    return {overlap >= wanted, "intersection over union, " + std::to_string(both) + " of " + std::to_string(either) +
                                   " elements, " + share_text(overlap, wanted)};
}

/// Whether values of both dtypes can be compared by a tolerance: two floating-point ones, or one and the same.
inline bool comparable_dtypes(at::ScalarType a, at::ScalarType b) {
    return a == b || (at::isFloatingType(a) && at::isFloatingType(b));
}

inline agreement compare_tensors(error_statistics& statistics, const tensor_to_judge& x,
                                 const other_precisions& computed, const accuracy& how) {
    const at::Tensor &reference = x.reference, &candidate = x.candidate;
    if (!reference.defined() && !candidate.defined()) return {true, "undefined, both"};
    if (!reference.defined() || !candidate.defined() ||
        !comparable_dtypes(reference.scalar_type(), candidate.scalar_type()) ||
        reference.sizes() != candidate.sizes()) {
        return {false, described(candidate) + " where the reference is " + described(reference)};
    }
    if (reference.numel() == 0) return {true, "both empty"};
    if (reference.scalar_type() == at::kBool && how.mask_overlap > 0)
        return compare_masks(statistics, reference, candidate, how.mask_overlap);
    if (!reference.is_floating_point() && !reference.is_complex()) {
        const bool same = at::equal(reference, candidate);
        return {same, same ? "equal" : "integers or booleans that are not equal"};
    }
    return compare_floats(statistics, x, computed, how);
}

/// The result of another run that belongs to a reference's result; undefined where that run has none like it.
inline at::Tensor result_beside(const at::Tensor& reference, const named_tensors& others, std::size_t i) {
    const bool usable = i < others.size() && others[i].value.defined() && others[i].value.is_floating_point() &&
                        others[i].value.sizes() == reference.sizes();
    return usable ? dense(others[i].value).to(reference.device()) : at::Tensor{};
}

// A reference in double precision is its own exact result.
inline other_precisions precisions_for(const at::Tensor& reference, const other_runs& runs, std::size_t i) {
    if (!reference.defined()) return {};
    if (reference.scalar_type() == at::kDouble) return {reference, result_beside(reference, runs.rounded, i)};
    const at::Tensor exact = result_beside(reference, runs.exact, i);
    return {exact.defined() && exact.scalar_type() == at::kDouble ? exact : at::Tensor{},
            result_beside(reference, runs.rounded, i)};
}

// A parameter that the loss does not depend on has no gradient or a zero one; compilers differ in this.
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

/// PyTorch's harness allows float32 gradients on an accelerator a larger error.
inline accuracy accuracy_for(const tensor_to_judge& x, const accuracy& how) {
    accuracy chosen = how;
    const bool on_accelerator = x.role == tensor_role::gradient && x.reference.defined() && !x.reference.is_cpu();
    if (how.tolerance == 0 && on_accelerator && x.allowed.precision == at::kFloat) chosen.tolerance = 1e-3;
    return chosen;
}

/// Puts two results side by side: on one device, dense, and with what they may differ by.
inline tensor_to_judge side_by_side(const named_tensor& expected, const named_tensor& given, double largest_gradient,
                                    const other_runs& runs, const accuracy& how) {
    tensor_to_judge x{
        .reference = value_beside(expected, given), .candidate = value_beside(given, expected), .role = expected.role};
    if (!x.reference.defined() || !x.candidate.defined()) return x;
    x.candidate = x.candidate.to(x.reference.device());
    x.largest = x.role == tensor_role::gradient ? largest_gradient : largest_of(x.reference);
    x.allowed.precision = coarser(x.reference.scalar_type(), x.candidate.scalar_type());
    if (runs.computed_in && x.reference.is_floating_point())
        x.allowed.precision = coarser(x.allowed.precision, *runs.computed_in);
    x.allowed = allowed_for(x.allowed.precision, x.largest, accuracy_for(x, how));
    return x;
}

/// One line for each output. Of many, as with gradients, only those that differ, and how many agree.
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

/// Compares all tensors of both, one after the other.
inline agreement compare_results(error_statistics& statistics, const named_tensors& reference,
                                 const named_tensors& candidate, const accuracy& how, const other_runs& runs) {
    if (reference.size() != candidate.size()) {
        return {false, std::to_string(candidate.size()) + " outputs where the reference has " +
                           std::to_string(reference.size())};
    }
    if (std::ranges::none_of(reference, [](const named_tensor& each) { return each.value.defined(); }))
        return {false, "neither returned a tensor with a value, so there is nothing to compare"};
    bool same = true;
    std::vector<agreement> all;
    const double largest = largest_gradient(reference);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const named_tensor &expected = reference[i], &given = candidate[i];
        if (called(expected) != called(given))
            return {false, called(given) + " where the reference has " + called(expected)};
        const tensor_to_judge x = side_by_side(expected, given, largest, runs, how);
        agreement found = compare_tensors(statistics, x, precisions_for(x.reference, runs, i), how);
        found.text = called(expected) + ", " + described(x.reference) + ": " + found.text;
        same = same && found.same;
        all.push_back(std::move(found));
    }
    return {same, joined(all)};
}

}  // namespace detail

verification compare_outputs(const tensor_list& reference, const tensor_list& candidate, const accuracy& how,
                             const tensor_list& double_reference) {
    detail::check_accuracy(how);
    const c10::InferenceMode no_gradients;
    verification result{verification_code::pass, {}, {}};
    const auto found =
        detail::compare_results(result.statistics, detail::numbered(reference), detail::numbered(candidate), how,
                                {.exact = detail::numbered(double_reference)});
    if (!found.same) result.code = verification_code::fail;
    result.text = found.text;
    return result;
}

}  // namespace perfspec
