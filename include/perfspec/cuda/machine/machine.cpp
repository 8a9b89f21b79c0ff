// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What NVIDIA's driver tells of the GPUs of this machine, and the kernels in traces, in one translation unit. It loads
// the driver while the program runs, so it needs no toolkit.

#include <perfspec/cuda/machine/cuda_driver-inl.hpp>
#include <perfspec/cuda/machine/gpu_machine-inl.hpp>
#include <perfspec/cuda/machine/kernel_times-inl.hpp>
#include <perfspec/cuda/machine/nvml-inl.hpp>

/// Never destroyed: claims may be judged after main.
static perfspec::device_machine* const gpus_of_this_process = perfspec::known_device_machine() =
    new perfspec::gpu_machine(perfspec::detail::grant_of_this_process());

/// A program that calls nothing of this file has it all the same: its linker is told to look for this name.
extern "C" bool perfspec_knows_gpus() noexcept;
bool perfspec_knows_gpus() noexcept { return gpus_of_this_process != nullptr; }
