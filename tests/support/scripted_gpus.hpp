// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/gpu/gpu_machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// One GPU of a scripted machine, or a slice of one.
struct scripted_gpu {
    std::string name = "NVIDIA H100 80GB HBM3";
    unsigned char uuid = 1;  ///< each byte of it
    std::string pci_bus_id = "0000:3b:00.0";
    std::size_t memory = std::size_t{80} << 30U;
    int multiprocessors = 132;
    int major = 9;
    int minor = 0;
    int ecc = 1;
};

/// NVIDIA's driver, with the GPUs in the order of CUDA. The last one made is in force.
class scripted_gpus {
public:
    explicit scripted_gpus(std::vector<scripted_gpu> all = {scripted_gpu{}}) : gpus(std::move(all)) { now = this; }
    scripted_gpus(const scripted_gpus&) = delete;
    scripted_gpus& operator=(const scripted_gpus&) = delete;
    ~scripted_gpus() { now = nullptr; }

    std::vector<scripted_gpu> gpus;
    int init_error = 0;   ///< of the driver's first call
    int query_error = 0;  ///< of every query except that of the name
    int asked_for_names = 0;

    [[nodiscard]] static detail::cuda_driver driver() {
        detail::cuda_driver d;
        d.init = [](unsigned) { return now->init_error; };
        d.count = [](int* devices) { return (*devices = static_cast<int>(now->gpus.size()), 0); };
        d.device = [](int* device, int ordinal) {
            *device = ordinal;
            return ordinal < static_cast<int>(now->gpus.size()) ? 0 : 101;
        };
        d.name = [](char* text, int length, int device) {
            return (++now->asked_for_names, put(text, length, at(device).name));
        };
        d.uuid = [](detail::cuda_uuid* uuid, int device) {
            return (uuid->bytes.fill(at(device).uuid), now->query_error);
        };
        d.pci_bus_id = [](char* text, int length, int device) {
            return (put(text, length, at(device).pci_bus_id), now->query_error);
        };
        d.memory = [](std::size_t* bytes, int device) { return (*bytes = at(device).memory, now->query_error); };
        d.attribute = [](int* value, int which, int device) {
            return (*value = attribute(which, at(device)), now->query_error);
        };
        d.version = [](int* version) { return (*version = 13000, now->query_error); };
        d.error_name = [](int error, const char** text) {
            *text = error == 100   ? "CUDA_ERROR_NO_DEVICE"
                    : error == 101 ? "CUDA_ERROR_INVALID_DEVICE"
                                   : "CUDA_ERROR_UNKNOWN";
            return 0;
        };
        d.error_string = [](int error, const char** text) {
            *text = error == 100   ? "no CUDA-capable device is detected"
                    : error == 101 ? "invalid device ordinal"
                                   : "unknown error";
            return 0;
        };
        return d;
    }

private:
    static const scripted_gpu& at(int device) { return now->gpus.at(static_cast<std::size_t>(device)); }
    static int put(char* text, int length, const std::string& from) {
        std::strncpy(text, from.c_str(), static_cast<std::size_t>(length));
        return 0;
    }
    static int attribute(int which, const scripted_gpu& gpu) {  // CUdevice_attribute
        return which == 16   ? gpu.multiprocessors
               : which == 32 ? gpu.ecc
               : which == 75 ? gpu.major
               : which == 76 ? gpu.minor
                             : -1;
    }

    static inline scripted_gpus* now = nullptr;
};

}  // namespace perfspec::testing
