// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/packages/package-inl.hpp>
#include <perfspec/libtorch/subjects/saved_model.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/Parallel.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/version.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>

namespace perfspec::inline v0_2 {
namespace detail {

/// The folders of loaded packages: <temporary folder>/<model>.
inline std::set<std::filesystem::path> unpacked_packages() {
    std::set<std::filesystem::path> folders;
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
        const auto path = line.find('/');
        const auto inside = line.find("/data/aotinductor/");
        if (path != std::string::npos && inside != std::string::npos) folders.insert(line.substr(path, inside - path));
    }
    return folders;
}

/// Removes the unpacked folders of loaded packages. LibTorch does so in a destructor, which a process that stops after
/// its answer, or is killed, never reaches: 100 MB would remain.
inline void remove_unpacked(const std::set<std::filesystem::path>& before) {
    for (const auto& folder : unpacked_packages()) {
        if (before.contains(folder)) continue;
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        std::filesystem::remove(folder.parent_path(), ignored);  // only if nothing else is in it
    }
}

/// Why a package did not run, and the remedy.
inline std::string why_package_is_unusable(const std::string& file, const std::string& reason,
                                           const std::string& command) {
    return "the package " + file + " was not run: " + reason + ". Compile it for this process: " + command +
           ". If perfspec_export_model made it, configure and build its target again";
}

/// Whether runs of a package wait for each other. Their events cannot be captured in a graph; PyTorch calls runs
/// without them single-threaded.
enum class runs_of_package : unsigned char { in_turn, captured };

/// A package that matched this process when its subject was made. It is loaded on first use, so unselected tests cost
/// nothing.
class lazy_package {
public:
    lazy_package(std::string file, c10::Device device, runs_of_package runs)
        : file_{std::move(file)}, device_{device}, runs_{runs}, threads_{at::get_num_threads()} {}

    [[nodiscard]] const std::string& file() const noexcept { return file_; }

    /// Sets the expected threads and device, initially those of the process when the subject was made.
    void expect(int threads, c10::Device device) {
        threads_ = threads;
        if (!loader_) device_ = device;
    }

    void ready() {
        if (device_.is_cpu() && at::get_num_threads() != threads_) {
            throw std::runtime_error{"the package " + file_ + " was compiled for " + std::to_string(threads_) +
                                     " threads, but at::set_num_threads has changed them to " +
                                     std::to_string(at::get_num_threads())};
        }
        load_once();
    }

    /// Loading depends on no setting.
    void load_once() {
        if (!loader_) without_trace([&] { load(); });
    }

    tensor_list run(const tensor_list& inputs, std::uint64_t iterations) {
        for (; iterations > 1; --iterations) do_not_optimize(loader_->run(inputs));
        return loader_->run(inputs);
    }

private:
    void load() {
        const auto before = unpacked_packages();
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 8
        const bool run_single_threaded = runs_ == runs_of_package::captured;
        loader_.emplace(file_, "model", run_single_threaded, /*num_runners=*/1, device_.index());
#else
        if (runs_ == runs_of_package::captured)
            throw std::runtime_error{"a graph of an AOTInductor package needs LibTorch 2.8 or newer"};
        loader_.emplace(file_, "model");  // one runner, on the current device
#endif
        // On a GPU, kernels are read from these folders later.
        if (device_.is_cpu()) remove_unpacked(before);
    }

