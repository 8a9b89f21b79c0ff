// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/cuda.hpp>, in one translation unit. They need the CUDA runtime library, but no CUDA compiler.

#include <perfspec/cuda/copy/cuda_copy-inl.hpp>
#include <perfspec/cuda/cuda_memory-inl.hpp>
#include <perfspec/cuda/cuda_work-inl.hpp>
#include <perfspec/cuda/kernels/kernel_recorder-inl.hpp>
#include <perfspec/cuda/on_stream-inl.hpp>
#include <perfspec/cuda/roofline-inl.hpp>
#include <perfspec/cuda/runtime/cuda_runtime-inl.hpp>
#include <perfspec/cuda/runtime/cuda_stream-inl.hpp>
#include <perfspec/cuda/timing/device_timer-inl.hpp>
#include <perfspec/cuda/timing/given_streams-inl.hpp>
#include <perfspec/cuda/timing/other_streams-inl.hpp>
#include <perfspec/cuda/timing/sm_clock-inl.hpp>
