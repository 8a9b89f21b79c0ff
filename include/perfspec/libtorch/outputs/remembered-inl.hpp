// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Whether a model computes what it returns. One that returns a tensor which an earlier call computed agrees with any reference, and takes
// no time. A model may also keep a tensor to write its result there in each call. To tell the two apart, the values of a result that
// somebody keeps are destroyed, and the model runs again.

#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/writable-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <vector>

namespace perfspec::detail {

/// Whether a result has values that may be destroyed, and somebody else has it too: another tensor object shares its memory, or this one.
inline bool is_kept_elsewhere(const named_tensors& results, const at::Tensor& tensor) {
    if (!may_be_changed(tensor)) return false;
    const auto shares = [&](const named_tensor& each) { return each.value.defined() && memory_of(each.value) == memory_of(tensor); };
    const auto own = static_cast<std::size_t>(std::ranges::count_if(results, shares));
    return tensor.use_count() > own || tensor.storage().use_count() > own;
}

/// Whether the memory is that of an input, a parameter or a buffer of the model, which nobody may destroy.
inline bool is_given(const torch_body& body, const tensor_list& inputs, const at::Tensor& tensor) {
    const auto shares = [&](const at::Tensor& each) { return each.defined() && memory_of(each) == memory_of(tensor); };
    const auto within = [&](const std::function<tensor_list()>& list) { return list && std::ranges::any_of(list(), shares); };
    return std::ranges::any_of(inputs, shares) || within(body.model.state) || within(body.model.held);
}

/// Gives every value of a tensor another one: NaN where it can hold that.
inline void destroy_values(const at::Tensor& tensor) {
    const writing_scope writing(tensor);
    if (tensor.is_floating_point() || tensor.is_complex()) tensor.fill_(std::numeric_limits<double>::quiet_NaN());
    else if (tensor.scalar_type() == at::kBool) tensor.logical_not_();
    else tensor.add_(1);
}

/// A result whose values are destroyed, and what they were. Several may share memory: make all of them, then destroy all, then look at all.
struct destroyed_result {
    at::Tensor tensor;
    at::Tensor before;
    at::Tensor after;

    explicit destroyed_result(const at::Tensor& result) : tensor(result.detach()), before(tensor.clone()) {}
    void destroy() const { destroy_values(tensor); }
    void look() { after = tensor.clone(); }
    void restore() const { write_values(tensor, before); }
    /// Whether a later result lies in the same memory, and holds the destroyed values still.
    [[nodiscard]] bool is_returned_again(const at::Tensor& later) const {
        if (!later.defined() || memory_of(later) != memory_of(tensor) || later.sizes() != tensor.sizes()) return false;
        if (tensor.is_floating_point() || tensor.is_complex())
            return at::isnan(later).all().item<bool>() && !at::isnan(before).all().item<bool>();
        return at::equal(later, after) && !at::equal(before, after);
    }
};

/// Whether all that a run returned had been computed before it. `results` are its own, not copies; their values are the same afterwards.
///
/// inputs  what it ran on
/// again   runs the model once more on the same values
template <class Again>
bool are_remembered(const torch_body& body, const tensor_list& inputs, const named_tensors& results, const Again& again) {
    const auto with_values = std::ranges::count_if(results, [](const named_tensor& x) { return x.value.defined() && x.value.numel() > 0; });
    if (body.model.trains || with_values == 0) return false;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (is_kept_elsewhere(results, results[i].value) && !is_given(body, inputs, results[i].value)) kept.push_back(i);
    if (static_cast<std::ptrdiff_t>(kept.size()) != with_values) return false;
    std::vector<destroyed_result> destroyed;
    bool remembered = false;
    try {
        for (const std::size_t i : kept) destroyed.emplace_back(results[i].value);
        for (const destroyed_result& each : destroyed) each.destroy();
        for (destroyed_result& each : destroyed) each.look();
        const named_tensors later = again();
        remembered = later.size() == results.size();
        for (std::size_t n = 0; n < kept.size() && remembered; ++n) remembered = destroyed[n].is_returned_again(later[kept[n]].value);
    } catch (const std::exception&) { remembered = false; }  // values that cannot be destroyed, or a model that runs once
    for (const destroyed_result& each : destroyed) each.restore();
    return remembered;
}

}  // namespace perfspec::detail
