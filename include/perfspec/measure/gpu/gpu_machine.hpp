// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/cuda_driver.hpp>
#include <perfspec/measure/gpu/gpu_facts.hpp>
#include <perfspec/measure/gpu/gpu_state.hpp>
#include <perfspec/measure/gpu/nvml.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace perfspec {

/// The GPUs of this machine, as NVIDIA's driver and its management library tell of them. Each is loaded when it is
/// first needed. Nothing changes a setting.
class gpu_machine {
public:
    gpu_machine() = default;
    /// Tests script the functions.
    explicit gpu_machine(detail::cuda_driver driver,
                         detail::nvml_library nvml = {.fault = "no management library was asked"})
        : driver_(std::move(driver)), nvml_(std::move(nvml)) {}

    /// How many GPUs CUDA numbers in this process, from "cuda:0" on. CUDA_VISIBLE_DEVICES may hide others.
    [[nodiscard]] gpu_count count();

    /// The facts of a GPU by its number in CUDA, "cuda:1". Each is asked for once: a GPU does not change while a
    /// program uses it.
    [[nodiscard]] const gpu_identity& of_cuda(int ordinal);

    /// What that GPU does now, as NVML tells.
    ///
    /// since_microseconds  `computing_until` of an earlier reading: processes that computed only before are left out
    [[nodiscard]] gpu_reading state_of_cuda(int ordinal, std::uint64_t since_microseconds = 0);

private:
    std::optional<detail::cuda_driver> driver_;
    std::optional<detail::nvml_library> nvml_;
    std::map<int, gpu_identity> known_;
};

}  // namespace perfspec
