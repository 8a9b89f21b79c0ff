// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// PyTorch's settings while one subject runs. Without a value, the program's own setting holds. Each value is an axis
/// of the subject.
struct torch_settings {
    std::optional<int> threads{};  ///< `at::set_num_threads`, 1 to 1024
    /// Of floating-point inputs, parameters and buffers, such as `at::kBFloat16`.
    std::optional<at::ScalarType> dtype{};
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
/// threads=2`. If the subjects of a query differ in a setting, it follows their names instead: `speedup(eager
/// threads=1, eager threads=2)`.
///
/// Settings are applied before each sample and restored after it, outside the clock, so subjects with different
/// settings can share rounds. For `device`, `dtype` and `channels_last`, parameters and buffers are copied when the
/// model first runs, and again when outputs are compared. The copies replace the module's own during a sample, so later
/// changes of the module have no effect. Autocast converts parameters in every iteration, as if its scope ended.
///
/// Every claim is *skipped*, with the reason, if this machine or build lacks something: a device, TF32 on a CPU,
/// oneDNN, or an input of four dimensions for channels_last. So a sweep runs on every machine. Throws `input_error` for
/// a subject that is not LibTorch's, no setting at all, threads below 1 or above 1024, a dtype that is not floating
/// point, and an autocast to a dtype other than bfloat16 and float16. It also throws for a device, dtype or memory
/// format if the model's parameters cannot be converted: a compiled package, or a model that is trained.
///
///     const int threads = GENERATE(1, 2);
///     auto model = configured(eager("eager", net, input), {.threads = threads, .autocast = at::kBFloat16});
[[nodiscard]] subject configured(const subject& x, const torch_settings& settings);

}  // namespace language
}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// Applies settings of PyTorch in this process and thread for the life of this object, then restores the old ones.
class applied_settings {
public:
    applied_settings(const torch_settings& wanted, c10::DeviceType device);
    applied_settings(const applied_settings&) = delete;
    applied_settings& operator=(const applied_settings&) = delete;

private:
    void be_deterministic(bool wanted);
    void cast_automatically(at::ScalarType wanted, c10::DeviceType device);

    /// Runs its functions from the last to the first, also if a later setting throws.
    struct undo_list : std::vector<std::function<void()>> {
        ~undo_list() {
            std::for_each(rbegin(), rend(), [](const auto& undo) { undo(); });
        }
    };
    undo_list undo_;
};

/// Saves the state of the random numbers of the CPU and of a device in its constructor, and restores it in its
/// destructor.
class saved_random_numbers {
public:
    explicit saved_random_numbers(c10::Device device);
    saved_random_numbers(const saved_random_numbers&) = delete;
    saved_random_numbers& operator=(const saved_random_numbers&) = delete;
    ~saved_random_numbers();

    /// Seeds all generators.
    void seed(std::uint64_t seed);
    /// The states now.
    [[nodiscard]] tensor_list now() const;

private:
    struct saved {
        at::Generator generator;
        at::Tensor state;
    };
    std::vector<saved> all_;
};

/// Tensors on another device, or in another dtype or memory format, which can replace a model's own.
class converted_tensors {
public:
    converted_tensors(const tensor_list& originals, const torch_settings& wanted);

    void apply() const;
    void restore() const;

private:
    struct replacement {
        at::Tensor tensor;  ///< the module's handle
        at::Tensor original;
        at::Tensor converted;
    };
    std::vector<replacement> all_;
};

/// A copy with the wanted device, dtype and memory format; the tensor itself if nothing changes.
[[nodiscard]] at::Tensor converted(const at::Tensor& tensor, const torch_settings& wanted);
[[nodiscard]] tensor_list converted(const tensor_list& tensors, const torch_settings& wanted);

[[nodiscard]] inline bool converts(const torch_settings& s) noexcept { return s.dtype || s.channels_last || s.device; }

/// The earlier settings, overridden by values of the later ones.
[[nodiscard]] torch_settings united(torch_settings earlier, const torch_settings& later);

/// Why the settings are not possible on that device with those inputs; empty if they are.
[[nodiscard]] std::string why_not_applicable(const torch_settings& wanted, c10::Device device,
                                             const tensor_list& inputs);

}  // namespace perfspec::inline v0_2::detail
