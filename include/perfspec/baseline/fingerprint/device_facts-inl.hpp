// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_facts.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/baseline/fingerprint/linked_library.hpp>
#include <perfspec/measure/gpu/gpu_machine.hpp>

#include <fmt/format.h>

#include <charconv>

namespace perfspec {
namespace detail {

int ordinal_of(std::string_view device) {
    int ordinal = 0;
    if (const auto colon = device.find(':'); colon != device.npos)
        std::from_chars(device.data() + colon + 1, device.data() + device.size(), ordinal);
    return ordinal;
}

[[nodiscard]] inline std::vector<versioned_library> libraries_of_gpu(const gpu_facts& facts) {
    std::vector<versioned_library> all;
    const auto add = [&](const char* name, std::string text) {
        if (!text.empty()) all.push_back({name, std::move(text)});
    };
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    add("CUDA of the driver", facts.cuda_version);
    add("GPU ECC", !facts.ecc ? "" : *facts.ecc ? "on" : "off");
    add("GPU compute capability", facts.compute_capability);
    add("GPU memory",
        facts.memory_bytes == 0 ? "" : fmt::format("{:.1f} GiB", static_cast<double>(facts.memory_bytes) / gib));
    add("GPU multiprocessors", facts.multiprocessors == 0 ? "" : std::to_string(facts.multiprocessors));
    return all;
}

/// A device that may be any: what is stored of one must not be compared with another one.
[[nodiscard]] inline device_facts unknown_device(std::string_view kind, std::string why) {
    device_facts unknown;
    unknown.hardware_key = "unknown-" + device_hardware_key(kind);
    unknown.fault = std::move(why);
    return unknown;
}

}  // namespace detail

device_facts describe_device(std::string_view device, gpu_machine* gpus) {
    const std::string_view kind = device.substr(0, device.find(':'));
    if (kind != "cuda") return detail::unknown_device(kind, "only devices of CUDA tell their model");
    if (gpus == nullptr) return detail::unknown_device(kind, "the driver was not asked");
    const gpu_identity& found = gpus->of_cuda(detail::ordinal_of(device));
    if (!found.fault.empty()) return detail::unknown_device(kind, found.fault);
    return {.model = found.facts.name,
            .hardware_key = device_hardware_key(found.facts.name),
            .fault = {},
            .libraries = detail::libraries_of_gpu(found.facts)};
}

std::vector<versioned_library> libraries_of(const device_facts& facts, std::string_view of_device) {
    std::vector<versioned_library> all = facts.libraries;
    if (!facts.model.empty()) all.push_back({"GPU", facts.model});
    if (!of_device.empty())
        for (versioned_library& each : all) each.name += fmt::format(" of {}", of_device);
    return all;
}

}  // namespace perfspec
