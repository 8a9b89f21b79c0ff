// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Inputs of models: copies, whether two lists are equal, and other values for the same tensors.

#include <perfspec/libtorch/outputs/allowed_error-inl.hpp>
#include <perfspec/libtorch/outputs/bits-inl.hpp>
#include <perfspec/libtorch/outputs/writable-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/roll.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// A copy with the strides of the original, also where these leave gaps or expand: a kernel may read memory and not look at strides.
inline at::Tensor copy_as_laid_out(const at::Tensor& tensor) {
    const at::Tensor x = tensor.detach();
    const bool is_plain = x.layout() == at::kStrided && x.has_storage() && !x.is_quantized() && !x.is_conj() && !x.is_neg();
    if (!is_plain || x.numel() == 0 || x.is_non_overlapping_and_dense()) return x.clone();
    std::int64_t reach = 1;
    for (std::int64_t d = 0; d < x.dim(); ++d) reach += (x.size(d) - 1) * x.stride(d);
    return x.as_strided({reach}, {1}, x.storage_offset()).clone().as_strided(x.sizes(), x.strides());
}

// forward() may change its inputs in place, and the next run needs the original ones.
inline tensor_list copies(const tensor_list& tensors) {
    tensor_list result;
    for (const at::Tensor& each : tensors) result.push_back(copy_as_laid_out(each));
    return result;
}

inline tensor_list doubled(const tensor_list& tensors) {
    tensor_list result;
    for (const at::Tensor& each : tensors)
        result.push_back(each.is_floating_point() ? each.detach().to(at::kDouble, /*non_blocking=*/false, /*copy=*/true)
                                                  : each.detach().clone());
    return result;
}

inline bool same_bits(const at::Tensor& x, const at::Tensor& y) { return bit_difference(x, y).empty(); }

/// Whether both hold the same values. Of two floating-point dtypes, the coarser one decides.
inline bool equal_values(const at::Tensor& x, const at::Tensor& y) {
    if (x.is_same(y)) return true;  // also where it holds NaN
    const bool both_float = x.is_floating_point() && y.is_floating_point();
    if ((x.scalar_type() != y.scalar_type() && !both_float) || x.sizes() != y.sizes()) return false;
    const at::ScalarType dtype = coarser(x.scalar_type(), y.scalar_type());
    try {
        return at::equal(x.to(dtype), y.to(x.device()).to(dtype));
    } catch (const c10::Error&) { return same_bits(x, y); }  // a dtype that PyTorch cannot compare, such as float8_e4m3fn
}

inline bool equal_inputs(const torch_body& a, const torch_body& b) { return std::ranges::equal(a.inputs, b.inputs, equal_values); }

/// Other values that a model takes where it takes these: in another order, and smaller.
inline at::Tensor other_values(const at::Tensor& x) { return at::roll(x, 1) * 0.75; }

/// Puts other values into those tensors of two lists that hold floating-point numbers, as long as this object lives. Then the former values
/// are back. Integers stay: they may be indices, and a kernel may not look whether an index is legal.
class with_other_values {
public:
    with_other_values(const tensor_list& a, const tensor_list& b) : with_other_values() {  // so what throws here puts back what it changed
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            if (!can_change(a[i]) || !can_change(b[i])) continue;
            change(a[i]);
            if (memory_of(a[i]) != memory_of(b[i])) change(b[i]);
        }
    }
    ~with_other_values() {
        for (auto each = changed_.rbegin(); each != changed_.rend(); ++each) write_values(each->first, each->second);
    }
    with_other_values(const with_other_values&) = delete;
    with_other_values& operator=(const with_other_values&) = delete;

    [[nodiscard]] bool any() const noexcept { return !changed_.empty(); }

private:
    with_other_values() = default;

    /// What is expanded lies in memory once.
    static at::Tensor unexpanded(at::Tensor x) {
        for (std::int64_t d = 0; d < x.dim(); ++d)
            if (x.stride(d) == 0 && x.size(d) > 1) x = x.narrow(d, 0, 1);
        return x;
    }

    static bool can_change(const at::Tensor& x) {
        return x.layout() == at::kStrided && (x.is_floating_point() || x.is_complex()) && may_be_changed(unexpanded(x.detach()));
    }

    void change(const at::Tensor& tensor) {
        const c10::AutoGradMode no_gradients{false};
        const at::Tensor memory = unexpanded(tensor.detach());
        changed_.emplace_back(memory, memory.clone());
        write_values(memory, other_values(memory));
    }

    std::vector<std::pair<at::Tensor, at::Tensor>> changed_;  ///< and the former values
};

}  // namespace perfspec::detail
