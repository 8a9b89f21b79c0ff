// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/outputs/bits-inl.hpp>
#include <perfspec/libtorch/outputs/error_statistics-inl.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cosine_similarity.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

inline bool is_half(at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; }

inline double tolerance_of(at::ScalarType type, const accuracy& how) {
    if (how.tolerance > 0) return how.tolerance;
    if (type == at::kBFloat16) return 1e-2;
    return type == at::kHalf ? 1e-3 : 1e-4;
}

inline bool nan_agree(at::ScalarType type, const accuracy& how) {
    return how.nan == nan_rule::agree || (how.nan == nan_rule::by_dtype && is_half(type));
}

inline bool any_nan(const at::Tensor& x) { return at::isnan(x).any().item<bool>(); }

struct agreement {
    bool same{};
    std::string text;
};

inline double multiplier_for(const at::Tensor& reference, double tolerance, const accuracy& how) {
    if (how.multiplier > 0) return how.multiplier;
    const bool pointwise = reference.dim() == 4 && reference.size(-1) == 1 && reference.size(-2) == 1;
    return is_half(reference.scalar_type()) || reference.numel() < 1000 || pointwise || tolerance >= 2e-2 ? 3.0 : 2.0;
}

inline agreement against_double(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                                const at::Tensor& exact, double tolerance, const accuracy& how) {
    const bool equal_nan = nan_agree(reference.scalar_type(), how);
    constexpr double loose = 4e-2;
    if (!any_nan(exact) && !any_nan(candidate) && any_nan(reference) &&
        at::allclose(exact.to(candidate.scalar_type()), candidate, loose, loose, equal_nan)) {
        return {true, "finite where the reference is NaN, and near the double-precision result"};
    }
    const double own = rmse(exact, reference);
    const double error = rmse(exact, candidate);
    const double factor = multiplier_for(reference, tolerance, how);
    note(statistics, "rmse_reference_double", own);
    note(statistics, "rmse_candidate_double", error);
    const bool same = error <= factor * own + tolerance / 10 || (equal_nan && std::isnan(own) && std::isnan(error));
    return {same, "root mean square error to double precision " + short_number(error) + ", the reference's own " + short_number(own) +
                      ", allowed " + short_number(factor) + " times that plus " + short_number(tolerance / 10)};
}

/// Why outputs with NaN in them disagree; empty for other outputs.
inline std::string nan_text(const at::Tensor& reference, const at::Tensor& candidate) {
    const bool in_reference = any_nan(reference), in_candidate = any_nan(candidate);
    if (in_reference && in_candidate) return "; both hold NaN, which agree under nan_rule::agree alone";
    if (in_reference || in_candidate) return std::string{"; the "} + (in_reference ? "reference" : "candidate") + " holds NaN";
    return {};
}

// Prints enough digits that a value just below the limit does not look like the limit.
inline std::string share_text(double found, double wanted) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g, wanted %.6g", found, wanted);
    return text;
}

// The eps is that of PyTorch's harness: against zeros the similarity is 0.
inline agreement by_cosine(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate, double wanted) {
    const double found =
        at::cosine_similarity(wide(reference).flatten(), wide(candidate).flatten(), /*dim=*/0, /*eps=*/1e-6).item<double>();
    note(statistics, "cosine_similarity", found, worst::smallest);
    return {found >= wanted, "cosine similarity " + share_text(found, wanted)};
}

inline agreement compare_floats(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                                const at::Tensor& exact, const accuracy& how) {
    const at::ScalarType type = reference.scalar_type();
    const double tolerance = tolerance_of(type, how);
    note_errors(statistics, reference, candidate, tolerance);
    if (at::allclose(reference, candidate, tolerance, tolerance, nan_agree(type, how))) {
        return {true, "within " + short_number(tolerance) + " absolute plus relative"};
    }
    if (how.cosine > 0 && reference.numel() > 1) return by_cosine(statistics, reference, candidate, how.cosine);
    agreement found{false,
                    "not within " + short_number(tolerance) + " absolute plus relative, and nothing in double precision to compare with"};
    if (exact.defined()) found = against_double(statistics, reference, candidate, exact, tolerance, how);
    if (!found.same) found.text += nan_text(reference, candidate);
    return found;
}

