// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <string>
#include <string_view>

namespace perfspec {

/// A model that AOTInductor compiled beforehand into a package, loaded when it is first run, which `load_time(x)` measures.
///
/// package  a .pt2 file of examples/vision/export.py or `perfspec_aoti_package`, which write into it what it was compiled for.
/// inputs   one tensor, or several in a list, with the shapes and dtypes that it was exported with.
///
/// A package that is missing or broken, or was compiled for other threads, another processor, device, shapes or a newer PyTorch,
/// is never run: every claim on the subject is *invalid*, with the reason and the command that exports it anew. Broken is one in which a single
/// bit of any entry is not as it was written, which LibTorch does not notice; all of it is read for that before it is first loaded.
///
/// AOTInductor is PyTorch's compiler for C++ and for inference, not torch.compile; and eager C++ pays no Python. Its ratios are
/// smaller than those of a Python harness.
///
///     auto inductor = perfspec::aot_inductor("inductor", "resnet50.pt2", at::randn({1, 3, 224, 224}));
[[nodiscard]] subject aot_inductor(std::string_view name, const std::string& package, tensor_list inputs);

}  // namespace perfspec
