// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/fence_begin.hpp>
// This comment keeps the includes in this order.
#include <ATen/core/Tensor.h>
// This comment keeps the includes in this order.
#include <perfspec/libtorch/fence_end.hpp>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// Inputs or outputs of a model, in order. A single tensor converts to it, and so does a list: `{tokens, mask}`.
struct tensor_list : std::vector<at::Tensor> {
    using vector::vector;
    tensor_list(at::Tensor one)
        : vector{std::move(one)} {}  // NOLINT(google-explicit-constructor): one input is the usual case
    tensor_list(std::vector<at::Tensor> all)
        : vector(std::move(all)) {}  // NOLINT(google-explicit-constructor): what models return
};

namespace detail {

/// Whether the tensor is an output of a model or a gradient of its backward pass.
enum class tensor_role : unsigned char { output, gradient };

/// A tensor to compare. An undefined gradient counts as zeros.
struct named_tensor {
    std::string name;  ///< "output 1", "loss"; of a gradient, its parameter: "conv1.weight"
    at::Tensor value;
    tensor_role role{tensor_role::output};
};
using named_tensors = std::vector<named_tensor>;

/// "output 1", "output 2", …
[[nodiscard]] inline named_tensors numbered(const tensor_list& outputs) {
    named_tensors all;
    for (const at::Tensor& each : outputs) all.push_back({"output " + std::to_string(all.size() + 1), each});
    return all;
}

}  // namespace detail
}  // namespace perfspec::inline v0_2