    std::string file_;
    c10::Device device_;
    runs_of_package runs_;
    int threads_;
    std::optional<torch::inductor::AOTIModelPackageLoader> loader_;
};

/// Why a package did not run under requested settings, and how to compile another one for them. The test without these
/// settings still needs this one.
inline std::string why_not_as_requested(const std::string& file, const package_metadata& metadata,
                                        const process_facts& requested, const torch_settings& wanted,
                                        const std::string& reason) {
    package_metadata another = metadata;
    another["PERFSPEC_OPTIONS"] += wider_batch(metadata, requested);
    if (wanted.dtype) another["PERFSPEC_OPTIONS"] += " --dtype " + dtype_name(*wanted.dtype);
    const bool is_described = entry(metadata, "PERFSPEC_MODEL").empty();
    return "the package " + file + " was not run: " + reason + ". Compile another package for that" +
           (is_described ? " as you compiled this one" : "") +
           ", and make a subject of it: " + export_command(beside(file, "_variant"), another, requested) +
           ". If perfspec_export_model made this one, give it another TARGET and OUTPUT";
}

/// Lets a package run under requested settings if it was compiled for them. Otherwise returns the reason, with the
/// command that compiles it so. A package that is an error under any settings stays an error.
inline std::string adapt_package(torch_model& self, lazy_package& loaded, const package_metadata& metadata,
                                 const torch_settings& wanted, const tensor_list& inputs) {
    process_facts requested = this_process(inputs);
    process_facts as_compiled = requested;
    as_compiled.threads = entry(metadata, "PERFSPEC_THREADS");
    as_compiled.device = entry(metadata, "PERFSPEC_DEVICE");
    const std::string compiled_inputs = entry(metadata, "PERFSPEC_INPUTS");
    if (metadata.empty() ||
        (fits_inputs(as_compiled.inputs, compiled_inputs) && !mismatch(metadata, as_compiled).empty()))
        return {};
    if (wanted.threads) requested.threads = std::to_string(*wanted.threads);
    if (const std::string reason = mismatch(metadata, requested); !reason.empty())
        return why_not_as_requested(loaded.file(), metadata, requested, wanted, reason);
    loaded.expect(wanted.threads.value_or(at::get_num_threads()),
                  inputs.empty() ? c10::Device{c10::kCPU} : inputs.front().device());
    self.error_reason.clear();
    return {};
}

/// Declares which kernels of a package can be counted: on a device all, on the processor those of a package that
/// reports its kernels.
inline void show_kernels(const subject& made, const std::string& file, package_metadata package,
                         const process_facts& here) {
    const bool announces = announces_kernels(package);
    if (announces && here.device == "cpu") model_of(made).kernels = kernel_view::operators;
    if (announces) return;
    package["PERFSPEC_KERNEL_PROFILING"] = "1";
    model_of(made).hidden_operators =
        "the package " + file +
        " runs its own kernels without reporting them, so they cannot be counted. Compile it with kernel profiling: " +
        export_command(beside(file, "_kernels"), package, here) +
        ". If perfspec_export_model makes it, add KERNEL_PROFILING ON";
}

/// The model of a package that is loaded on first use.
inline torch_model model_of_package(const std::shared_ptr<lazy_package>& loaded, const package_metadata& metadata,
                                    const std::string& reason) {
    const std::string package = loaded->file();
    torch_model model;
    model.ready = [loaded] { loaded->ready(); };
    model.run = [loaded](const tensor_list& inputs, std::uint64_t n) { return loaded->run(inputs, n); };
    model.error_reason = reason;
    if (entry(metadata, "PERFSPEC_INPUTS").find("..") == std::string::npos)
        model.fixed_shapes =
            "the package " + package + " was compiled for fixed shapes of its inputs, and LibTorch does not check them";
    model.refuses = [compiled = entry(metadata, "PERFSPEC_INPUTS"), package](const tensor_list& inputs) -> std::string {
        const std::string text = described_inputs(inputs);
        return fits_inputs(text, compiled)
                   ? ""
                   : "the package " + package + " was compiled for inputs " + compiled + ", but is given " + text;
    };
    model.adapts = [loaded, says = metadata](torch_model& self, const torch_settings& wanted,
                                             const tensor_list& inputs) {
        return adapt_package(self, *loaded, says, wanted, inputs);
    };
    return model;
}

}  // namespace detail

subject aot_inductor(std::string_view name, const std::string& package, tensor_list inputs) {
    const c10::Device device = inputs.empty() ? c10::Device{c10::kCPU} : inputs.front().device();
    const detail::process_facts here = detail::this_process(inputs);
    const auto [metadata, fault] = detail::read_package_metadata(package);
    const std::string mismatched = fault.empty() ? mismatch(metadata, here) : fault;
    const std::string reason =
        mismatched.empty()
            ? ""
            : detail::why_package_is_unusable(package, mismatched, detail::export_command(package, metadata, here));
    const auto loaded = std::make_shared<detail::lazy_package>(package, device, detail::runs_of_package::in_turn);
    detail::torch_model model = detail::model_of_package(loaded, metadata, reason);
    model.waits_for_last = true;  // for its one runner
    model.capturable = [=, says = metadata] {
        return detail::model_of_package(
            std::make_shared<detail::lazy_package>(package, device, detail::runs_of_package::captured), says, reason);
    };
    subject made =
        detail::torch_subject(name, std::move(model), std::move(inputs)).load([loaded] { loaded->load_once(); });
    const detail::compilation compiled = detail::compilation_beside(package);
    model_of(made).compile_ns = compiled.ns;
    model_of(made).compile_fault = compiled.fault;
    model_of(made).compiled_from_cache = compiled.from_warm_cache;
    model_of(made).hidden_operations =
        "the package " + package +
        " runs its own kernels, for which PyTorch has no formula: count the model that it was compiled from, "
        "flop_count(eager)";
    detail::show_kernels(made, package, metadata, here);
    if (const std::string lacking = detail::why_not_exported(package); !lacking.empty()) made.lacks(lacking);
    return made;
}

}  // namespace perfspec::inline v0_2
