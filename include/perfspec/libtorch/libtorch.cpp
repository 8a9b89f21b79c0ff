// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/libtorch.hpp>, one unit: LibTorch's headers are dear. None may use fmt: LibTorch ships another one.

#include <perfspec/libtorch/applied_settings-inl.hpp>
#include <perfspec/libtorch/compare_outputs-inl.hpp>
#include <perfspec/libtorch/device_recorder-inl.hpp>
#include <perfspec/libtorch/golden_bits-inl.hpp>
#include <perfspec/libtorch/judge_outputs-inl.hpp>
#include <perfspec/libtorch/layers-inl.hpp>
#include <perfspec/libtorch/on_device-inl.hpp>
#include <perfspec/libtorch/operator_recorder-inl.hpp>
#include <perfspec/libtorch/package-inl.hpp>
#include <perfspec/libtorch/stream_set-inl.hpp>
#include <perfspec/libtorch/streams-inl.hpp>
#include <perfspec/libtorch/torch_settings-inl.hpp>
#include <perfspec/libtorch/torch_subject-inl.hpp>
#include <perfspec/libtorch/torch_version-inl.hpp>
#include <perfspec/libtorch/verify-inl.hpp>

#include <perfspec/libtorch/aot_inductor-inl.hpp>
#include <perfspec/libtorch/torchscript-inl.hpp>
#include <perfspec/libtorch/train-inl.hpp>
