// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/accuracy.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/item.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace perfspec {
namespace detail {

/// "float32[1,1000]"
inline std::string described(const at::Tensor& x) {
    std::string text{c10::getDtypeNames(x.scalar_type()).first};
    text += '[';
    for (const auto size : x.sizes()) text += std::to_string(size) + ',';
    if (text.back() == ',') text.pop_back();
    return text + ']';
}

inline std::string short_number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

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

inline double rmse(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).square().mean().sqrt().item<double>();
}

/// The largest of each number over the outputs seen so far.
inline void note_largest(std::vector<verification_statistic>& all, const char* name, double value) {
    const auto known = std::ranges::find(all, name, &verification_statistic::name);
    if (known == all.end()) {
        all.push_back({name, value});
    } else if (!(value <= known->value)) {  // a NaN wins
        known->value = value;
    }
}

inline void note_errors(std::vector<verification_statistic>& all, const at::Tensor& reference, const at::Tensor& candidate,
                        double tolerance) {
    const auto wide = reference.to(at::kDouble);
    const auto error = (candidate.to(at::kDouble) - wide).abs();
    note_largest(all, "max_abs_error", error.max().item<double>());
    note_largest(all, "mean_abs_error", error.mean().item<double>());
    note_largest(all, "max_rel_error", (error / wide.abs().clamp_min(tolerance)).max().item<double>());
    note_largest(all, "rmse", error.square().mean().sqrt().item<double>());
    note_largest(all, "max_abs_reference", wide.abs().max().item<double>());
    note_largest(all, "tolerance", tolerance);
}

struct agreement {
    bool same{};
    std::string text;
};

inline double multiplier_for(const at::Tensor& reference, double tolerance) {
    const bool pointwise = reference.dim() == 4 && reference.size(-1) == 1 && reference.size(-2) == 1;
    return is_half(reference.scalar_type()) || reference.numel() < 1000 || pointwise || tolerance >= 2e-2 ? 3.0 : 2.0;
}

inline agreement against_double(std::vector<verification_statistic>& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                                const at::Tensor& exact, double tolerance, bool equal_nan) {
    constexpr double loose = 4e-2;
    if (!any_nan(exact) && !any_nan(candidate) && any_nan(reference) &&
        at::allclose(exact.to(candidate.scalar_type()), candidate, loose, loose, equal_nan)) {
        return {true, "finite where the reference is NaN, and near the double-precision result"};
    }
    const double own = rmse(exact, reference);
    const double error = rmse(exact, candidate);
    const double factor = multiplier_for(reference, tolerance);
    note_largest(statistics, "rmse_reference_double", own);
    note_largest(statistics, "rmse_candidate_double", error);
    const bool same = error <= factor * own + tolerance / 10 || (equal_nan && std::isnan(own) && std::isnan(error));
    return {same, "root mean square error to double precision " + short_number(error) + ", the reference's own " + short_number(own) +
                      ", allowed " + short_number(factor) + " times that plus " + short_number(tolerance / 10)};
}

/// Why outputs with NaN in them disagree; empty for others.
inline std::string nan_text(const at::Tensor& reference, const at::Tensor& candidate) {
    const bool in_reference = any_nan(reference), in_candidate = any_nan(candidate);
    if (in_reference && in_candidate) return "; both hold NaN, which agree under nan_rule::agree alone";
    if (in_reference || in_candidate) return std::string{"; the "} + (in_reference ? "reference" : "candidate") + " holds NaN";
    return {};
}

inline agreement compare_floats(std::vector<verification_statistic>& statistics, const at::Tensor& reference, const at::Tensor& candidate,
                                const at::Tensor& exact, const accuracy& how) {
    const at::ScalarType type = reference.scalar_type();
    const double tolerance = tolerance_of(type, how);
    const bool equal_nan = nan_agree(type, how);
    if (!reference.is_complex()) note_errors(statistics, reference, candidate, tolerance);
    if (at::allclose(reference, candidate, tolerance, tolerance, equal_nan)) {
        return {true, "within " + short_number(tolerance) + " absolute plus relative"};
    }
    agreement found{false,
                    "not within " + short_number(tolerance) + " absolute plus relative, and nothing in double precision to compare with"};
    if (exact.defined()) found = against_double(statistics, reference, candidate, exact, tolerance, equal_nan);
    if (!found.same) found.text += nan_text(reference, candidate);
    return found;
}

inline agreement compare_tensors(std::vector<verification_statistic>& statistics, const at::Tensor& reference, const at::Tensor& given,
                                 const at::Tensor& exact, const accuracy& how) {
    if (!given.defined()) return {false, "undefined where the reference is " + described(reference)};
    if (reference.scalar_type() != given.scalar_type() || reference.sizes() != given.sizes()) {
        return {false, described(given) + " where the reference is " + described(reference)};
    }
    const at::Tensor candidate = given.to(reference.device());
    if (reference.numel() == 0) return {true, "both empty"};
    if (!reference.is_floating_point() && !reference.is_complex()) {
        const bool same = at::equal(reference, candidate);
        return {same, same ? "equal" : "integers or booleans that are not equal"};
    }
    return compare_floats(statistics, reference, candidate, exact, how);
}

inline at::Tensor dense(const at::Tensor& x) { return x.defined() && x.layout() != at::kStrided ? x.to_dense() : x; }

// Where the reference is in double precision already, it is its own exact result.
inline at::Tensor exact_for(const at::Tensor& reference, const tensor_list& exact, std::size_t i) {
    if (reference.scalar_type() == at::kDouble) return reference;
    const bool usable =
        i < exact.size() && exact[i].defined() && exact[i].scalar_type() == at::kDouble && exact[i].sizes() == reference.sizes();
    return usable ? dense(exact[i]).to(reference.device()) : at::Tensor{};
}

}  // namespace detail

verification compare_outputs(const tensor_list& reference, const tensor_list& candidate, const accuracy& how,
                             const tensor_list& double_reference) {
    const c10::InferenceMode no_gradients;
    verification result{verification_code::pass, {}, {}};
    if (reference.size() != candidate.size()) {
        result.code = verification_code::fail;
        result.text = std::to_string(candidate.size()) + " outputs where the reference has " + std::to_string(reference.size());
        return result;
    }
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const at::Tensor expected = detail::dense(reference[i]);
        const auto found = detail::compare_tensors(result.statistics, expected, detail::dense(candidate[i]),
                                                   detail::exact_for(expected, double_reference, i), how);
        if (!found.same) result.code = verification_code::fail;
        if (i != 0) result.text += '\n';
        result.text += "output " + std::to_string(i + 1) + ", " + detail::described(expected) + ": " + found.text;
    }
    return result;
}

}  // namespace perfspec
