// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/outputs/bits-inl.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/where.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <string>

namespace perfspec::detail {

inline bool is_half(at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; }

inline bool any_nan(const at::Tensor& x) { return at::isnan(x).any().item<bool>(); }

/// The tolerance that PyTorch's harness takes for a dtype. The coarser of two dtypes has the larger one.
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

/// The largest finite absolute value; 0 where there is none.
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

/// largest  the largest value of the reference. The absolute part must stay below it: else any small output would be
/// right.
inline allowed_error allowed_for(at::ScalarType precision, double largest, const accuracy& how) {
    allowed_error allowed{.precision = precision, .nan_agree = nan_agree(precision, how)};
    allowed.relative = how.tolerance > 0 ? how.tolerance : usual_tolerance(precision);
    allowed.absolute = how.absolute > 0 ? how.absolute : allowed.relative * std::min(1.0, largest);
    return allowed;
}

}  // namespace perfspec::detail
