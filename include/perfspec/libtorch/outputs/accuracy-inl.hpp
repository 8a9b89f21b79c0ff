// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/outputs/accuracy.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/item.h>
#include <ATen/ops/view_as_real.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace perfspec::detail {

using error_statistics = std::vector<verification_statistic>;

enum class worst { largest, smallest };

/// Keeps the worst value of each number over the outputs so far. NaN is the worst.
inline void note(error_statistics& all, const char* name, double value, worst which = worst::largest) {
    const auto known = std::ranges::find(all, name, &verification_statistic::name);
    if (known == all.end()) {
        all.push_back({name, value});
    } else if (!std::isnan(known->value) &&
               !(which == worst::largest ? value <= known->value : value >= known->value)) {
        known->value = value;
    }
}

/// The values in double precision; of complex numbers, both parts.
inline at::Tensor wide(const at::Tensor& x) {
    return (x.is_complex() ? at::view_as_real(x.resolve_conj()) : x).to(at::kDouble);
}

inline double root_mean_square(const at::Tensor& x) { return wide(x).square().mean().sqrt().item<double>(); }

inline double rmse(const at::Tensor& a, const at::Tensor& b) {
    return (wide(a) - wide(b)).square().mean().sqrt().item<double>();
}

inline void note_errors(error_statistics& all, const at::Tensor& reference, const at::Tensor& candidate,
                        double tolerance, double absolute) {
    const auto expected = wide(reference);
    const auto error = (wide(candidate) - expected).abs();
    note(all, "max_abs_error", error.max().item<double>());
    note(all, "mean_abs_error", error.mean().item<double>());
    constexpr double above_zero = 1e-300;
    note(all, "max_rel_error", (error / expected.abs().clamp_min(std::max(absolute, above_zero))).max().item<double>());
    note(all, "rmse", error.square().mean().sqrt().item<double>());
    note(all, "max_abs_reference", expected.abs().max().item<double>());
    note(all, "tolerance", tolerance);
}

inline std::string short_number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

inline void require_member(bool legal, const char* member, double found, const char* wanted) {
    if (!legal)
        throw input_error(std::string{"accuracy: "} + member + " is " + short_number(found) + ": give " + wanted);
}

/// Throws input_error for a member that means nothing.
inline void check_accuracy(const accuracy& how) {
    const auto is_share = [](double x) { return x >= 0 && x <= 1; };
    require_member(std::isfinite(how.tolerance) && how.tolerance >= 0, "tolerance", how.tolerance,
                   "a number from 0, such as 0.01, or leave it out for that of the dtype");
    require_member(std::isfinite(how.absolute) && how.absolute >= 0, "absolute", how.absolute,
                   "a number from 0, such as 1e-6, or leave it out for that of the outputs' size");
    require_member(std::isfinite(how.multiplier) && (how.multiplier == 0 || how.multiplier >= 1), "multiplier",
                   how.multiplier, "a number from 1, such as 10, or leave it out for that of dtype and size");
    require_member(is_share(how.cosine), "cosine", how.cosine,
                   "a similarity above 0 and up to 1, such as 0.99, or leave it out");
    require_member(is_share(how.mask_overlap), "mask_overlap", how.mask_overlap,
                   "a share above 0 and up to 1, such as 0.99, or leave it out");
    require_member(how.runs >= 1, "runs", how.runs, "a number from 1, such as 3");
}

}  // namespace perfspec::detail
