// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/fence_begin.hpp>
// The fence stands between.
#include <ATen/core/Tensor.h>
// The fence stands between.
#include <perfspec/libtorch/fence_end.hpp>

#include <initializer_list>
#include <utility>
#include <vector>

namespace perfspec {

/// Tensors that a model takes or returns, in order. One tensor converts, and so does a list: `{tokens, mask}`.
struct tensor_list : std::vector<at::Tensor> {
    using vector::vector;
    tensor_list(at::Tensor one) : vector{std::move(one)} {}  // NOLINT(google-explicit-constructor): one input is the usual case
    tensor_list(std::vector<at::Tensor> all) : vector(std::move(all)) {}  // NOLINT(google-explicit-constructor): what models return
};

}  // namespace perfspec
