// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/cuda_driver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace perfspec::detail {

cuda_driver load_cuda_driver(const std::string& library) {
    const shared_library loaded(library);
    cuda_driver driver;
    driver.fault = loaded.fault();
    loaded.find("cuInit", driver.init);
    loaded.find("cuDeviceGetCount", driver.count);
    loaded.find("cuDeviceGet", driver.device);
    loaded.find("cuDeviceGetName", driver.name);
    loaded.find("cuDeviceGetUuid_v2", driver.uuid);
    loaded.find("cuDeviceGetPCIBusId", driver.pci_bus_id);
    loaded.find("cuDeviceTotalMem_v2", driver.memory);
    loaded.find("cuDeviceGetAttribute", driver.attribute);
    loaded.find("cuDriverGetVersion", driver.version);
    loaded.find("cuGetErrorName", driver.error_name);
    loaded.find("cuGetErrorString", driver.error_string);
    return driver;
}

/// "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected".
[[nodiscard]] inline std::string describe_driver_error(const cuda_driver& driver, int error) {
    const auto told = [&](int (*text_of)(int, const char**)) {
        const char* text = nullptr;
        return text_of != nullptr && text_of(error, &text) == 0 && text != nullptr ? std::string(text) : std::string();
    };
    const std::string name = told(driver.error_name);
    return name.empty() ? fmt::format("error {} of the driver", error) : name + ": " + told(driver.error_string);
}

/// Empty where the driver does not tell it.
[[nodiscard]] inline std::string uuid_of(const cuda_driver& driver, int device, bool is_slice) {
    cuda_uuid uuid;
    const bool is_told = driver.uuid != nullptr && driver.uuid(&uuid, device) == 0;
    if (!is_told || std::ranges::all_of(uuid.bytes, [](unsigned char b) { return b == 0; })) return {};
    std::string text = is_slice ? "MIG" : "GPU";
    for (std::size_t i = 0; i < uuid.bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
    return text;
}

[[nodiscard]] inline std::vector<versioned_library> libraries_of(const cuda_driver& driver, int device,
                                                                 const std::string& name) {
    const auto attribute = [&](int which) -> std::optional<int> {
        int value = 0;
        if (driver.attribute == nullptr || driver.attribute(&value, which, device) != 0) return {};
        return value;
    };
    constexpr int multiprocessors = 16, ecc = 32, major = 75, minor = 76;  // of CUdevice_attribute
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    std::size_t bytes = 0;
    int version = 0;
    std::vector<versioned_library> all;
    if (driver.version != nullptr && driver.version(&version) == 0 && version > 0)
        all.push_back({"CUDA of the driver", fmt::format("{}.{}", version / 1000, version % 1000 / 10)});
    all.push_back({"GPU", name});
    if (const auto is_on = attribute(ecc)) all.push_back({"GPU ECC", *is_on != 0 ? "on" : "off"});
    if (attribute(major) && attribute(minor))
        all.push_back({"GPU compute capability", fmt::format("{}.{}", *attribute(major), *attribute(minor))});
    if (driver.memory != nullptr && driver.memory(&bytes, device) == 0)
        all.push_back({"GPU memory", fmt::format("{:.1f} GiB", static_cast<double>(bytes) / gib)});
    if (const auto many = attribute(multiprocessors)) all.push_back({"GPU multiprocessors", std::to_string(*many)});
    return all;
}

/// Why the driver cannot be asked; empty where it can.
[[nodiscard]] inline std::string fault_of_driver(const cuda_driver& driver) {
    if (!driver.fault.empty()) return driver.fault;
    if (driver.init == nullptr || driver.count == nullptr || driver.device == nullptr || driver.name == nullptr)
        return "the driver lacks cuInit, cuDeviceGetCount, cuDeviceGet or cuDeviceGetName: it is none of NVIDIA's";
    const int failed = driver.init(0);
    return failed == 0 ? std::string() : describe_driver_error(driver, failed);
}

gpu_count count_gpus(const cuda_driver& driver) {
    gpu_count there{.gpus = 0, .fault = fault_of_driver(driver)};
    if (!there.fault.empty()) return there;
    const int failed = driver.count(&there.gpus);
    if (failed != 0) return {.gpus = 0, .fault = describe_driver_error(driver, failed)};
    if (there.gpus <= 0) return {.gpus = 0, .fault = "the driver shows no GPU to this process"};
    return there;
}

gpu_facts identify_gpu(const cuda_driver& driver, int ordinal) {
    gpu_facts found{.fault = fault_of_driver(driver)};
    if (!found.fault.empty()) return found;
    int device = 0;
    std::array<char, 256> text{};
    int failed = driver.device(&device, ordinal);
    if (failed == 0) failed = driver.name(text.data(), static_cast<int>(text.size()) - 1, device);
    if (failed != 0) return {.fault = describe_driver_error(driver, failed)};
    found.name = text.data();
    if (found.name.empty()) return {.fault = "the driver tells no name of the GPU"};
    text.fill('\0');
    if (driver.pci_bus_id != nullptr && driver.pci_bus_id(text.data(), static_cast<int>(text.size()) - 1, device) == 0)
        found.pci_bus_id = text.data();
    found.uuid = uuid_of(driver, device, found.name.find(" MIG ") != std::string::npos);
    found.libraries = libraries_of(driver, device, found.name);
    return found;
}

}  // namespace perfspec::detail
