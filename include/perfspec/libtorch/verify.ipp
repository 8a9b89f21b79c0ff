// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/torch_body.hpp>

#include <ATen/Context.h>
#include <ATen/ops/equal.h>
#include <c10/core/GradMode.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace perfspec::detail {

/// Seeds and deterministic settings of PyTorch for as long as it lives.
class verifying_conditions {
public:
    explicit verifying_conditions(c10::Device device) {
        remember(c10::Device{c10::kCPU});
        if (!device.is_cpu()) remember(device);
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
        for (auto& each : generators_) each.generator.set_state(each.state);
    }
    verifying_conditions(const verifying_conditions&) = delete;
    verifying_conditions& operator=(const verifying_conditions&) = delete;

    void seed() {
        constexpr std::uint64_t same_for_every_run = 1337;  // what PyTorch's harness takes
        for (auto& each : generators_) each.generator.set_current_seed(same_for_every_run);
    }

private:
    struct remembered {
        at::Generator generator;
        at::Tensor state;
    };

    void remember(c10::Device device) {
        const at::Generator& generator = at::globalContext().defaultGenerator(device);
        generators_.push_back({generator, generator.get_state()});
    }

    std::vector<remembered> generators_;
    bool deterministic_{at::globalContext().deterministicAlgorithms()};
    bool warn_only_{at::globalContext().deterministicAlgorithmsWarnOnly()};
    bool deterministic_cudnn_{at::globalContext().deterministicCuDNN()};
    bool benchmark_cudnn_{at::globalContext().benchmarkCuDNN()};
};

/// A model's parameters and buffers in double precision for as long as it lives; then the very tensors from before.
class in_double_precision {
public:
    explicit in_double_precision(const tensor_list& state) {
        const c10::AutoGradMode no_gradients{false};
        for (const at::Tensor& tensor : state) {
            if (!tensor.is_floating_point()) continue;
            changed_.push_back({tensor, tensor.detach()});
            tensor.set_data(tensor.detach().to(at::kDouble));
        }
    }
    ~in_double_precision() {
        for (const auto& each : changed_) each.tensor.set_data(each.before);
    }
    in_double_precision(const in_double_precision&) = delete;
    in_double_precision& operator=(const in_double_precision&) = delete;

private:
    struct change {
        at::Tensor tensor;
        at::Tensor before;
    };
    std::vector<change> changed_;
};

// forward() may change its inputs in place; the next run must see what this one saw.
inline tensor_list copies(const tensor_list& tensors) {
    tensor_list result;
    for (const at::Tensor& each : tensors) result.push_back(each.detach().clone());
    return result;
}

inline tensor_list doubled(const tensor_list& tensors) {
    tensor_list result;
    for (const at::Tensor& each : tensors)
        result.push_back(each.is_floating_point() ? each.detach().to(at::kDouble) : each.detach().clone());
    return result;
}

/// The outputs of one run, or what it threw.
struct outcome {
    tensor_list outputs;
    std::optional<std::string> thrown;
};

inline outcome run_once(const torch_body& body, verifying_conditions& conditions) {
    try {
        conditions.seed();
        if (body.model.ready) body.model.ready();
        return {body.call(copies(body.inputs)), {}};
    } catch (const std::exception& error) { return {{}, first_line(error.what())}; } catch (...) {
        return {{}, "something that is no std::exception"};
    }
}

// Not every model can run so: operators without double precision, constants of one dtype in forward(). Then there is nothing
// to compare with, which the text of a FAIL says.
inline tensor_list run_in_double(const torch_body& body, verifying_conditions& conditions) {
    if (!body.model.state) return {};
    try {
        const in_double_precision converted{body.model.state()};
        conditions.seed();
        return body.call(doubled(body.inputs));
    } catch (const std::exception&) { return {}; }
}

inline bool equal_inputs(const torch_body& a, const torch_body& b) {
    if (a.inputs.size() != b.inputs.size()) return false;
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        const at::Tensor &x = a.inputs[i], &y = b.inputs[i];
        if (x.is_same(y)) continue;  // also where it holds NaN
        if (x.scalar_type() != y.scalar_type() || x.sizes() != y.sizes() || !at::equal(x, y.to(x.device()))) return false;
    }
    return true;
}

verification verify(torch_body& reference, torch_body& candidate) {
    if (!candidate.how.skipped.empty()) return {verification_code::verifier_skipped, candidate.how.skipped, {}};
    for (const torch_body* body : {&reference, &candidate}) {
        if (!body->model.refusal.empty()) return {verification_code::verifier_didnt_run, body->model.refusal, {}};
    }
    if (!equal_inputs(reference, candidate)) {
        return {verification_code::verifier_didnt_run, "the two subjects have different inputs: give both the same tensors", {}};
    }
    verifying_conditions conditions{reference.device};
    const outcome first = run_once(reference, conditions);
    const outcome second = first.thrown ? first : run_once(reference, conditions);
    if (second.thrown) return {verification_code::eager_failed, "the reference threw: " + *second.thrown, {}};
    if (const auto repeated = compare_outputs(first.outputs, second.outputs, candidate.how); repeated.code != verification_code::pass) {
        return {verification_code::nondeterministic_eager_run, "two runs of the reference from one seed differ\n" + repeated.text,
                repeated.statistics};
    }
    const outcome tried = run_once(candidate, conditions);
    if (tried.thrown) return {verification_code::exception_raised, "the candidate threw: " + *tried.thrown, {}};
    return compare_outputs(first.outputs, tried.outputs, candidate.how, run_in_double(reference, conditions));
}

}  // namespace perfspec::detail
