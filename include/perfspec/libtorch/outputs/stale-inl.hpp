// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Whether outputs follow the values of the inputs. A model that knows its input by its address, and returns what it computed for that before,
// agrees with any reference and takes no time; it may even return a copy. So the tensors that are timed get other values.

#include <perfspec/libtorch/outputs/bits-inl.hpp>

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cstddef>

namespace perfspec::detail {

/// The results of one model on the inputs as they are, and on other values in the same tensors.
struct results_on_two {
    const named_tensors& own;
    const named_tensors& other;
};

/// Where a result changed by more than 1 % of its largest value: more than a dtype of 8 bits rounds away.
inline at::Tensor clearly_changed(const at::Tensor& own, const at::Tensor& other) {
    if (!own.is_floating_point() && !own.is_complex()) return own != other;
    const at::Tensor before = wide(own);
    return (wide(other) - before).abs() > 0.01 * before.abs().max();
}

/// Whether most of what changes in a result of `follows` is the same bit by bit in that of `x`.
inline bool is_stale_output(const at::Tensor& x_own, const at::Tensor& x_other, const at::Tensor& own, const at::Tensor& other) {
    for (const at::Tensor* each : {&x_own, &x_other, &own, &other})
        if (!each->defined() || each->numel() == 0 || each->sizes() != own.sizes()) return false;
    const at::Tensor changed = clearly_changed(laid_out(own), laid_out(other));
    const at::Tensor stayed = changed.logical_and(laid_out(x_own) == laid_out(x_other));
    return 2 * stayed.sum().item<std::int64_t>() > changed.sum().item<std::int64_t>();
}

/// Whether an output of `x` stays where the same output of `follows` changes.
inline bool is_stale(const results_on_two& x, const results_on_two& follows) {
    const std::size_t count = std::min({x.own.size(), x.other.size(), follows.own.size(), follows.other.size()});
    for (std::size_t i = 0; i < count; ++i)
        if (is_stale_output(x.own[i].value, x.other[i].value, follows.own[i].value, follows.other[i].value)) return true;
    return false;
}

}  // namespace perfspec::detail