inline agreement compare_masks(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& candidate, double wanted) {
    const auto both = (reference & candidate).sum().item<long>();
    const auto either = (reference | candidate).sum().item<long>();
    const double overlap = either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either);
    note(statistics, "mask_overlap", overlap, worst::smallest);
    return {overlap >= wanted, "intersection over union, " + std::to_string(both) + " of " + std::to_string(either) + " elements, " +
                                   share_text(overlap, wanted)};
}

inline agreement compare_tensors(error_statistics& statistics, const at::Tensor& reference, const at::Tensor& given,
                                 const at::Tensor& exact, const accuracy& how) {
    if (!reference.defined() && !given.defined()) return {true, "undefined, both"};
    if (!reference.defined() || !given.defined() || reference.scalar_type() != given.scalar_type() || reference.sizes() != given.sizes()) {
        return {false, described(given) + " where the reference is " + described(reference)};
    }
    const at::Tensor candidate = given.to(reference.device());
    if (reference.numel() == 0) return {true, "both empty"};
    if (reference.scalar_type() == at::kBool && how.mask_overlap > 0)
        return compare_masks(statistics, reference, candidate, how.mask_overlap);
    if (!reference.is_floating_point() && !reference.is_complex()) {
        const bool same = at::equal(reference, candidate);
        return {same, same ? "equal" : "integers or booleans that are not equal"};
    }
    return compare_floats(statistics, reference, candidate, exact, how);
}

// A reference in double precision is its own exact result.
inline at::Tensor exact_for(const at::Tensor& reference, const named_tensors& exact, std::size_t i) {
    if (!reference.defined() || reference.scalar_type() == at::kDouble) return reference;
    const bool usable = i < exact.size() && exact[i].value.defined() && exact[i].value.scalar_type() == at::kDouble &&
                        exact[i].value.sizes() == reference.sizes();
    return usable ? dense(exact[i].value).to(reference.device()) : at::Tensor{};
}

// A parameter that the loss does not depend on has no gradient or a zero one; compilers differ in this.
inline at::Tensor value_beside(const named_tensor& x, const named_tensor& other) {
    const bool is_zero = x.role == tensor_role::gradient && !x.value.defined() && other.value.defined();
    return is_zero ? at::zeros_like(dense(other.value)) : dense(x.value);
}

inline accuracy accuracy_for(const named_tensor& x, const accuracy& how) {
    accuracy chosen = how;
    const bool on_accelerator = x.role == tensor_role::gradient && x.value.defined() && !x.value.is_cpu();
    if (how.tolerance == 0 && on_accelerator && x.value.scalar_type() == at::kFloat) chosen.tolerance = 1e-3;
    return chosen;
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
    return text + (shown == 0 ? "" : "\n") + std::to_string(all.size() - differing) + " of " + std::to_string(all.size()) +
           " outputs and gradients agree";
}

/// Compares all tensors of both, one after the other.
inline agreement compare_results(error_statistics& statistics, const named_tensors& reference, const named_tensors& candidate,
                                 const accuracy& how, const named_tensors& exact) {
    if (reference.size() != candidate.size()) {
        return {false, std::to_string(candidate.size()) + " outputs where the reference has " + std::to_string(reference.size())};
    }
    bool same = true;
    std::vector<agreement> all;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const named_tensor &expected = reference[i], &given = candidate[i];
        if (called(expected) != called(given)) return {false, called(given) + " where the reference has " + called(expected)};
        const at::Tensor value = value_beside(expected, given);
        agreement found =
            compare_tensors(statistics, value, value_beside(given, expected), exact_for(value, exact, i), accuracy_for(expected, how));
        found.text = called(expected) + ", " + described(value) + ": " + found.text;
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
    const auto found = detail::compare_results(result.statistics, detail::numbered(reference), detail::numbered(candidate), how,
                                               detail::numbered(double_reference));
    if (!found.same) result.code = verification_code::fail;
    result.text = found.text;
    return result;
}

}  // namespace perfspec
