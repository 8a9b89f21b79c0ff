// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/settings/torch_settings.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Applies settings of PyTorch in this process and thread as long as this object lives. Then it restores the old ones.
class applied_settings {
public:
    applied_settings(const torch_settings& wanted, c10::DeviceType device);
    applied_settings(const applied_settings&) = delete;
    applied_settings& operator=(const applied_settings&) = delete;

private:
    void be_deterministic(bool wanted);
    void cast_automatically(at::ScalarType wanted, c10::DeviceType device);

    /// Runs its functions from the last to the first, also where a later setting throws.
    struct undo_list : std::vector<std::function<void()>> {
        ~undo_list() {
            std::for_each(rbegin(), rend(), [](const auto& undo) { undo(); });
        }
    };
    undo_list undo_;
};

/// Saves the state of the random numbers of the CPU and of a device when it is made, and restores it when it is
/// destroyed.
class kept_random_numbers {
public:
    explicit kept_random_numbers(c10::Device device);
    kept_random_numbers(const kept_random_numbers&) = delete;
    kept_random_numbers& operator=(const kept_random_numbers&) = delete;
    ~kept_random_numbers();

private:
    struct kept {
        at::Generator generator;
        at::Tensor state;
    };
    std::vector<kept> all_;
};

/// Tensors on another device, or in another dtype or memory format, which can replace a model's own.
class converted_tensors {
public:
    converted_tensors(const tensor_list& originals, const torch_settings& wanted);

    void put_in() const;
    void put_back() const;

private:
    struct replacement {
        at::Tensor tensor;  ///< the module's handle
        at::Tensor original;
        at::Tensor converted;
    };
    std::vector<replacement> all_;
};

/// A copy on the wanted device, in the wanted dtype and memory format; the tensor itself where nothing changes.
[[nodiscard]] at::Tensor converted(const at::Tensor& tensor, const torch_settings& wanted);
[[nodiscard]] tensor_list converted(const tensor_list& tensors, const torch_settings& wanted);

[[nodiscard]] inline bool converts(const torch_settings& s) noexcept { return s.dtype || s.channels_last || s.device; }

/// The earlier settings, replaced where the later ones give a value.
[[nodiscard]] torch_settings united(torch_settings earlier, const torch_settings& later);

/// Why the settings are not possible on that device with those inputs; empty where they are.
[[nodiscard]] std::string why_not_applicable(const torch_settings& wanted, c10::Device device,
                                             const tensor_list& inputs);

}  // namespace perfspec::detail
