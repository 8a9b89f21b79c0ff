// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <array>
#include <cstddef>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace perfspec::detail {

/// A library that is loaded while the program runs, where the machine has it. It stays loaded until the process ends: a
/// driver does not survive being unloaded.
class shared_library {
public:
    /// name  as the dynamic linker finds it ("libcuda.so.1", by LD_LIBRARY_PATH too), or a path
    explicit shared_library(const std::string& name) : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ != nullptr) return;
        const char* const why = ::dlerror();
        fault_ = why == nullptr ? name + " is not there" : why;
    }

    /// Why it is not there, in the words of the dynamic linker; empty where it is.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

    /// Points a function pointer to the function of that name, or to nothing where the library has none.
    template <class Function> void find(const char* name, Function*& into) const noexcept {
        void* const address = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
        into = reinterpret_cast<Function*>(address);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): dlsym(3)
    }

private:
    void* handle_{};
    std::string fault_{};
};

}  // namespace perfspec::detail

namespace perfspec {

/// What decides a GPU's speed and stays the same until somebody sets it up anew, and what identifies it; or why that
/// cannot be had.
struct gpu_facts {
    /// "NVIDIA H100 80GB HBM3". A slice of a GPU has its MIG profile behind that: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
    std::string name{};
    std::string uuid{};                          ///< "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", of a slice "MIG-…"
    std::string pci_bus_id{};                    ///< "0000:3b:00.0"; of a slice that of its GPU
    std::vector<versioned_library> libraries{};  ///< the model and what else may change its speed
    std::string fault{};                         ///< why nothing is known of it; empty where it is

    friend bool operator==(const gpu_facts&, const gpu_facts&) = default;
};

/// How many GPUs a program can use, or why there are none.
struct gpu_count {
    int gpus{};
    std::string fault{};  ///< empty where there are some
};

namespace detail {

struct cuda_uuid {
    std::array<unsigned char, 16> bytes{};
};

/// The functions of NVIDIA's driver that identify a GPU. They number GPUs as the CUDA runtime does in the same process,
/// CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER included; NVML and nvidia-smi do not. Tests script them. A function that
/// the driver lacks is null.
///
/// Source: CUDA Driver API, "Device Management"; the names are those of its binary interface, which keeps them. So
/// neither headers nor the toolkit are needed, and a program that LibTorch links knows its GPU as well as one that
/// links CUDA.
struct cuda_driver {
    int (*init)(unsigned flags){};
    int (*count)(int* devices){};
    int (*device)(int* device, int ordinal){};
    int (*name)(char* text, int length, int device){};
    int (*uuid)(cuda_uuid* uuid, int device){};  ///< of a slice its own
    int (*pci_bus_id)(char* text, int length, int device){};
    int (*memory)(std::size_t* bytes, int device){};
    int (*attribute)(int* value, int which, int device){};
    int (*version)(int* version){};
    int (*error_name)(int error, const char** text){};
    int (*error_string)(int error, const char** text){};
    std::string fault{};  ///< why the driver cannot be loaded; then all functions are null
};

/// The driver of this machine, "libcuda.so.1", or the one at a path. Never throws for a missing one.
[[nodiscard]] cuda_driver load_cuda_driver(const std::string& library = "libcuda.so.1");

/// How many GPUs the driver shows to this process.
[[nodiscard]] gpu_count count_gpus(const cuda_driver& driver);

/// The facts of a GPU by its number in CUDA.
[[nodiscard]] gpu_facts identify_gpu(const cuda_driver& driver, int ordinal);

}  // namespace detail
}  // namespace perfspec
