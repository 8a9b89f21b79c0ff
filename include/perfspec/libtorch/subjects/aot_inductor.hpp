// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <string>
#include <string_view>

namespace perfspec {

/// A model that AOTInductor compiled into a package beforehand. It is loaded when it is first run; `load_time(x)`
/// measures this.
///
/// package  a .pt2 file of export.py or `perfspec_aoti_package`, which write into it what it was compiled for. Into a
/// package of
///          torch._inductor.aoti_compile_and_package, `export.py --describe` writes it.
/// inputs   one tensor, or several in a list, with the shapes, dtypes and memory formats that it was exported with. A
/// size may vary if it
///          was exported with --dynamic.
///
/// A package is never run if it is missing or broken, or was compiled for other threads, another processor, device,
/// shapes or a newer PyTorch. Every claim on the subject is then *invalid*, with the reason and the command that
/// exports the package again. A package is broken if a single bit of any entry is not as it was written. LibTorch does
/// not notice this, so the whole package is read before it is first loaded.
///
/// AOTInductor is PyTorch's compiler for C++ and for inference, not torch.compile. Eager C++ does not have the cost of
/// Python, so the ratios are smaller than those of a Python harness.
///
///     auto inductor = perfspec::aot_inductor("inductor", "resnet50.pt2", at::randn({1, 3, 224, 224}));
[[nodiscard]] subject aot_inductor(std::string_view name, const std::string& package, tensor_list inputs);

}  // namespace perfspec
