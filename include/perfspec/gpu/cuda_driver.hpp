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

namespace perfspec::inline v0_2 {

/// own: this process, an ancestor or a descendant. stranger: another one. unseen: a number that this system does not
/// know, maybe of a process outside a container.
enum class kin : unsigned char { own, stranger, unseen };

namespace detail {

/// The relation of a process to another one. `parent_of` returns 0 for the first process, and none for an unknown one.
[[nodiscard]] kin kin_of_process(unsigned pid, unsigned self, std::optional<unsigned> (*parent_of)(unsigned pid));

/// The parent in /proc/<pid>/stat (proc(5)).
[[nodiscard]] std::optional<unsigned> parent_of_process(unsigned pid);

/// The relation of a process to this one.
[[nodiscard]] inline kin kin_of_this_process(unsigned pid) {
    return kin_of_process(pid, static_cast<unsigned>(::getpid()), parent_of_process);
}

/// A library that is loaded at run time, if the machine has it. It is never unloaded, which a driver would not survive.
class shared_library {
public:
    /// name  for the dynamic linker ("libcuda.so.1", also by LD_LIBRARY_PATH), or a path
    explicit shared_library(const std::string& name) : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ != nullptr) return;
        const char* const why = ::dlerror();
        fault_ = why == nullptr ? name + " cannot be loaded" : why;
    }

    /// Why it is missing, in the words of the dynamic linker; empty if it is loaded.
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

    /// Sets a function pointer to the function of that name, or to null.
    template <class Function> void find(const char* name, Function*& into) const noexcept {
        void* const address = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
        into = reinterpret_cast<Function*>(address);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): dlsym(3)
    }

private:
    void* handle_{};
    std::string fault_{};
};

}  // namespace detail

/// The identity of a GPU and permanent facts that determine its speed; or why they are unknown.
struct gpu_facts {
    /// "NVIDIA H100 80GB HBM3", for a slice with its MIG profile: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
    std::string name{};
    std::string uuid{};                          ///< "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", of a slice "MIG-…"
    std::string pci_bus_id{};                    ///< "0000:3b:00.0"; of a slice that of its GPU
    std::vector<versioned_library> libraries{};  ///< the model and other facts that may change its speed
    std::string fault{};                         ///< why nothing is known, or empty

    friend bool operator==(const gpu_facts&, const gpu_facts&) = default;
};

/// The number of GPUs that a program can use, or why there are none.
struct gpu_count {
    int gpus{};
    std::string fault{};  ///< empty if there are some
};

namespace detail {

struct cuda_uuid {
    std::array<unsigned char, 16> bytes{};
};

/// The functions of NVIDIA's driver that identify a GPU. They number GPUs as the CUDA runtime does in the same process,
/// CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER included; NVML and nvidia-smi do not. Tests script them. A function that
/// the driver lacks is null.
///
/// Source: CUDA Driver API, "Device Management"; the names are those of its stable binary interface. So neither headers
/// nor the toolkit are needed, and a program with only LibTorch knows its GPU as well as one that links CUDA.
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

/// The number of GPUs that the driver shows to this process.
[[nodiscard]] gpu_count count_gpus(const cuda_driver& driver);

/// The facts of a GPU by its number in CUDA.
[[nodiscard]] gpu_facts identify_gpu(const cuda_driver& driver, int ordinal);

}  // namespace detail

/// Why a GPU runs below its highest clock, as bits of one number.
///
/// Source: NVML's documentation, "NvmlClocksEventReasons".
enum class slow_clock : std::uint64_t {
    idle = 0x1,
    set_by_hand = 0x2,  ///< a setting limits the clocks
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

/// nvmlViolationTime_t: time of a reduced clock since the driver was loaded. Only differences of two readings have a
/// meaning.
struct nvml_violation {
    unsigned long long until_microseconds{};  ///< the moment, by a clock of the driver
    unsigned long long nanoseconds{};
};

}  // namespace detail

/// The state of a GPU at a moment by NVML, or why it is unknown. Unknown members are empty.
struct gpu_state {
    std::optional<unsigned> sm_mhz{};      ///< clock of the multiprocessors
    std::optional<unsigned> max_sm_mhz{};  ///< the highest that they can run at
    std::optional<unsigned> celsius{};
    std::optional<double> watts{};
    std::optional<double> watts_limit{};
    std::optional<bool> persistence{};            ///< the driver stays loaded while the GPU has no users
    std::optional<unsigned long long> reasons{};  ///< bits of `slow_clock`
    std::optional<detail::nvml_violation> by_power{};
    std::optional<detail::nvml_violation> by_heat{};
    std::vector<unsigned> holders{};       ///< processes with memory there, computing or not
    std::vector<detail::nvml_use> uses{};  ///< by processes, since a given moment
    std::string fault{};                   ///< why nothing is known, or empty

    /// Whether the clock is reduced for this reason now.
    [[nodiscard]] bool is_slow_by(slow_clock reason) const noexcept {
        return (reasons.value_or(0) & static_cast<std::uint64_t>(reason)) != 0;
    }
};

namespace detail {

/// The functions of NVIDIA's management library that read the state of a GPU. None changes a setting. Tests script
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

/// The present state of the GPU at this place on the bus; for a slice that of its GPU.
///
/// since_microseconds  start of the use by processes, by the clock of the driver; 0: all
[[nodiscard]] gpu_state read_gpu_state(const nvml_library& library, const std::string& pci_bus_id,
                                       std::uint64_t since_microseconds = 0);

/// The use of a GPU by other programs.
struct foreign_use {
    std::size_t processes{};
    double share{};  ///< of the time of its multiprocessors, at most 1

    friend bool operator==(const foreign_use&, const foreign_use&) = default;
};

/// The processes that computed on the GPU and do not belong to this program, also those that it cannot see: NVML has
/// the numbers of the host, and a container has its own. If this program does not see itself among them, the busiest
/// unseen one is taken for it.
[[nodiscard]] foreign_use use_by_others(const std::vector<nvml_use>& uses, kin (*kin_of)(unsigned pid));

/// Why a GPU was slow between two readings: "heat", "hardware", "power brake", "power limit", "sync boost".
[[nodiscard]] std::vector<std::string> reasons_of_slowness(const gpu_state& before, const gpu_state& after);

/// The activity between two readings, for the record.
///
/// Heat and power count from one hundredth of the time on, or if they reduce the clock at a reading. The factor by
/// which heat, hardware or power brake slowed the GPU follows from its clock at the end; if that is no longer reduced,
/// it is two, the least reduction by the hardware. Other programs slow it down by their use, at most as by turns.
///
/// Source: NVML API reference, "NvmlClocksEventReasons" and nvmlDeviceGetViolationStatus.
[[nodiscard]] device_activity activity_between(std::string_view device, const gpu_state& before, const gpu_state& after,
                                               kin (*kin_of)(unsigned pid));

}  // namespace detail
}  // namespace perfspec::inline v0_2
