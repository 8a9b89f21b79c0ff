// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/libtorch.hpp>, in one translation unit because LibTorch's headers compile slowly. They must
// not use fmt: LibTorch ships another version of it.

#include <perfspec/libtorch/graphs/device_graph-inl.hpp>
#include <perfspec/libtorch/graphs/model_graph-inl.hpp>
#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/judge_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/verify-inl.hpp>
#include <perfspec/libtorch/packages/package-inl.hpp>
#include <perfspec/libtorch/recorders/layers-inl.hpp>
#include <perfspec/libtorch/recorders/operation_recorder-inl.hpp>
#include <perfspec/libtorch/recorders/operator_recorder-inl.hpp>
#include <perfspec/libtorch/recorders/tensor_recorder-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings-inl.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/largest_batch-inl.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body-inl.hpp>
#include <perfspec/libtorch/subjects/torch_subject-inl.hpp>
#include <perfspec/libtorch/torch_version-inl.hpp>

#include <perfspec/libtorch/subjects/aot_inductor-inl.hpp>
#include <perfspec/libtorch/subjects/torchscript-inl.hpp>
#include <perfspec/libtorch/training/optimizer_state-inl.hpp>
#include <perfspec/libtorch/training/training_step-inl.hpp>
