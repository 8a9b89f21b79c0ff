// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/libtorch/outputs/compare_outputs-inl.hpp>
#include <perfspec/libtorch/packages/package.hpp>
#include <perfspec/quantity/json_tree.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/Parallel.h>
#include <caffe2/serialize/inline_container.h>
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

namespace perfspec::inline v0_2::detail {

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

/// "float32[1,3,224,224]", with strides, "(150528,1,672,3)", for a tensor that is not contiguous. export.py writes the
/// same.
inline std::string described_input(const at::Tensor& x) {
    if (!x.defined() || x.layout() != at::kStrided || x.is_contiguous()) return described(x);
    std::string strides;
    for (std::int64_t i = 0; i < x.dim(); ++i)
        strides.append(strides.empty() ? "(" : ",").append(std::to_string(x.size(i) == 1 ? 0 : x.stride(i)));
    return described(x) + strides + ")";
}

inline std::string described_inputs(const tensor_list& tensors) {
    std::string text;
    for (const at::Tensor& each : tensors) text.append(text.empty() ? "" : ";").append(described_input(each));
    return text;
}

/// Whether a size is the one that a package was compiled for, or within its range "1..32".
inline bool fits_size(std::string_view text, std::string_view compiled) {
    const auto dots = compiled.find("..");
    if (dots == std::string_view::npos) return text == compiled;
    const auto size = whole_number<std::int64_t>(text);
    const auto least = whole_number<std::int64_t>(compiled.substr(0, dots));
    const auto most = whole_number<std::int64_t>(compiled.substr(dots + 2));
    return size && least && most && *least <= *size && *size <= *most;
}

/// One dimension of a tensor, as in its description. The stride is empty for a contiguous tensor.
struct described_dimension {
    std::string_view size;
    std::string_view stride;
};

/// Whether a dimension is the one that a package was compiled for. The stride of a single element is never used, and
/// described as 0: so in a dimension whose size varies, that one and another fit.
inline bool fits_dimension(const described_dimension& here, const described_dimension& compiled) {
    if (!fits_size(here.size, compiled.size)) return false;
    const bool varies = compiled.size.find("..") != std::string_view::npos;
    return here.stride == compiled.stride || (varies && (here.size == "1" || compiled.stride == "0"));
}

/// The numbers of "(0,1,12,3)"; empty for a contiguous tensor.
inline std::string_view strides_in(std::string_view text) {
    return text.size() < 2 ? std::string_view{} : text.substr(1, text.size() - 2);
}

inline bool fits_input(std::string_view input, std::string_view compiled) {
    if (take_until(input, '[') != take_until(compiled, '[')) return false;
    std::string_view sizes = take_until(input, ']'), compiled_sizes = take_until(compiled, ']');
    std::string_view strides = strides_in(input), compiled_strides = strides_in(compiled);
    if (strides.empty() != compiled_strides.empty()) return false;
    while (!sizes.empty() && !compiled_sizes.empty()) {
        const described_dimension here{take_until(sizes, ','), take_until(strides, ',')};
        if (!fits_dimension(here, {take_until(compiled_sizes, ','), take_until(compiled_strides, ',')})) return false;
    }
    return sizes.empty() && compiled_sizes.empty();
}

/// Whether a package that was compiled for `compiled` takes these inputs.
inline bool fits_inputs(std::string_view inputs, std::string_view compiled) {
    while (!inputs.empty() && !compiled.empty())
        if (!fits_input(take_until(inputs, ';'), take_until(compiled, ';'))) return false;
    return inputs.empty() && compiled.empty();
}

process_facts this_process(const tensor_list& inputs) {
    std::ifstream file{"/proc/cpuinfo"};
    const std::string cpuinfo{std::istreambuf_iterator<char>{file}, {}};
    const c10::Device device = inputs.empty() ? c10::Device{c10::kCPU} : inputs.front().device();
    return {.threads = std::to_string(at::get_num_threads()),
            .cpu_flags = cpu_flags_hash(cpuinfo),
            .torch = TORCH_VERSION,
            .device = c10::DeviceTypeName(device.type(), /*lower_case=*/true),
            .inputs = described_inputs(inputs)};
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
    if (says("SCHEMA") != "1") return "its PERFSPEC_SCHEMA is " + says("SCHEMA") + ", but this perfspec reads only 1";
    if (version_numbers(says("TORCH")) > version_numbers(here.torch)) {
        return "it was compiled by PyTorch " + says("TORCH") + ", newer than this LibTorch " + here.torch;
    }
    if (says("DEVICE") != here.device)
        return "it was compiled for device " + says("DEVICE") + ", but its inputs are on " + here.device;
    if (says("CPU_FLAGS") != here.cpu_flags) {
        return "it was compiled for another CPU (flags " + says("CPU_FLAGS") + ", here " + here.cpu_flags + ")";
    }
    if (here.device == "cpu" && says("THREADS") != here.threads) {
        return "it was compiled for " + says("THREADS") + " threads, but this process runs " + here.threads;
    }
    if (!fits_inputs(here.inputs, says("INPUTS")))
        return "it was compiled for inputs " + says("INPUTS") + ", but is given " + here.inputs;
    return {};
}

/// The metadata of a package. Only LibTorch from 2.10 on could read it without loading the package. Throws for another
/// file.
inline package_metadata metadata_in(const std::string& file) {
    package_metadata all;
    caffe2::serialize::PyTorchStreamReader entries{file};
    for (const std::string& name : entries.getAllRecords()) {
        if (!name.ends_with("_metadata.json")) continue;
        const auto [content, size] = entries.getRecord(name);
        const std::string text{static_cast<const char*>(content.get()), size};
        for (const json_value& member : read_json(text).items) all.insert_or_assign(member.name, member.text);
    }
    return all;
}

read_package read_package_metadata(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return {{}, "there is no such file"};
    try {
        return {metadata_in(file), {}};
    } catch (const std::exception&) {
        return {{},
                "it is not an AOTInductor package, or only a part of one (" +
                    std::to_string(std::filesystem::file_size(file, ignored)) + " bytes)"};
    }
}

std::string why_not_exported(const std::string& file) {
    std::ifstream unavailable(file + ".unavailable");
    std::string reason;
    return std::getline(unavailable, reason)
               ? "the build did not make " + file + ": " + reason + " (" + file + ".unavailable says so)"
               : std::string{};
}

bool announces_kernels(const package_metadata& package) { return entry(package, "PERFSPEC_KERNEL_PROFILING") == "1"; }

/// The time in a side file. Throws json_fault for an impossible one.
inline double compile_ns_of(const json_value& seconds) {
    constexpr double longest = 1e7;  // four months
    if (seconds.kind == json_kind::number && seconds.number > 0.0 && seconds.number <= longest)
        return 1e9 * seconds.number;
    const std::string text = seconds.kind == json_kind::number ? json_number(seconds.number) : json(seconds.text);
    throw json_fault(seconds.line, "\"compile_seconds\" is " + text +
                                       ", expected a number above 0 and at most 10000000, such as 12.5");
}

/// Reads a side file. Throws json_fault for an invalid one.
inline compilation read_compilation(const std::string& text, double package_bytes) {
    compilation result;
    for (const json_value& member : read_json(text).items) {
        if (member.name == "package_bytes" && member.number != package_bytes)
            throw json_fault(
                member.line,
                "\"package_bytes\" is not the size of the package beside it, so the file belongs to another package");
        if (member.name == "compile_seconds") result.ns = compile_ns_of(member);
        if (member.name == "compiler_cache") result.from_warm_cache = member.text != "cold";
    }
    return result;
}

compilation compilation_beside(const std::string& file) {
    const std::string path = file + ".json";
    std::ifstream facts{path};
    if (!facts) return {};
    const std::string text{std::istreambuf_iterator<char>{facts}, {}};
    std::error_code unreadable;
    const auto bytes = static_cast<double>(std::filesystem::file_size(file, unreadable));
    try {
        return read_compilation(text, bytes);
    } catch (const json_fault& fault) {
        return {.fault = path + ":" + std::to_string(fault.line) + ": " + fault.what() +
                         ": export the package again, or remove the file"};
    }
}

/// The path of the script that compiles packages, beside these headers; its name if it is not there.
inline std::string export_script() {
#ifdef PERFSPEC_DETAIL_HEADERS
    const std::filesystem::path script{PERFSPEC_DETAIL_HEADERS "/perfspec/libtorch/export/export.py"};
#else
    const auto script = std::filesystem::path{__FILE__}.parent_path().parent_path() / "export" / "export.py";
#endif
    std::error_code ignored;
    return std::filesystem::exists(script, ignored) ? script.string() : "export.py";
}

/// The first size of the first input, or "1".
inline std::string batch_of(const process_facts& here) {
    const auto shape = here.inputs.find('[');
    return shape == std::string::npos ? "1" : std::to_string(std::max(1, std::atoi(here.inputs.c_str() + shape + 1)));
}

/// The Python that compiled a package, if it still exists: another one may have no torch.
inline std::string python_of(const package_metadata& package) {
    const std::string python = entry(package, "PERFSPEC_PYTHON");
    std::error_code ignored;
    return !python.empty() && std::filesystem::exists(python, ignored) ? python : "python3";
}

/// "build/model_kernels.pt2" beside "build/model.pt2".
inline std::string beside(const std::string& file, const std::string& ending) {
    std::filesystem::path path{file};
    return path.replace_filename(path.stem().string() + ending + path.extension().string()).string();
}

/// The option that widens the range of a package's batch to the requested one; empty for a fixed batch.
inline std::string wider_batch(const package_metadata& package, const process_facts& requested) {
    const std::string inputs = entry(package, "PERFSPEC_INPUTS");
    const auto shape = inputs.find('[');
    int least{}, most{};
    if (shape == std::string::npos || std::sscanf(inputs.c_str() + shape, "[%d..%d", &least, &most) != 2) return {};
    const int batch = std::atoi(batch_of(requested).c_str());
    return " --dynamic 0=" + std::to_string(std::min(least, batch)) + ".." + std::to_string(std::max(most, batch));
}

std::string export_command(const std::string& file, const package_metadata& package, const process_facts& here) {
    const std::string python = python_of(package) + " " + export_script();
    const std::string model = entry(package, "PERFSPEC_MODEL");
    if (model.empty() && !package.empty())  // compiled by another script
        return python + " --describe " + file + " --inputs \"" + here.inputs + "\" --threads " + here.threads +
               " --device " + here.device + " (this writes into the package what you compiled it for)";
    const std::string models = entry(package, "PERFSPEC_MODELS"), options = entry(package, "PERFSPEC_OPTIONS");
    return python + " --models " + (models.empty() ? "models.py" : models) + " --model " +
           (model.empty() ? std::filesystem::path{file}.stem().string() : model) +
           (options.empty() ? "" : " " + options) + " --batch " + batch_of(here) + " --threads " + here.threads +
           " --device " + here.device + (announces_kernels(package) ? " --kernel-profiling" : "") + " --output " + file;
}

}  // namespace perfspec::inline v0_2::detail
