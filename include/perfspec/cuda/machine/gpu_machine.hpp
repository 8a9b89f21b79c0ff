// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_machine.hpp>
#include <perfspec/cuda/machine/cuda_driver.hpp>
#include <perfspec/cuda/machine/granted_gpus.hpp>
#include <perfspec/cuda/machine/nvml.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace perfspec {

/// The GPUs of this machine, as NVIDIA's driver and its management library tell of them. Each is loaded when it is
/// first needed. Nothing changes a setting.
class gpu_machine final : public device_machine {
public:
    /// granted  by ctest to this process
    explicit gpu_machine(granted_gpus granted = {}) : granted_(std::move(granted)) {}
    /// Tests script the functions.
    explicit gpu_machine(detail::cuda_driver driver,
                         detail::nvml_library nvml = {.fault = "no management library was asked"},
                         granted_gpus granted = {})
        : driver_(std::move(driver)), nvml_(std::move(nvml)), granted_(std::move(granted)) {}

    /// How many GPUs CUDA numbers in this process, from "cuda:0" on. CUDA_VISIBLE_DEVICES may hide others.
    [[nodiscard]] gpu_count count();

    /// The facts of a GPU by its number in CUDA, "cuda:1". Each is asked for once: a GPU does not change while a
    /// program uses it.
    [[nodiscard]] const gpu_identity& of_cuda(int ordinal);

    /// What that GPU does now, as NVML tells.
    ///
    /// since_microseconds  `computing_until` of an earlier reading: processes that computed only before are left out
    [[nodiscard]] gpu_reading state_of_cuda(int ordinal, std::uint64_t since_microseconds = 0);

    /// As the driver tells them. Nothing else is asked: /proc names whole GPUs, and the device may be a slice of one.
    [[nodiscard]] device_facts facts(const std::string& device, const file_system& files) override;
    [[nodiscard]] std::unique_ptr<device_watch> watch(const std::string& device) override;
    [[nodiscard]] std::string reason_unwatched(const std::string& device) override;
    void require_granted() override;
    [[nodiscard]] std::string examine() override;

private:
    std::optional<detail::cuda_driver> driver_;
    std::optional<detail::nvml_library> nvml_;
    granted_gpus granted_;
    std::map<int, gpu_identity> known_;
};

}  // namespace perfspec
