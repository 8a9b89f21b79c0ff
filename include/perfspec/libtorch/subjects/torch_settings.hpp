// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <optional>

namespace perfspec {

/// PyTorch's settings while one subject runs. What is not given stays as the program has it. Each that is given is an axis of the subject.
struct torch_settings {
    std::optional<int> threads{};              ///< `at::set_num_threads`, 1 to 1024
    std::optional<at::ScalarType> dtype{};     ///< of floating-point inputs, parameters and buffers, such as `at::kBFloat16`
    std::optional<at::ScalarType> autocast{};  ///< operators that gain by it run in this dtype
    std::optional<bool> channels_last{};       ///< memory format of inputs and parameters of four dimensions
    std::optional<bool> onednn{};              ///< whether CPU operators may use oneDNN
    std::optional<bool> deterministic{};       ///< deterministic algorithms only; an operator that has none throws
    std::optional<bool> tf32{};                ///< CUDA: matrix products and convolutions in TF32
    std::optional<bool> cudnn_benchmark{};     ///< CUDA: cuDNN tries algorithms in the first calls
};

inline namespace language {

/// The same model under settings of its own: another subject, with an axis for each, `latency(eager) threads=2`. In a query whose subjects differ in a
/// setting it stands behind their names instead: `speedup(eager threads=1, eager threads=2)`.
///
/// They are set before each sample and put back after it, outside the clock, so that subjects with unlike settings share rounds. For `dtype` and
/// `channels_last` copies of parameters and buffers are made when the model first runs, and take the place of the module's own during a sample;
/// what changes in the module later is not seen. Autocast converts parameters in every iteration, as leaving its scope each time does.
///
/// What this machine or build lacks (TF32 on a CPU, oneDNN where LibTorch has none, channels_last without an input of four dimensions) makes
/// every claim *not judged*, with the reason, so that a sweep runs everywhere.
/// Throws `input_error` for a subject that is not LibTorch's, no setting at all, threads below 1 or above 1024, a dtype that is not floating point, and a dtype
/// or memory format of a model whose parameters cannot be converted: a compiled package, or one that is trained.
///
///     const int threads = GENERATE(1, 2);
///     auto model = configured(eager("eager", net, input), {.threads = threads, .autocast = at::kBFloat16});
[[nodiscard]] subject configured(const subject& x, const torch_settings& settings);

}  // namespace language
}  // namespace perfspec
