// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/settings/float32_precision-inl.hpp>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <string>

namespace perfspec::detail {

applied_settings::applied_settings(const torch_settings& wanted, c10::DeviceType device) {
    at::Context& context = at::globalContext();
    if (wanted.threads) {
        undo_.emplace_back([before = at::get_num_threads()] { at::set_num_threads(before); });
        at::set_num_threads(*wanted.threads);
    }
    if (wanted.onednn) {
        undo_.emplace_back([&context, before = context.userEnabledMkldnn()] { context.setUserEnabledMkldnn(before); });
        context.setUserEnabledMkldnn(*wanted.onednn);
    }
    if (wanted.tf32) {
        undo_.emplace_back(float32_precision_now());
        context.setAllowTF32CuBLAS(*wanted.tf32);
        context.setAllowTF32CuDNN(*wanted.tf32);
    }
    if (wanted.cudnn_benchmark) {
        undo_.emplace_back([&context, before = context.benchmarkCuDNN()] { context.setBenchmarkCuDNN(before); });
        context.setBenchmarkCuDNN(*wanted.cudnn_benchmark);
    }
    if (wanted.deterministic) be_deterministic(*wanted.deterministic);
    if (wanted.autocast) cast_automatically(*wanted.autocast, device);
}

void applied_settings::be_deterministic(bool wanted) {
    at::Context& context = at::globalContext();
    undo_.emplace_back([&context, all = context.deterministicAlgorithms(),
                        warns = context.deterministicAlgorithmsWarnOnly(), cudnn = context.deterministicCuDNN()] {
        context.setDeterministicAlgorithms(all, warns);
        context.setDeterministicCuDNN(cudnn);
    });
    context.setDeterministicAlgorithms(wanted, /*warn_only=*/false);
    context.setDeterministicCuDNN(wanted);
}

void applied_settings::cast_automatically(at::ScalarType wanted, c10::DeviceType device) {
    undo_.emplace_back([device, on = at::autocast::is_autocast_enabled(device),
                        dtype = at::autocast::get_autocast_dtype(device),
                        keeps = at::autocast::is_autocast_cache_enabled()] {
        at::autocast::set_autocast_enabled(device, on);
        at::autocast::set_autocast_dtype(device, dtype);
        at::autocast::set_autocast_cache_enabled(keeps);
    });
    at::autocast::set_autocast_enabled(device, true);
    at::autocast::set_autocast_dtype(device, wanted);
    at::autocast::set_autocast_cache_enabled(false);  // what one iteration converted must not save work in the next one
}

kept_random_numbers::kept_random_numbers(c10::Device device) {
    const auto keep_those_of = [this](c10::Device of) {
        const at::Generator& generator = at::globalContext().defaultGenerator(of);
        all_.push_back({generator, generator.get_state()});
    };
    keep_those_of(c10::Device{c10::kCPU});
    if (!device.is_cpu()) keep_those_of(device);
}

kept_random_numbers::~kept_random_numbers() {
    for (kept& each : all_) each.generator.set_state(each.state);
}

at::Tensor converted(const at::Tensor& tensor, const torch_settings& wanted) {
    at::Tensor made = tensor.detach();
    if (wanted.device) made = made.to(*wanted.device);
    if (wanted.dtype && tensor.is_floating_point()) made = made.to(*wanted.dtype);
    if (wanted.channels_last && tensor.dim() == 4)
        made = made.contiguous(*wanted.channels_last ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous);
    return made;
}

tensor_list converted(const tensor_list& tensors, const torch_settings& wanted) {
    tensor_list all;
    for (const at::Tensor& each : tensors) all.push_back(converted(each, wanted));
    return all;
}

converted_tensors::converted_tensors(const tensor_list& originals, const torch_settings& wanted) {
    const c10::AutoGradMode no_gradients{false};
    for (const at::Tensor& each : originals) all_.push_back({each, each.detach(), converted(each, wanted)});
}

void converted_tensors::put_in() const {
    for (const replacement& each : all_) each.tensor.set_data(each.converted);
}

void converted_tensors::put_back() const {
    for (const replacement& each : all_) each.tensor.set_data(each.original);
}

torch_settings united(torch_settings earlier, const torch_settings& later) {
    const auto replace = [](auto& old, const auto& now) {
        if (now) old = now;
    };
    replace(earlier.threads, later.threads);
    replace(earlier.dtype, later.dtype);
    replace(earlier.autocast, later.autocast);
    replace(earlier.channels_last, later.channels_last);
    replace(earlier.onednn, later.onednn);
    replace(earlier.deterministic, later.deterministic);
    replace(earlier.tf32, later.tf32);
    replace(earlier.cudnn_benchmark, later.cudnn_benchmark);
    replace(earlier.device, later.device);
    return earlier;
}

std::string why_not_applicable(const torch_settings& wanted, c10::Device device, const tensor_list& inputs) {
    const std::string here = c10::DeviceTypeName(device.type(), /*lower_case=*/true);
    const auto is_image = [](const at::Tensor& each) { return each.dim() == 4; };
    if (wanted.tf32 && !device.is_cuda()) return "TF32 needs a CUDA device, and the inputs are on " + here;
    if (wanted.cudnn_benchmark && !device.is_cuda()) return "cuDNN needs a CUDA device, and the inputs are on " + here;
    if (wanted.onednn.value_or(false) && !at::hasMKLDNN()) return "this LibTorch is built without oneDNN";
    if (wanted.autocast && !at::autocast::is_autocast_available(device.type()))
        return "this LibTorch has no autocast on " + here;
    if (wanted.channels_last && std::ranges::none_of(inputs, is_image))
        return "channels_last needs an input of four dimensions, and there is none";
    return {};
}

}  // namespace perfspec::detail
