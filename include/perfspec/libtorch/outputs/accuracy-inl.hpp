// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/outputs/accuracy.hpp>
#include <perfspec/libtorch/tensors.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/item.h>
#include <ATen/ops/view_as_real.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

using error_statistics = std::vector<verification_statistic>;

/// Keeps the worst value of a statistic over the outputs: the smallest similarity, otherwise the largest. NaN is worst.
inline void keep_worst(error_statistics& all, const std::string& name, double value) {
    const bool is_similarity = name == "cosine_similarity" || name == "mask_overlap";
    const auto worst = std::ranges::find(all, name, &verification_statistic::name);
    if (worst == all.end()) all.push_back({name, value});
    else if (!std::isnan(worst->value) && !(is_similarity ? value >= worst->value : value <= worst->value))
        worst->value = value;
}

/// The values in double precision; both parts of complex numbers.
inline at::Tensor wide(const at::Tensor& x) {
    return (x.is_complex() ? at::view_as_real(x.resolve_conj()) : x).to(at::kDouble);
}

inline double root_mean_square(const at::Tensor& x) { return wide(x).square().mean().sqrt().item<double>(); }

inline void keep_worst_errors(error_statistics& all, const at::Tensor& reference, const at::Tensor& candidate,
                              double tolerance, double absolute) {
    const auto expected = wide(reference);
    const auto error = (wide(candidate) - expected).abs();
    keep_worst(all, "max_abs_error", error.max().item<double>());
    keep_worst(all, "mean_abs_error", error.mean().item<double>());
    constexpr double above_zero = 1e-300;
    keep_worst(all, "max_rel_error",
               (error / expected.abs().clamp_min(std::max(absolute, above_zero))).max().item<double>());
    keep_worst(all, "rmse", root_mean_square(error));
    keep_worst(all, "max_abs_reference", expected.abs().max().item<double>());
    keep_worst(all, "tolerance", tolerance);
}

inline std::string short_number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

inline void require_member(bool legal, const char* member, double value, const char* expected) {
    if (!legal)
        throw input_error(std::string{"accuracy: "} + member + " is " + short_number(value) + ": give " + expected);
}

/// Throws input_error for an invalid member.
inline void check_accuracy(const accuracy& how) {
    const auto is_share = [](double x) { return x >= 0 && x <= 1; };
    require_member(std::isfinite(how.tolerance) && how.tolerance >= 0, "tolerance", how.tolerance,
                   "a number of at least 0, such as 0.01, or leave it out to use the default of the dtype");
    require_member(std::isfinite(how.absolute) && how.absolute >= 0, "absolute", how.absolute,
                   "a number of at least 0, such as 1e-6, or leave it out to use a default by the outputs' size");
    require_member(std::isfinite(how.multiplier) && (how.multiplier == 0 || how.multiplier >= 1), "multiplier",
                   how.multiplier,
                   "a number of at least 1, such as 10, or leave it out to use a default by dtype and size");
    require_member(is_share(how.cosine), "cosine", how.cosine,
                   "a similarity above 0 and up to 1, such as 0.99, or leave it out");
    require_member(is_share(how.mask_overlap), "mask_overlap", how.mask_overlap,
                   "a share above 0 and up to 1, such as 0.99, or leave it out");
    require_member(how.runs >= 1, "runs", how.runs, "a number of at least 1, such as 3");
}

/// "float32"
inline std::string dtype_name(at::ScalarType type) { return std::string{c10::getDtypeNames(type).first}; }

/// "float32[1,1000]"
inline std::string described(const at::Tensor& x) {
    if (!x.defined()) return "undefined";
    std::string text = dtype_name(x.scalar_type());
    text += '[';
    for (const auto size : x.sizes()) text += std::to_string(size) + ',';
    if (text.back() == ',') text.pop_back();
    return text + ']';
}

/// "output 1", "gradient of conv1.weight"
inline std::string called(const named_tensor& x) {
    return (x.role == tensor_role::gradient ? "gradient of " : "") + x.name;
}

inline at::Tensor dense(const at::Tensor& x) { return x.defined() && x.layout() != at::kStrided ? x.to_dense() : x; }

/// The values as a contiguous tensor in CPU memory.
inline at::Tensor laid_out(const at::Tensor& x) {
    return dense(x).detach().resolve_conj().resolve_neg().cpu().contiguous();
}

/// Whether all elements have equal bits.
inline bool same_bits(const at::Tensor& x, const at::Tensor& y) {
    const at::Tensor a = laid_out(x), b = laid_out(y);
    return a.nbytes() == b.nbytes() &&
           (a.nbytes() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0);
}

/// How two tensors differ bit by bit, also in NaN and signs of zeros; empty if they do not.
inline std::string bit_difference(const at::Tensor& before, const at::Tensor& now) {
    if (!before.defined() && !now.defined()) return {};
    if (!before.defined() || !now.defined() || before.scalar_type() != now.scalar_type() ||
        before.sizes() != now.sizes()) {
        return described(now) + " instead of " + described(before);
    }
    if (same_bits(before, now)) return {};
    const at::Tensor a = laid_out(before), b = laid_out(now);
    const auto unequal = (a != b).sum().item<long>();
    if (unequal == 0) return "zeros have the other sign";
    return std::to_string(unequal) + " of " + std::to_string(a.numel()) + " elements differ, by at most " +
           short_number((wide(a) - wide(b)).abs().max().item<double>());
}

/// The first output that differs, "output 2, float32[4]: 1 of 4 elements differ, by at most 0.5"; empty if
/// none does.
inline std::string bit_difference(const named_tensors& before, const named_tensors& now) {
    if (before.size() != now.size())
        return std::to_string(now.size()) + " outputs instead of " + std::to_string(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (const std::string how = bit_difference(before[i].value, now[i].value); !how.empty())
            return called(before[i]) + ", " + described(before[i].value) + ": " + how;
    }
    return {};
}

}  // namespace perfspec::inline v0_2::detail
