// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace torch::jit {
struct Module;
}

namespace perfspec::inline v0_2 {
namespace detail {
class script_model;
}

/// The result of `torchscript`: a subject with options for how TorchScript prepares and runs the model.
///
/// Set the options before the subject first runs, and before `.axis(…)` and similar functions, which return a plain
/// subject. Each throws `input_error` after the model was loaded, and if it contradicts an earlier option.
class torchscript_subject : public subject {
public:
    /// `torch::jit::freeze`: weights become constants, batch norms are folded. The model must be in eval mode.
    torchscript_subject& frozen();
    /// `torch::jit::optimize_for_inference`: freezes too, and arranges weights for the processor's library.
    torchscript_subject& optimized();
    /// Runs the graph as it is, without profiling, specialization or fusion.
    torchscript_subject& unoptimized();

private:
    friend torchscript_subject torchscript(std::string_view name, const std::string& file, tensor_list inputs);
    friend torchscript_subject torchscript(std::string_view name, const torch::jit::Module& module, tensor_list inputs);
    torchscript_subject(std::string_view name, std::shared_ptr<detail::script_model> model,
                        std::string_view error_reason, tensor_list inputs);

    std::shared_ptr<detail::script_model> model_;
};

/// A TorchScript model in a file (of `torch.jit.save`, or of export.py with an output that ends in .pt), run under
/// `c10::InferenceMode`. Its first run loads it onto the device of its inputs. `load_time(x)` measures this and the
/// preparations.
///
/// forward() takes the inputs, and returns a tensor, or a list or a tuple of tensors. A missing file makes every claim
/// *error*, with the command that makes one. The first calls are slow, while TorchScript profiles and specializes:
/// see `cold_start`. PyTorch calls TorchScript deprecated, and cannot trace models in Python from 3.14 on. Existing
/// files still load (seen in 2.13).
///
///     auto script = perfspec::torchscript("script", "resnet50.pt", input).frozen();
///     PERF_REQUIRE(speedup(script, inductor) > 0.95);
[[nodiscard]] torchscript_subject torchscript(std::string_view name, const std::string& file, tensor_list inputs);

/// A TorchScript model in memory, which needs `<torch/csrc/jit/api/module.h>`. The caller shares it; it stays in its
/// train or eval mode. `peak_memory(x, including_load)` adds the bytes of its parameters and buffers, of unpacked
/// weights of quantized layers (objects of other classes do not count), and of a preparation such as `frozen()`.
[[nodiscard]] torchscript_subject torchscript(std::string_view name, const torch::jit::Module& module,
                                              tensor_list inputs);

/// A model in a package that AOTInductor compiled. Its first run loads it; `load_time(x)` measures this.
///
/// package  a .pt2 file of export.py or `perfspec_export_model`, which record in it what it was compiled for. For a
///          package of torch._inductor.aoti_compile_and_package, `export.py --describe` does that.
/// inputs   one tensor, or several in a list, with the shapes, dtypes and memory formats of the export. A size may vary
///          after an export with --dynamic.
///
/// A package never runs if it is missing or broken, or was compiled for other threads, another processor, device,
/// shapes or a newer PyTorch. Every claim on the subject is then *error*, with the reason and the command that
/// exports the package again. A package is broken if a single bit of an entry has changed. LibTorch does not notice
/// this, so the whole package is read before it is first loaded.
///
/// AOTInductor is PyTorch's compiler for inference in C++, not torch.compile. Eager C++ has no cost of Python, so
/// ratios are smaller than those of a Python harness.
///
///     auto inductor = perfspec::aot_inductor("inductor", "resnet50.pt2", at::randn({1, 3, 224, 224}));
[[nodiscard]] subject aot_inductor(std::string_view name, const std::string& package, tensor_list inputs);

}  // namespace perfspec::inline v0_2
