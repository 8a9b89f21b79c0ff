// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/gpu_facts.hpp>
#include <perfspec/cuda/machine/gpu_state.hpp>

#include <cstdint>
#include <string>

namespace perfspec::detail {

/// nvmlProcessInfo_t of the functions with the ending _v3.
struct nvml_holder {
    unsigned pid{};
    unsigned long long bytes{};
    unsigned gpu_instance{};
    unsigned compute_instance{};
};

/// nvmlProcessUtilizationSample_t.
struct nvml_use {
    unsigned pid{};
    unsigned long long microseconds{};
    unsigned multiprocessors{};  ///< percentages
    unsigned memory{};
    unsigned encoder{};
    unsigned decoder{};
};

/// nvmlViolationTime_t.
struct nvml_violation {
    unsigned long long until_microseconds{};
    unsigned long long nanoseconds{};
};

/// The functions of NVIDIA's management library that tell what a GPU does. Nothing here changes a setting. Tests script
/// them. A function that the library lacks is null.
///
/// Source: NVML API reference, "Device Queries"; the names are those of its binary interface. So its header is not
/// needed.
struct nvml_library {
    using device = void*;

    int (*init)(){};
    const char* (*error_string)(int error){};
    int (*by_uuid)(const char* uuid, device* found){};
    int (*by_bus_id)(const char* bus_id, device* found){};
    int (*clock)(device gpu, unsigned which, unsigned* mhz){};
    int (*max_clock)(device gpu, unsigned which, unsigned* mhz){};
    int (*set_clock)(device gpu, unsigned which, unsigned* mhz){};
    int (*default_clock)(device gpu, unsigned which, unsigned* mhz){};
    int (*temperature)(device gpu, unsigned sensor, unsigned* celsius){};
    int (*power)(device gpu, unsigned* milliwatts){};
    int (*power_limit)(device gpu, unsigned* milliwatts){};
    int (*persistence)(device gpu, int* is_on){};
    int (*reasons)(device gpu, unsigned long long* bits){};
    int (*held_back)(device gpu, int policy, nvml_violation* so_long){};
    int (*holders)(device gpu, unsigned* count, nvml_holder* all){};
    int (*uses)(device gpu, nvml_use* all, unsigned* count, unsigned long long since_microseconds){};
    std::string fault{};  ///< why the library cannot be loaded; then all functions are null
};

/// The library of this machine, "libnvidia-ml.so.1", or the one at a path. Never throws for a missing one.
[[nodiscard]] nvml_library load_nvml(const std::string& library = "libnvidia-ml.so.1");

/// What the library tells now of the GPU with these facts, by its unique name, or by its place on the bus. Clocks, heat
/// and power of a slice are those of its GPU.
///
/// since_microseconds  processes that computed before this moment, by the clock of the driver, are left out; 0: none is
[[nodiscard]] gpu_reading read_gpu_state(const nvml_library& library, const gpu_facts& of,
                                         std::uint64_t since_microseconds = 0);

}  // namespace perfspec::detail
