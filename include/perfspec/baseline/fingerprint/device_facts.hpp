// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

class gpu_machine;

/// What a device is, for the baselines of work on it.
struct device_facts {
    std::string model{};         ///< "NVIDIA H100 80GB HBM3", of a slice with its MIG profile; empty where unknown
    std::string hardware_key{};  ///< `nvidia-h100-80gb-hbm3`; `unknown-cuda` where its model is unknown
    std::string fault{};         ///< why its model is unknown; empty where it is known
    std::vector<versioned_library>
        libraries{};  ///< what else may change its speed: memory, ECC, compute capability, CUDA of its driver

    friend bool operator==(const device_facts&, const device_facts&) = default;
};

namespace detail {

/// The number of "cuda:1"; 0 for "cuda".
[[nodiscard]] int ordinal_of(std::string_view device);

}  // namespace detail

/// The facts of the device that a subject works on, "cuda:1", as the driver tells them. Nothing else is asked: /proc
/// names whole GPUs, and the device may be a slice of one.
///
/// gpus  may be null: then the model is unknown
[[nodiscard]] device_facts describe_device(std::string_view device, gpu_machine* gpus);

/// The facts as entries of a fingerprint: the model is `GPU`. Of several devices each has its name, `GPU of cuda:1`.
[[nodiscard]] std::vector<versioned_library> libraries_of(const device_facts& facts, std::string_view of_device = {});

}  // namespace perfspec
