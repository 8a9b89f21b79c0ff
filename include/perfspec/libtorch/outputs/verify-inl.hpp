// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/failure.hpp>

#include <ATen/Context.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

// Inputs of models: copies and comparisons.

namespace perfspec::inline v0_2::detail {

/// Whether a tensor has strided values in memory, unlike a sparse or a nested one.
inline bool is_strided(const at::Tensor& x) {
    return x.defined() && !x.is_nested() && x.layout() == at::kStrided && x.has_storage();
}

/// The same memory with one element in each expanded dimension.
inline at::Tensor unexpanded(at::Tensor x) {
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (x.stride(d) == 0 && x.size(d) > 1) x = x.narrow(d, 0, 1);
    return x;
}

/// A copy with the strides of the original, also with gaps or expanded dimensions: a kernel may read memory without
/// regard to strides. Gaps are not copied.
inline at::Tensor copy_as_laid_out(const at::Tensor& tensor) {
    const at::Tensor x = tensor.detach();
    const bool is_plain = is_strided(x) && !x.is_quantized() && !x.is_conj() && !x.is_neg();
    if (!is_plain || x.numel() == 0 || x.is_non_overlapping_and_dense()) return x.clone();
    std::int64_t reach = 1;
    for (std::int64_t d = 0; d < x.dim(); ++d) reach += (x.size(d) - 1) * x.stride(d);
    const at::Tensor copy = at::empty({reach}, x.options()).as_strided(x.sizes(), x.strides());
    if (at::has_internal_overlap(unexpanded(copy)) == at::MemOverlap::Yes) return x.clone();
    unexpanded(copy).copy_(unexpanded(x));
    return copy;
}

// forward() may change its inputs in place, and the next run needs the original ones.
inline tensor_list copies(const tensor_list& tensors) {
    tensor_list result;
    for (const at::Tensor& each : tensors) result.push_back(copy_as_laid_out(each));
    return result;
}

/// Whether both have equal values, in the coarser of two floating-point dtypes.
inline bool equal_values(const at::Tensor& x, const at::Tensor& y) {
    if (x.is_same(y)) return true;  // also with NaN
    const bool both_float = x.is_floating_point() && y.is_floating_point();
    if ((x.scalar_type() != y.scalar_type() && !both_float) || x.sizes() != y.sizes()) return false;
    const at::ScalarType dtype = coarser(x.scalar_type(), y.scalar_type());
    try {
        return at::equal(x.to(dtype), y.to(x.device()).to(dtype));
    } catch (const c10::Error&) {
        return same_bits(x, y);
    }  // a dtype that PyTorch cannot compare, such as float8_e4m3fn
}

inline bool equal_inputs(const torch_body& a, const torch_body& b) {
    return std::ranges::equal(a.inputs, b.inputs, equal_values);
}

/// Seeds every run equally, and sets PyTorch's deterministic settings for the life of this object.
class verifying_conditions {
public:
    explicit verifying_conditions(c10::Device device)
        : random_{device}, settings_{{.deterministic = true, .cudnn_benchmark = false}, device.type()} {
        at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);  // an operator that has none runs
    }

    void seed() {
        constexpr std::uint64_t same_for_every_run = 1337;  // the seed of PyTorch's harness
        random_.seed(same_for_every_run);
    }

    /// The states of the generators of random numbers.
    [[nodiscard]] tensor_list random_numbers() const { return random_.now(); }

private:
    saved_random_numbers random_;
    applied_settings settings_;
};

/// The results or the exception of one run.
struct outcome {
    named_tensors results{};
    std::optional<std::string> thrown{};
    bool loaded{true};     ///< false: loading the model threw
    bool has_drawn{};      ///< random numbers
    bool lacked_memory{};  ///< it threw for lack of memory
};

