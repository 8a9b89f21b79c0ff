// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Inputs of models: copies, and whether two lists are equal.

#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/MemoryOverlap.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfspec::detail {

/// Whether a tensor has values in memory, of which a row of elements can be made: not a sparse or a nested one.
inline bool is_strided(const at::Tensor& x) {
    return x.defined() && !x.is_nested() && x.layout() == at::kStrided && x.has_storage();
}

/// The same memory without repetition: a dimension that is expanded has one element.
inline at::Tensor unexpanded(at::Tensor x) {
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (x.stride(d) == 0 && x.size(d) > 1) x = x.narrow(d, 0, 1);
    return x;
}

/// A copy with the strides of the original, also where these leave gaps or expand: a kernel may read memory and not
/// look at strides. What lies in the gaps is not copied.
inline at::Tensor copy_as_laid_out(const at::Tensor& tensor) {
    const at::Tensor x = tensor.detach();
    const bool is_plain = is_strided(x) && !x.is_quantized() && !x.is_conj() && !x.is_neg();
    if (!is_plain || x.numel() == 0 || x.is_non_overlapping_and_dense()) return x.clone();
    std::int64_t reach = 1;
    for (std::int64_t d = 0; d < x.dim(); ++d) reach += (x.size(d) - 1) * x.stride(d);
    const at::Tensor copy = at::empty({reach}, x.options()).as_strided(x.sizes(), x.strides());
    if (at::has_internal_overlap(unexpanded(copy)) == at::MemOverlap::Yes) return x.clone();
    unexpanded(copy).copy_(unexpanded(x));
    return copy;
}

// forward() may change its inputs in place, and the next run needs the original ones.
inline tensor_list copies(const tensor_list& tensors) {
    tensor_list result;
    for (const at::Tensor& each : tensors) result.push_back(copy_as_laid_out(each));
    return result;
}

/// Whether both hold the same values. Of two floating-point dtypes, the coarser one decides.
inline bool equal_values(const at::Tensor& x, const at::Tensor& y) {
    if (x.is_same(y)) return true;  // also where it holds NaN
    const bool both_float = x.is_floating_point() && y.is_floating_point();
    if ((x.scalar_type() != y.scalar_type() && !both_float) || x.sizes() != y.sizes()) return false;
    const at::ScalarType dtype = coarser(x.scalar_type(), y.scalar_type());
    try {
        return at::equal(x.to(dtype), y.to(x.device()).to(dtype));
    } catch (const c10::Error&) {
        return same_bits(x, y);
    }  // a dtype that PyTorch cannot compare, such as float8_e4m3fn
}

inline bool equal_inputs(const torch_body& a, const torch_body& b) {
    return std::ranges::equal(a.inputs, b.inputs, equal_values);
}

}  // namespace perfspec::detail
