// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/libtorch.hpp>, one unit: LibTorch's headers are dear. None may use fmt: LibTorch ships another one.

#include <perfspec/libtorch/applied_settings.ipp>
#include <perfspec/libtorch/compare_outputs.ipp>
#include <perfspec/libtorch/device_recorder.ipp>
#include <perfspec/libtorch/golden_bits.ipp>
#include <perfspec/libtorch/judge_outputs.ipp>
#include <perfspec/libtorch/layers.ipp>
#include <perfspec/libtorch/on_device.ipp>
#include <perfspec/libtorch/operator_recorder.ipp>
#include <perfspec/libtorch/package.ipp>
#include <perfspec/libtorch/stream_set.ipp>
#include <perfspec/libtorch/streams.ipp>
#include <perfspec/libtorch/torch_settings.ipp>
#include <perfspec/libtorch/torch_subject.ipp>
#include <perfspec/libtorch/torch_version.ipp>
#include <perfspec/libtorch/verify.ipp>

#include <perfspec/libtorch/aot_inductor.ipp>
#include <perfspec/libtorch/torchscript.ipp>
#include <perfspec/libtorch/train.ipp>
