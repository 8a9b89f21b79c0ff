// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

namespace perfspec {

/// own: this process, one that it descends from, or one that descends from it. stranger: any other. unseen: this system
/// does not know the number; it may be that of a process outside a container.
enum class kin : unsigned char { own, stranger, unseen };

namespace detail {

/// How a process belongs to another one. `parent_of` tells which process started one, 0 of the first, nothing of one
/// that the system does not know.
[[nodiscard]] kin kin_of_process(unsigned pid, unsigned self, std::optional<unsigned> (*parent_of)(unsigned pid));

/// The parent that the kernel tells in /proc/<pid>/stat (proc(5)).
[[nodiscard]] std::optional<unsigned> parent_of_process(unsigned pid);

/// How a process belongs to this one.
[[nodiscard]] inline kin kin_of_this_process(unsigned pid) {
    return kin_of_process(pid, static_cast<unsigned>(::getpid()), parent_of_process);
}

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

}  // namespace detail

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

/// Why a GPU runs below the clock that it could run at, as bits of one number.
///
/// Source: NVML's documentation, "NvmlClocksEventReasons".
enum class slow_clock : std::uint64_t {
    idle = 0x1,
    set_by_hand = 0x2,  ///< somebody limited the clocks
    power_limit = 0x4,
    hardware = 0x8,  ///< by a factor of two or more; one of the reasons below may say why
    sync_boost = 0x10,
    heat = 0x20,
    heat_of_hardware = 0x40,
    power_brake = 0x80,  ///< the machine's power supply asks for it
};

namespace detail {

/// nvmlProcessInfo_t of the functions with the ending _v3.
struct nvml_holder {
    unsigned pid{};
    unsigned long long bytes{};
    unsigned gpu_instance{};
    unsigned compute_instance{};
};

/// nvmlProcessUtilizationSample_t.
struct nvml_use {
    unsigned pid{};
    unsigned long long microseconds{};
    unsigned multiprocessors{};  ///< percentages
    unsigned memory{};
    unsigned encoder{};
    unsigned decoder{};
};

/// nvmlViolationTime_t: how long a GPU was held back, from when its driver was loaded until a moment. Only the
/// difference of two readings means something.
struct nvml_violation {
    unsigned long long until_microseconds{};  ///< the moment, by a clock of the driver
    unsigned long long nanoseconds{};
};

}  // namespace detail

/// What NVML tells of a GPU at a moment, or why it tells nothing. What it does not tell is missing, or empty.
struct gpu_state {
    std::optional<unsigned> sm_mhz{};      ///< clock of the multiprocessors
    std::optional<unsigned> max_sm_mhz{};  ///< the highest that they can run at
    std::optional<unsigned> celsius{};
    std::optional<double> watts{};
    std::optional<double> watts_limit{};
    std::optional<bool> persistence{};            ///< the driver stays loaded while nobody uses the GPU
    std::optional<unsigned long long> reasons{};  ///< bits of `slow_clock`
    std::optional<detail::nvml_violation> by_power{};
    std::optional<detail::nvml_violation> by_heat{};
    std::vector<unsigned> holders{};       ///< processes with memory there, computing or not
    std::vector<detail::nvml_use> uses{};  ///< of processes, since the moment that the question named
    std::string fault{};                   ///< why nothing is known; empty where it is

    /// Whether the clock is reduced for this reason now.
    [[nodiscard]] bool is_slow_by(slow_clock reason) const noexcept {
        return (reasons.value_or(0) & static_cast<std::uint64_t>(reason)) != 0;
    }
};

namespace detail {

/// The functions of NVIDIA's management library that tell what a GPU does. Nothing here changes a setting. Tests script
/// them. A function that the library lacks is null.
///
/// Source: NVML API reference, "Device Queries"; the names are those of its binary interface. So its header is not
/// needed.
struct nvml_library {
    using device = void*;

    int (*init)(){};
    const char* (*error_string)(int error){};
    int (*by_bus_id)(const char* bus_id, device* found){};
    int (*clock)(device gpu, unsigned which, unsigned* mhz){};
    int (*max_clock)(device gpu, unsigned which, unsigned* mhz){};
    int (*temperature)(device gpu, unsigned sensor, unsigned* celsius){};
    int (*power)(device gpu, unsigned* milliwatts){};
    int (*power_limit)(device gpu, unsigned* milliwatts){};
    int (*persistence)(device gpu, int* is_on){};
    int (*reasons)(device gpu, unsigned long long* bits){};
    int (*held_back)(device gpu, int policy, nvml_violation* so_long){};
    int (*holders)(device gpu, unsigned* count, nvml_holder* all){};
    int (*uses)(device gpu, nvml_use* all, unsigned* count, unsigned long long since_microseconds){};
    std::string fault{};  ///< why the library cannot be loaded; then all functions are null
};

/// The library of this machine, "libnvidia-ml.so.1", or the one at a path. Never throws for a missing one.
[[nodiscard]] nvml_library load_nvml(const std::string& library = "libnvidia-ml.so.1");

/// What the library tells now of the GPU at this place on the bus; of a slice, what it tells of its GPU.
///
/// since_microseconds  what processes used before this moment, by the clock of the driver, is left out; 0: nothing is
[[nodiscard]] gpu_state read_gpu_state(const nvml_library& library, const std::string& pci_bus_id,
                                       std::uint64_t since_microseconds = 0);

/// What other programs did on a GPU.
struct foreign_use {
    std::size_t processes{};
    double share{};  ///< of the time of its multiprocessors, at most 1

    friend bool operator==(const foreign_use&, const foreign_use&) = default;
};

/// The processes that computed on the GPU and do not belong to this program. Processes that this program cannot see
/// (NVML tells the numbers that the host knows, and a container has its own) count, too. Where this program itself is
/// not among those that it sees, the busiest unseen one is taken for it.
[[nodiscard]] foreign_use use_by_others(const std::vector<nvml_use>& uses, kin (*kin_of)(unsigned pid));

/// What slowed a GPU down between two readings: "heat", "hardware", "power brake", "power limit", "sync boost".
[[nodiscard]] std::vector<std::string> reasons_of_slowness(const gpu_state& before, const gpu_state& after);

/// What happened between two readings, as the record has it.
///
/// Heat counts from one hundredth of the time on, or where it reduces the clock at a reading, and so does power. By how
/// much heat, the hardware or the power brake slowed the GPU is told by its clock at the end; where they have let go of
/// it by then, the factor is the two by which the hardware slows down at least. Other programs take what they used, and
/// no more than their turns.
///
/// Source: NVML API reference, "NvmlClocksEventReasons" and nvmlDeviceGetViolationStatus.
[[nodiscard]] device_activity activity_between(std::string_view device, const gpu_state& before, const gpu_state& after,
                                               kin (*kin_of)(unsigned pid));

}  // namespace detail
}  // namespace perfspec
