// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/cuda/machine/gpu_activity.hpp>
#include <perfspec/cuda/machine/gpu_findings.hpp>
#include <perfspec/cuda/machine/gpu_machine.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstddef>
#include <string_view>
#include <vector>

namespace perfspec {
namespace detail {

/// Whether CUDA numbers the device.
[[nodiscard]] inline bool is_of_cuda(std::string_view device) { return device.substr(0, device.find(':')) == "cuda"; }

/// The number of "cuda:1"; 0 for "cuda".
[[nodiscard]] inline int ordinal_of(std::string_view device) {
    int ordinal = 0;
    if (const auto colon = device.find(':'); colon != device.npos)
        std::from_chars(device.data() + colon + 1, device.data() + device.size(), ordinal);
    return ordinal;
}

/// "580.65.06" of "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul …".
[[nodiscard]] inline std::string nvidia_driver(const file_system& files) {
    const file_text read = files.read("/proc/driver/nvidia/version", std::size_t{1} << 16U);
    std::string_view rest = read.text;
    rest = take_until(rest, '\n');
    while (!rest.empty()) {
        const auto word = take_until(rest, ' ');
        const bool numbered =
            !word.empty() && word.find_first_not_of("0123456789.") == word.npos && word.find('.') != word.npos;
        if (numbered) return std::string(word);
    }
    return {};
}

[[nodiscard]] inline std::vector<versioned_library> libraries_of_gpu(const gpu_facts& facts, std::string driver) {
    std::vector<versioned_library> all;
    const auto add = [&](const char* name, std::string text) {
        if (!text.empty()) all.push_back({name, std::move(text)});
    };
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    add("CUDA of the driver", facts.cuda_version);
    add("GPU", facts.name);
    add("GPU ECC", !facts.ecc ? "" : *facts.ecc ? "on" : "off");
    add("GPU compute capability", facts.compute_capability);
    add("GPU memory",
        facts.memory_bytes == 0 ? "" : fmt::format("{:.1f} GiB", static_cast<double>(facts.memory_bytes) / gib));
    add("GPU multiprocessors", facts.multiprocessors == 0 ? "" : std::to_string(facts.multiprocessors));
    add("NVIDIA driver", std::move(driver));
    return all;
}

class gpu_watch final : public device_watch {
public:
    gpu_watch(gpu_machine& gpus, const std::string& device, gpu_state before)
        : gpus_(gpus), device_(device), before_(std::move(before)) {}

    [[nodiscard]] device_activity activity() override {
        const gpu_reading now = gpus_.state_of_cuda(ordinal_of(device_), before_.computing_until);
        if (!now.fault.empty()) return {};
        return as_of_device(activity_between(device_, before_, now.state, kin_of_this_process));
    }

private:
    gpu_machine& gpus_;
    std::string device_;
    gpu_state before_;
};

}  // namespace detail

gpu_count gpu_machine::count() {
    if (!driver_) driver_ = detail::load_cuda_driver();
    return detail::count_gpus(*driver_);
}

const gpu_identity& gpu_machine::of_cuda(int ordinal) {
    const auto known = known_.find(ordinal);
    if (known != known_.end()) return known->second;
    if (!driver_) driver_ = detail::load_cuda_driver();
    return known_.emplace(ordinal, detail::identify_gpu(*driver_, ordinal)).first->second;
}

gpu_reading gpu_machine::state_of_cuda(int ordinal, std::uint64_t since_microseconds) {
    const gpu_identity& gpu = of_cuda(ordinal);
    if (!gpu.fault.empty()) return {.state = {}, .fault = gpu.fault};
    if (!nvml_) nvml_ = detail::load_nvml();
    return detail::read_gpu_state(*nvml_, gpu.facts, since_microseconds);
}

device_facts gpu_machine::facts(const std::string& device, const file_system& files) {
    if (!detail::is_of_cuda(device)) return unknown_device(device, "only devices of CUDA tell their model");
    const gpu_identity& found = of_cuda(detail::ordinal_of(device));
    if (!found.fault.empty()) return unknown_device(device, found.fault);
    return {.model = found.facts.name,
            .hardware_key = device_hardware_key(found.facts.name),
            .fault = {},
            .libraries = detail::libraries_of_gpu(found.facts, detail::nvidia_driver(files))};
}

std::unique_ptr<device_watch> gpu_machine::watch(const std::string& device) {
    if (!detail::is_of_cuda(device)) return nullptr;
    gpu_reading now = state_of_cuda(detail::ordinal_of(device));
    if (!now.fault.empty()) return nullptr;
    return std::make_unique<detail::gpu_watch>(*this, device, std::move(now.state));
}

std::string gpu_machine::reason_unwatched(const std::string& device) {
    if (!detail::is_of_cuda(device) || !of_cuda(detail::ordinal_of(device)).fault.empty()) return {};
    const std::string fault = state_of_cuda(detail::ordinal_of(device)).fault;
    if (fault.empty()) return {};
    return "what " + device + " did meanwhile is not known (" + fault +
           "): heat, its power limit and other processes may slow it down unseen; install the library NVML of its "
           "driver, or let the container have it (NVIDIA_DRIVER_CAPABILITIES=compute,utility)";
}

void gpu_machine::require_granted() {
    if (!granted_.fault.empty()) throw input_error(granted_.fault);
    if (granted_.ids.empty()) return;
    const gpu_count there = count();
    if (static_cast<std::size_t>(there.gpus) == granted_.ids.size()) return;
    throw input_error(fmt::format(
        "ctest granted the GPU \"{}\" (CUDA_VISIBLE_DEVICES={}), and the driver shows {} to this process{}{}; write the "
        "resource file where the tests run, with  perfspec doctor --ctest-resources gpus.json",
        fmt::join(granted_.ids, "\", \""), granted_.visible, there.gpus == 0 ? "none" : std::to_string(there.gpus),
        there.fault.empty() ? "" : ": ", there.fault));
}

std::string gpu_machine::examine() { return render_gpus(examine_gpus(*this)); }

}  // namespace perfspec
