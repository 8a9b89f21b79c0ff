// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/queries.hpp>
#include <perfspec/libtorch/subjects/torch_model.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace torch::optim {
class Optimizer;
}  // namespace torch::optim

namespace perfspec::detail {

/// What is put back of an optimizer.
struct kept_optimizer {
    std::function<void()> put_back{};  ///< before a sample: learning rates, and state if there is any that was saved
    std::function<void()>
        after_sample{};  ///< saves the state after the first sample, and puts everything back after later ones
};

/// How a step scales its loss: values of `torch.amp.GradScaler`.
struct loss_scale {
    at::Tensor scale;
    at::Tensor steps_without_overflow;
};

/// The ends of iterations, where the optimizer steps or is left out.
struct counted_updates {
    std::uint64_t all{};
    std::uint64_t left_out{};  ///< because a gradient was not finite
};

/// What a training step consists of; the subject shares it with its body.
struct training_step {
    tensor_list inputs{};
    tensor_list parameters{};
    std::vector<std::string> parameter_names{};
    tensor_list buffers{};
    tensor_list saved{};  ///< values of parameters and buffers, from the start of the first sample on
    std::function<void(const tensor_list& inputs)> forward{};
    std::function<at::Tensor()> loss{};  ///< of what forward left
    std::function<void()> update{};      ///< the optimizer's step; empty: none
    kept_optimizer kept{};
    std::function<std::function<void()>()> make_schedule{};  ///< empty: none
    std::function<void()> schedule{};                        ///< the step of the sample's own
    unsigned passes{1};                                      ///< of forward, loss and backward before an update
    double initial_scale{};                                  ///< of the loss; 0: it is not scaled
    loss_scale scaling{};
    counted_updates updates{};   ///< since they were last told
    bool drops_gradients{true};  ///< in each iteration, before forward
};

/// Keeps what the optimizer keeps from step to step: of each parameter, and its options.
[[nodiscard]] kept_optimizer keep_optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer);

/// Throws input_error for an optimizer of a parameter that the step's module lacks: nothing would put it back.
void require_own_parameters(const subject& of, const training_step& step, const torch::optim::Optimizer& optimizer);

[[nodiscard]] torch_model trained(const std::shared_ptr<training_step>& step);

/// The phases of a step that a subject runs as a whole. Throws input_error for a step of several passes.
[[nodiscard]] layered_subject phases_of(const subject& whole, const std::shared_ptr<training_step>& step);

/// Throws input_error for 0 passes.
void require_passes(const subject& step, unsigned passes);
/// Throws input_error for a scale that is no finite number above 0.
void require_scale(const subject& step, double scale);

}  // namespace perfspec::detail
