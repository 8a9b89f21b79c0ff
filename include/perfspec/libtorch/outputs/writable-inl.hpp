// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Tensors of others, whose values are changed for a moment and put back.

#include <perfspec/libtorch/tensors.hpp>

#include <ATen/MemoryOverlap.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

namespace perfspec::detail {

/// Lets tensors be written to, whatever they were made for.
class writing_scope {
public:
    explicit writing_scope(const at::Tensor& tensor) : inference_(tensor.is_inference()) {}

private:
    c10::InferenceMode inference_;
    c10::AutoGradMode no_gradients_{false};
};

inline const void* memory_of(const at::Tensor& tensor) { return tensor.has_storage() ? tensor.storage().data() : nullptr; }

/// Whether values may be changed and put back: each has memory of its own, which LibTorch allocated. Other memory may be read-only.
inline bool may_be_changed(const at::Tensor& tensor) {
    return tensor.defined() && tensor.has_storage() && !tensor.is_quantized() && tensor.numel() > 0 && tensor.storage().resizable() &&
           at::has_internal_overlap(tensor) == at::MemOverlap::No;
}

/// Sets the values of a tensor to those of another one, unseen by what PyTorch knows of its gradients.
inline void write_values(const at::Tensor& tensor, const at::Tensor& values) {
    const writing_scope writing(tensor);
    tensor.variable_data().copy_(values);
}

}  // namespace perfspec::detail
