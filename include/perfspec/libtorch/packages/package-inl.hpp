// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/packages/package.hpp>
#include <perfspec/libtorch/packages/package_entries-inl.hpp>

#include <ATen/Parallel.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::detail {

inline std::string fnv1a(std::string_view text) {
    std::uint64_t digest = 0xCBF29CE484222325;
    for (const char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    char hexadecimal[17];
    std::snprintf(hexadecimal, sizeof hexadecimal, "%016llx", static_cast<unsigned long long>(digest));
    return hexadecimal;
}

std::string cpu_flags_hash(std::string_view cpuinfo) {
    std::istringstream lines{std::string{cpuinfo}};
    for (std::string line; std::getline(lines, line);) {
        const bool names_flags = line.starts_with("flags") || line.starts_with("Features");  // x86, Arm
        if (!names_flags || line.find(':') == std::string::npos) continue;
        std::istringstream words{line.substr(line.find(':') + 1)};
        const std::multiset<std::string> sorted{std::istream_iterator<std::string>{words}, {}};
        std::string joined;
        for (const std::string& flag : sorted) joined.append(joined.empty() ? "" : " ").append(flag);
        return fnv1a(joined);
    }
    return {};
}

inline std::string described(const tensor_list& tensors) {
    std::string text;
    for (const at::Tensor& each : tensors) text.append(text.empty() ? "" : ";").append(described(each));
    return text;
}

process_facts this_process(const tensor_list& inputs) {
    std::ifstream file{"/proc/cpuinfo"};
    const std::string cpuinfo{std::istreambuf_iterator<char>{file}, {}};
    const c10::Device device = inputs.empty() ? c10::Device{c10::kCPU} : inputs.front().device();
    return {.threads = std::to_string(at::get_num_threads()),
            .cpu_flags = cpu_flags_hash(cpuinfo),
            .torch = TORCH_VERSION,
            .device = c10::DeviceTypeName(device.type(), /*lower_case=*/true),
            .inputs = described(inputs)};
}

inline std::string entry(const package_metadata& package, const std::string& name) {
    const auto found = package.find(name);
    return found == package.end() ? std::string{} : found->second;
}

/// Major, minor and patch of "2.13.0+cpu".
inline std::array<int, 3> version_numbers(const std::string& text) {
    std::array<int, 3> numbers{};
    std::sscanf(text.c_str(), "%d.%d.%d", numbers.data(), &numbers[1], &numbers[2]);
    return numbers;
}

std::string mismatch(const package_metadata& package, const process_facts& here) {
    const auto says = [&](const char* name) { return entry(package, std::string{"PERFSPEC_"} + name); };
    if (says("SCHEMA").empty()) return "it does not say what it was compiled for: its metadata has no PERFSPEC_SCHEMA";
    if (says("SCHEMA") != "1") return "its PERFSPEC_SCHEMA is " + says("SCHEMA") + ", this perfspec reads 1";
    if (version_numbers(says("TORCH")) > version_numbers(here.torch)) {
        return "it was compiled by PyTorch " + says("TORCH") + ", newer than this LibTorch " + here.torch;
    }
    if (says("DEVICE") != here.device) return "it was compiled for device " + says("DEVICE") + ", its inputs are on " + here.device;
    if (says("CPU_FLAGS") != here.cpu_flags) {
        return "it was compiled for another CPU (flags " + says("CPU_FLAGS") + ", here " + here.cpu_flags + ")";
    }
    if (here.device == "cpu" && says("THREADS") != here.threads) {
        return "it was compiled for " + says("THREADS") + " threads, this process runs " + here.threads;
    }
    if (says("INPUTS") != here.inputs) return "it was compiled for inputs " + says("INPUTS") + ", it is given " + here.inputs;
    return {};
}

read_package read_package_metadata(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return {{}, "there is no such file"};
    try {
        if (auto damage = damage_of(file, package_part::metadata); damage.where == damaged_part::entry) return {{}, std::move(damage.text)};
        const auto metadata = torch::inductor::AOTIModelPackageLoader::load_metadata_from_package(file, "model");
        return {{metadata.begin(), metadata.end()}, {}};
    } catch (const std::exception&) {
        return {{},
                "it is not an AOTInductor package, or only a part of one (" + std::to_string(std::filesystem::file_size(file, ignored)) +
                    " bytes)"};
    }
}

bool announces_kernels(const package_metadata& package) { return entry(package, "PERFSPEC_KERNEL_PROFILING") == "1"; }

double compile_ns_beside(const std::string& file) {
    constexpr std::string_view name = "\"compile_seconds\":";
    std::ifstream facts{file + ".json"};
    for (std::string line; std::getline(facts, line);) {
        if (const auto at = line.find(name); at != std::string::npos) return 1e9 * std::strtod(line.c_str() + at + name.size(), nullptr);
    }
    return 0.0;
}

std::string export_command(const std::string& file, const package_metadata& package, const process_facts& here) {
    const std::string model = entry(package, "PERFSPEC_MODEL");
    const auto shape = here.inputs.find('[');
    const std::string batch = shape == std::string::npos ? "1" : std::to_string(std::max(1, std::atoi(here.inputs.c_str() + shape + 1)));
    return "python3 export.py --models models.py --model " + (model.empty() ? std::filesystem::path{file}.stem().string() : model) +
           " --batch " + batch + " --threads " + here.threads + " --device " + here.device +
           (announces_kernels(package) ? " --kernel-profiling" : "") + " --output " + file;
}

}  // namespace perfspec::detail
