// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <memory>

namespace vision {

/// Fills every parameter and buffer of a model from one seed, so that two processes build the same model without a
/// file.
///
/// Convolutions and linear layers: normal, standard deviation sqrt(2 / fan_in), small biases. Batch norms: scales,
/// shifts and running statistics all away from 1 and 0, because an identity batch norm hides errors in folding it.
/// The global random generator is neither read nor moved. Modules of other types with parameters of their own keep
/// them. Source: He et al., "Delving Deep into Rectifiers" (2015), eq. 10, with the mode "fan_in": it keeps activations
/// finite in networks with many concatenations, where "fan_out" overflows.
void initialize(torch::nn::Module& model, std::uint64_t seed);

/// Puts the global random generator back to where it was; the constructors of layers draw from it.
class keep_global_generator {
public:
    keep_global_generator();
    ~keep_global_generator();
    keep_global_generator(const keep_global_generator&) = delete;
    keep_global_generator& operator=(const keep_global_generator&) = delete;

private:
    at::Tensor state_;
};

/// A network in eval mode with the weights of a seed.
template <class Network> [[nodiscard]] std::shared_ptr<Network> made_from(std::uint64_t seed) {
    const keep_global_generator untouched;
    auto model = std::make_shared<Network>();
    initialize(*model, seed);
    model->eval();
    return model;
}

}  // namespace vision
