// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace fake {

/// A function as a module for `eager`, without the 20 seconds of compiling torch::nn.
struct module {
    std::function<at::Tensor(const at::Tensor&)> function;
    std::vector<at::Tensor> state;

    at::Tensor forward(const at::Tensor& x) { return function(x); }
    std::vector<at::Tensor> parameters() const { return state; }
    std::vector<at::Tensor> buffers() const { return {}; }
};

/// A subject around a function of one tensor.
inline perfspec::subject named_model(std::string_view name, const at::Tensor& input,
                                     std::function<at::Tensor(const at::Tensor&)> function) {
    return perfspec::eager(name, std::make_shared<module>(module{std::move(function), {}}), input);
}
inline perfspec::subject model(const at::Tensor& input, std::function<at::Tensor(const at::Tensor&)> function,
                               std::vector<at::Tensor> state = {}) {
    return perfspec::eager("fake", std::make_shared<module>(module{std::move(function), std::move(state)}), input);
}

/// The adapter's verification of both outputs.
inline perfspec::verification verify(const perfspec::subject& reference, const perfspec::subject& candidate) {
    return reference.state().functions->same_output(reference.storage(), candidate.storage());
}

}  // namespace fake
