// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy-inl.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace perfspec::detail {

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

/// The values one after another in CPU memory.
inline at::Tensor laid_out(const at::Tensor& x) {
    return dense(x).detach().resolve_conj().resolve_neg().cpu().contiguous();
}

/// Whether both hold the same bits, one element after another.
inline bool same_bits(const at::Tensor& x, const at::Tensor& y) {
    const at::Tensor a = laid_out(x), b = laid_out(y);
    return a.nbytes() == b.nbytes() &&
           (a.nbytes() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0);
}

/// How two tensors differ bit by bit; empty if they do not. NaN, and zeros of either sign, are compared by their bits.
inline std::string bit_difference(const at::Tensor& before, const at::Tensor& now) {
    if (!before.defined() && !now.defined()) return {};
    if (!before.defined() || !now.defined() || before.scalar_type() != now.scalar_type() ||
        before.sizes() != now.sizes()) {
        return described(now) + " where it was " + described(before);
    }
    if (same_bits(before, now)) return {};
    const at::Tensor a = laid_out(before), b = laid_out(now);
    const auto unequal = (a != b).sum().item<long>();
    if (unequal == 0) return "zeros of the other sign";
    return "other values in " + std::to_string(unequal) + " of " + std::to_string(a.numel()) +
           " elements, by at most " + short_number((wide(a) - wide(b)).abs().max().item<double>());
}

/// The first output that differs, "output 2, float32[4]: other values in 1 of 4 elements, by at most 0.5"; empty if
/// none does.
inline std::string bit_difference(const named_tensors& before, const named_tensors& now) {
    if (before.size() != now.size())
        return std::to_string(now.size()) + " outputs where there were " + std::to_string(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (const std::string how = bit_difference(before[i].value, now[i].value); !how.empty())
            return called(before[i]) + ", " + described(before[i].value) + ": " + how;
    }
    return {};
}

}  // namespace perfspec::detail