/// The fault of a run that threw. `code` and `memory_code` are those of the side that ran.
[[nodiscard]] inline verification fault_of(const outcome& run, const std::string& side, verification_code code,
                                           verification_code memory_code) {
    if (run.lacked_memory) return {memory_code, side + " ran out of memory: " + *run.thrown, {}};
    if (!run.loaded) return {verification_code::load_failed, side + " could not be loaded: " + *run.thrown, {}};
    return {code, side + " threw: " + *run.thrown, {}};
}

[[nodiscard]] inline verification fault_of_reference(const outcome& run) {
    return fault_of(run, "the reference", verification_code::eager_failed, verification_code::eager_out_of_memory);
}

[[nodiscard]] inline verification fault_of_candidate(const outcome& run) {
    return fault_of(run, "the candidate", verification_code::exception_raised, verification_code::out_of_memory);
}

// A model may return a tensor to which its next run writes.
inline named_tensors cloned(named_tensors results) {
    const c10::AutoGradMode no_gradients{false};
    for (named_tensor& each : results) {
        if (each.value.defined()) each.value = each.value.detach().clone();
    }
    return results;
}

/// Makes a model ready under its own settings, as samples do: a package checks the number of threads.
inline void make_model_ready(const torch_body& body) {
    if (!body.model.ready) return;
    const applied_settings own(body.settings, body.device.type());
    without_trace([&] { body.model.ready(); });
}

/// Runs on copies of the inputs.
inline outcome run_on(torch_body& body, const tensor_list& inputs, verifying_conditions& conditions) {
    bool loaded = false;
    try {
        conditions.seed();
        make_model_ready(body);
        loaded = true;
        const run_scope scope(body);
        find_devices(body);  // of its outputs, too
        const tensor_list before = conditions.random_numbers();
        outcome result{cloned(body.results(converted(copies(inputs), body.settings)))};
        result.has_drawn = !std::ranges::equal(before, conditions.random_numbers(),
                                               [](const auto& a, const auto& b) { return at::equal(a, b); });
        return result;
    } catch (const std::exception& error) {
        return {{}, first_line(error.what()), loaded, false, is_lack_of_memory(error)};
    } catch (...) { return {{}, "something that is not a std::exception", loaded}; }
}

inline outcome run_once(torch_body& body, verifying_conditions& conditions) {
    return run_on(body, body.inputs, conditions);
}

/// Runs the same model and inputs under other settings; returns no results if that fails.
inline outcome run_with(const torch_settings& settings, const torch_body& body, verifying_conditions& conditions) {
    torch_body other{.model = body.model, .inputs = body.inputs, .device = body.device, .settings = settings};
    other.settings.device = body.settings.device;
    other.also_on = body.also_on;
    return run_once(other, conditions);
}

// Not every model can run in double precision: operators may lack it, and forward() may use constants of one dtype. The
// text of a FAIL then says so. A model draws other random numbers in double precision, and any candidate would be as
// near to its results as the reference is.
inline named_tensors run_in_double(const torch_body& body, verifying_conditions& conditions) {
    if (!body.model.state) return {};
    outcome exact = run_with({.dtype = at::kDouble}, body, conditions);
    return exact.has_drawn ? named_tensors{} : std::move(exact.results);
}

/// The settings by which a model computes as coarsely as the candidate: its own ones, otherwise the dtype of its
/// inputs, otherwise that of its results, by autocast if its inputs are more precise. None without half precision.
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

/// The results of the same model and inputs in half precision; by autocast if its parameters cannot be converted.
inline named_tensors run_rounded(const torch_settings& settings, const torch_body& body,
                                 verifying_conditions& conditions) {
    named_tensors results;
    if (!settings.dtype || (body.model.state && !body.model.trains))
        results = run_with(settings, body, conditions).results;
    if (results.empty() && settings.dtype && !settings.autocast)
        return run_with({.autocast = settings.dtype}, body, conditions).results;
    return results;
}

}  // namespace perfspec::inline v0_2::detail
