// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <optional>

namespace perfspec {

/// PyTorch's settings while one subject runs. A setting that is not given stays as the program has it. Each given one
/// is an axis of the subject.
struct torch_settings {
    std::optional<int> threads{};  ///< `at::set_num_threads`, 1 to 1024
    std::optional<at::ScalarType>
        dtype{};  ///< of floating-point inputs, parameters and buffers, such as `at::kBFloat16`
    std::optional<at::ScalarType> autocast{};  ///< operators that profit from it run in this dtype
    std::optional<bool> channels_last{};       ///< memory format of inputs and parameters of four dimensions
    std::optional<bool> onednn{};              ///< whether CPU operators may use oneDNN
    std::optional<bool> deterministic{};       ///< deterministic algorithms only; an operator that has none throws
    std::optional<bool> tf32{};                ///< CUDA: matrix products and convolutions in TF32
    std::optional<bool> cudnn_benchmark{};     ///< CUDA: cuDNN tries algorithms in the first calls
    std::optional<c10::Device> device{};       ///< of inputs, parameters and buffers, such as `at::Device{"cuda:1"}`

    friend bool operator==(const torch_settings&, const torch_settings&) = default;
};

inline namespace language {

/// The same model under its own settings. The result is another subject, with an axis for each setting: `latency(eager)
/// threads=2`. Where the subjects of a query differ in a setting, it follows their names instead: `speedup(eager
/// threads=1, eager threads=2)`.
///
/// Settings are applied before each sample and restored after it, outside the clock, so subjects with different
/// settings can share rounds. For `device`, `dtype` and `channels_last`, parameters and buffers are copied when the
/// model first runs, and anew when outputs are compared. The copies replace the module's own during a sample, so other
/// changes in the module have no effect. Autocast converts parameters in every iteration, as leaving its scope each
/// time does.
///
/// What this machine or build lacks (a device, TF32 on a CPU, oneDNN where LibTorch has none, channels_last without an
/// input of four dimensions) makes every claim *not judged*, with the reason. So a sweep runs everywhere. Throws
/// `input_error` for a subject that is not LibTorch's, no setting at all, threads below 1 or above 1024, a dtype that
/// is not floating point, and an autocast to a dtype other than bfloat16 and float16. It also throws for a device,
/// dtype or memory format where the model's parameters cannot be converted: a compiled package, or a model that is
/// trained.
///
///     const int threads = GENERATE(1, 2);
///     auto model = configured(eager("eager", net, input), {.threads = threads, .autocast = at::kBFloat16});
[[nodiscard]] subject configured(const subject& x, const torch_settings& settings);

}  // namespace language
}  // namespace perfspec
