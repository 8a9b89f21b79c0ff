// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/cuda_driver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace perfspec::detail {

cuda_driver load_cuda_driver(const std::string& library) {
    const shared_library loaded(library);
    cuda_driver driver;
    driver.fault = loaded.fault();
    loaded.find("cuInit", driver.init);
    loaded.find("cuDeviceGetCount", driver.count);
    loaded.find("cuDeviceGet", driver.device);
    loaded.find("cuDeviceGetName", driver.name);
    loaded.find("cuDeviceGetUuid", driver.uuid_of_gpu);
    loaded.find("cuDeviceGetUuid_v2", driver.uuid);
    loaded.find("cuDeviceGetPCIBusId", driver.pci_bus_id);
    loaded.find("cuDeviceTotalMem_v2", driver.memory);
    loaded.find("cuDeviceGetAttribute", driver.attribute);
    loaded.find("cuDriverGetVersion", driver.version);
    loaded.find("cuGetErrorName", driver.error_name);
    loaded.find("cuGetErrorString", driver.error_string);
    return driver;
}

/// Numbers of CUdevice_attribute.
inline constexpr int attribute_multiprocessors = 16;
inline constexpr int attribute_ecc = 32;
inline constexpr int attribute_compute_major = 75;
inline constexpr int attribute_compute_minor = 76;

/// "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected".
[[nodiscard]] inline std::string describe_driver_error(const cuda_driver& driver, int error) {
    const auto told = [&](int (*text_of)(int, const char**)) {
        const char* text = nullptr;
        return text_of != nullptr && text_of(error, &text) == 0 && text != nullptr ? std::string(text) : std::string();
    };
    const std::string name = told(driver.error_name);
    return name.empty() ? fmt::format("error {} of the driver", error) : name + ": " + told(driver.error_string);
}

[[nodiscard]] inline std::string text_of_uuid(const cuda_uuid& uuid, bool is_slice) {
    std::string text = is_slice ? "MIG" : "GPU";
    for (std::size_t i = 0; i < uuid.bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
    return text;
}

/// Adds the unique name of the device. A slice has one of its own, and an older question that answers with that of its
/// GPU tells them apart.
inline void add_uuid(const cuda_driver& driver, int device, gpu_facts& facts) {
    cuda_uuid own, of_gpu;
    const bool is_told = driver.uuid != nullptr && driver.uuid(&own, device) == 0;
    const bool is_told_of_gpu = driver.uuid_of_gpu != nullptr && driver.uuid_of_gpu(&of_gpu, device) == 0;
    facts.is_slice = is_told && is_told_of_gpu && own.bytes != of_gpu.bytes;
    const cuda_uuid& chosen = is_told ? own : of_gpu;
    const bool is_empty =
        std::ranges::all_of(chosen.bytes, [](unsigned char b) { return b == 0; });  // not told after all
    if ((is_told || is_told_of_gpu) && !is_empty) facts.uuid = text_of_uuid(chosen, facts.is_slice);
}

[[nodiscard]] inline std::optional<int> attribute_of(const cuda_driver& driver, int which, int device) {
    int value = 0;
    if (driver.attribute == nullptr || driver.attribute(&value, which, device) != 0) return {};
    return value;
}

inline void add_attributes(const cuda_driver& driver, int device, gpu_facts& facts) {
    const auto major = attribute_of(driver, attribute_compute_major, device);
    const auto minor = attribute_of(driver, attribute_compute_minor, device);
    if (major && minor) facts.compute_capability = fmt::format("{}.{}", *major, *minor);
    facts.multiprocessors = attribute_of(driver, attribute_multiprocessors, device).value_or(0);
    if (const auto ecc = attribute_of(driver, attribute_ecc, device)) facts.ecc = *ecc != 0;
    std::size_t bytes = 0;
    if (driver.memory != nullptr && driver.memory(&bytes, device) == 0) facts.memory_bytes = bytes;
    int version = 0;
    if (driver.version != nullptr && driver.version(&version) == 0 && version > 0)
        facts.cuda_version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Names the slice where the driver only names its GPU: times of a slice are not those of the whole.
inline void name_slice(gpu_facts& facts) {
    if (!facts.is_slice || facts.name.find("MIG") != std::string::npos) return;
    facts.name += fmt::format(" MIG {} multiprocessors {} MiB", facts.multiprocessors, facts.memory_bytes >> 20U);
}

[[nodiscard]] inline gpu_identity unidentified(std::string why) { return {.facts = {}, .fault = std::move(why)}; }

/// Why the driver cannot be asked; empty where it can.
[[nodiscard]] inline std::string fault_of_driver(const cuda_driver& driver) {
    if (!driver.fault.empty()) return driver.fault;
    if (driver.init == nullptr || driver.count == nullptr || driver.device == nullptr || driver.name == nullptr)
        return "the driver lacks cuInit, cuDeviceGetCount, cuDeviceGet or cuDeviceGetName: it is none of NVIDIA's";
    const int failed = driver.init(0);
    return failed == 0 ? std::string() : describe_driver_error(driver, failed);
}

gpu_count count_gpus(const cuda_driver& driver) {
    if (std::string fault = fault_of_driver(driver); !fault.empty()) return {.gpus = 0, .fault = std::move(fault)};
    int gpus = 0;
    if (const int failed = driver.count(&gpus); failed != 0)
        return {.gpus = 0, .fault = describe_driver_error(driver, failed)};
    if (gpus <= 0) return {.gpus = 0, .fault = "the driver shows no GPU to this process"};
    return {.gpus = gpus, .fault = {}};
}

gpu_identity identify_gpu(const cuda_driver& driver, int ordinal) {
    if (std::string fault = fault_of_driver(driver); !fault.empty()) return unidentified(std::move(fault));
    int device = 0;
    if (const int failed = driver.device(&device, ordinal); failed != 0)
        return unidentified(describe_driver_error(driver, failed));
    std::array<char, 256> name{};
    if (const int failed = driver.name(name.data(), static_cast<int>(name.size()) - 1, device); failed != 0)
        return unidentified(describe_driver_error(driver, failed));
    gpu_identity found{.facts = {.name = name.data()}, .fault = {}};
    if (found.facts.name.empty()) return unidentified("the driver tells no name of the GPU");
    std::array<char, 32> bus{};
    if (driver.pci_bus_id != nullptr && driver.pci_bus_id(bus.data(), static_cast<int>(bus.size()) - 1, device) == 0)
        found.facts.pci_bus_id = bus.data();
    add_uuid(driver, device, found.facts);
    add_attributes(driver, device, found.facts);
    name_slice(found.facts);
    return found;
}

}  // namespace perfspec::detail
