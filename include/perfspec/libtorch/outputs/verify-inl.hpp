// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/outputs/inputs-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/failure.hpp>

#include <ATen/Context.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace perfspec::detail {

/// Begins every run with the same random numbers, and fixes PyTorch's deterministic settings, as long as this object
/// lives.
class verifying_conditions {
public:
    explicit verifying_conditions(c10::Device device) : random_{device} {
        auto& context = at::globalContext();
        context.setDeterministicAlgorithms(true, /*warn_only=*/true);
        context.setDeterministicCuDNN(true);
        context.setBenchmarkCuDNN(false);
    }
    ~verifying_conditions() {
        auto& context = at::globalContext();
        context.setDeterministicAlgorithms(deterministic_, warn_only_);
        context.setDeterministicCuDNN(deterministic_cudnn_);
        context.setBenchmarkCuDNN(benchmark_cudnn_);
    }
    verifying_conditions(const verifying_conditions&) = delete;
    verifying_conditions& operator=(const verifying_conditions&) = delete;

    void seed() {
        constexpr std::uint64_t same_for_every_run = 1337;  // the seed of PyTorch's harness
        random_.seed(same_for_every_run);
    }

    /// Where the generators of random numbers are now.
    [[nodiscard]] tensor_list random_numbers() const { return random_.now(); }

private:
    kept_random_numbers random_;
    bool deterministic_{at::globalContext().deterministicAlgorithms()};
    bool warn_only_{at::globalContext().deterministicAlgorithmsWarnOnly()};
    bool deterministic_cudnn_{at::globalContext().deterministicCuDNN()};
    bool benchmark_cudnn_{at::globalContext().benchmarkCuDNN()};
};

/// Converts a model's parameters and buffers to double precision as long as this object lives. Then it puts the very
/// same tensors back.
class in_double_precision {
public:
    in_double_precision(const tensor_list& state, std::optional<c10::Device> device)
        : tensors_{state, torch_settings{.dtype = at::kDouble, .device = device}} {
        tensors_.put_in();
    }
    ~in_double_precision() { tensors_.put_back(); }
    in_double_precision(const in_double_precision&) = delete;
    in_double_precision& operator=(const in_double_precision&) = delete;

private:
    converted_tensors tensors_;
};

/// What one run returned, or what it threw.
struct outcome {
    named_tensors results;
    std::optional<std::string> thrown;
    bool loaded{true};  ///< false: loading the model threw
};

/// The fault of a run that threw. `code` and `memory_code` are those of the side that ran.
[[nodiscard]] inline verification fault_of(const outcome& run, const std::string& side, verification_code code,
                                           verification_code memory_code) {
    if (speaks_of_memory(*run.thrown)) return {memory_code, side + " ran out of memory: " + *run.thrown, {}};
    if (!run.loaded) return {verification_code::load_failed, side + " could not be loaded: " + *run.thrown, {}};
    return {code, side + " threw: " + *run.thrown, {}};
}

[[nodiscard]] inline verification fault_of_reference(const outcome& run) {
    return fault_of(run, "the reference", verification_code::eager_failed, verification_code::eager_out_of_memory);
}

[[nodiscard]] inline verification fault_of_candidate(const outcome& run) {
    return fault_of(run, "the candidate", verification_code::exception_raised, verification_code::out_of_memory);
}

// A model may return a tensor that its next run writes to.
inline named_tensors kept(named_tensors results) {
    const c10::AutoGradMode no_gradients{false};
    for (named_tensor& each : results) {
        if (each.value.defined()) each.value = each.value.detach().clone();
    }
    return results;
}

/// Runs on copies of the inputs.
inline outcome run_on(torch_body& body, const tensor_list& inputs, verifying_conditions& conditions) {
    bool loaded = false;
    try {
        conditions.seed();
        if (body.model.ready) without_trace([&] { body.model.ready(); });
        loaded = true;
        const run_scope scope(body);
        return {kept(body.results(converted(copies(inputs), body.settings))), {}};
    } catch (const std::exception& error) { return {{}, first_line(error.what()), loaded}; } catch (...) {
        return {{}, "something that is not a std::exception", loaded};
    }
}

inline outcome run_once(torch_body& body, verifying_conditions& conditions) {
    return run_on(body, body.inputs, conditions);
}

// Not every model can run in double precision: operators may lack it, and forward() may use constants of one dtype.
// Then there is nothing to compare with, and the text of a FAIL says so. A model that draws random numbers draws others
// in double precision, and any candidate would be as near to these as the reference is.
inline named_tensors run_in_double(const torch_body& body, verifying_conditions& conditions) {
    if (!body.model.state) return {};
    try {
        if (body.model.ready) body.model.ready();
        if (body.model.restore) body.model.restore();  // an earlier run may have ended with a step of an optimizer
        const in_double_precision converted{body.model.state(), body.settings.device};
        conditions.seed();
        const tensor_list before = conditions.random_numbers();
        named_tensors exact = kept(body.results(doubled(body.inputs)));
        const bool has_drawn = !std::ranges::equal(before, conditions.random_numbers(),
                                                   [](const auto& a, const auto& b) { return at::equal(a, b); });
        return has_drawn ? named_tensors{} : exact;
    } catch (const std::exception&) { return {}; }
}

/// The settings by which a model computes as coarsely as the candidate does: its own ones, else the dtype of its
/// inputs, else that of its results, by autocast where its inputs are more precise. Nothing where no half precision is
/// seen.
inline std::optional<torch_settings> rounding_of(const torch_body& candidate, const named_tensors& results) {
    const torch_settings& own = candidate.settings;
    if (own.dtype || own.autocast) return torch_settings{.dtype = own.dtype, .autocast = own.autocast};
    for (const at::Tensor& each : candidate.inputs) {
        if (is_half(each.scalar_type())) return torch_settings{.dtype = each.scalar_type()};
    }
    for (const named_tensor& each : results) {
        if (!each.value.defined() || !is_half(each.value.scalar_type())) continue;
        if (!floating_dtype(candidate.inputs)) return torch_settings{.dtype = each.value.scalar_type()};
        return torch_settings{.autocast = each.value.scalar_type()};
    }
    return {};
}

/// The results of the same model and inputs under other settings; empty where it cannot run so.
inline named_tensors run_with(const torch_settings& settings, const torch_body& body,
                              verifying_conditions& conditions) {
    if (settings.dtype && (!body.model.state || body.model.trains)) return {};
    torch_body other{.model = body.model, .inputs = body.inputs, .device = body.device, .settings = settings};
    other.settings.device = body.settings.device;
    other.inputs_to_run = converted(copies(other.inputs), other.settings);
    return run_once(other, conditions).results;
}

/// The results of the same model and inputs in half precision; by autocast where its parameters cannot be converted.
inline named_tensors run_rounded(const torch_settings& settings, const torch_body& body,
                                 verifying_conditions& conditions) {
    named_tensors results = run_with(settings, body, conditions);
    if (results.empty() && settings.dtype && !settings.autocast)
        return run_with({.autocast = settings.dtype}, body, conditions);
    return results;
}

}  // namespace perfspec::detail
