// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/shared_library.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <map>

namespace perfspec::detail {

/// A kernel in PTX, which the driver compiles for the device at hand, so that no user needs the CUDA compiler. The
/// block that runs on multiprocessor 0 writes its clock and the global timer: the clocks of two multiprocessors are not
/// comparable.
///
/// Source: PTX ISA, "Special Registers" (%smid, %clock64, %globaltimer); NVBench (nvbench/detail/timestamps_kernel.cu)
/// reads them so.
inline constexpr const char* stamp_ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry perfspec_stamp(.param .u64 into)
{
    .reg .pred %p;
    .reg .b32 %r;
    .reg .b64 %at;
    .reg .b64 %cycles;
    .reg .b64 %time;
    mov.u32 %r, %smid;
    setp.ne.u32 %p, %r, 0;
    @%p bra DONE;
    ld.param.u64 %at, [into];
    cvta.to.global.u64 %at, %at;
    mov.u64 %cycles, %clock64;
    mov.u64 %time, %globaltimer;
    st.global.u64 [%at], %cycles;
    st.global.u64 [%at+8], %time;
DONE:
    ret;
}
)";

/// The functions of the driver that load and launch a kernel; their errors have the numbers of the runtime's.
struct kernel_driver {
    int (*load)(void** module, const void* image){};
    int (*find)(void** function, void* module, const char* name){};
    int (*launch)(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, cudaStream_t stream, void** parameters, void** extra){};
};

inline const kernel_driver& known_kernel_driver() {
    static const kernel_driver known = [] {
        const shared_library driver("libcuda.so.1");
        kernel_driver found;
        driver.find("cuModuleLoadData", found.load);
        driver.find("cuModuleGetFunction", found.find);
        driver.find("cuLaunchKernel", found.launch);
        return found;
    }();
    return known;
}

/// The kernel on the current device. It stays loaded until the process ends.
inline cudaError_t stamp_function(void** function, int device) {
    static std::map<int, void*> loaded;
    void*& known = loaded[device];
    const kernel_driver& driver = known_kernel_driver();
    if (driver.load == nullptr || driver.find == nullptr || driver.launch == nullptr) return cudaErrorNotSupported;
    void* module = nullptr;
    if (known == nullptr) {
        if (const int failed = driver.load(&module, stamp_ptx); failed != 0) return static_cast<cudaError_t>(failed);
        if (const int failed = driver.find(&known, module, "perfspec_stamp"); failed != 0)
            return static_cast<cudaError_t>(failed);
    }
    return (*function = known, cudaSuccess);
}

inline cudaError_t create_mapped_stamps(clock_stamp** stamps, std::size_t count) {
    void* at = nullptr;
    const cudaError_t made = cudaHostAlloc(&at, count * sizeof(clock_stamp), cudaHostAllocMapped);
    *stamps = static_cast<clock_stamp*>(at);
    return made;
}

inline cudaError_t stamp_by_kernel(cudaStream_t stream, clock_stamp* into) {
    int device = 0;
    int multiprocessors = 0;
    void* function = nullptr;
    void* on_device = nullptr;
    if (const cudaError_t failed = cudaGetDevice(&device); failed != cudaSuccess) return failed;
    if (const cudaError_t failed = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        failed != cudaSuccess)
        return failed;
    if (const cudaError_t failed = stamp_function(&function, device); failed != cudaSuccess) return failed;
    if (const cudaError_t failed = cudaHostGetDevicePointer(&on_device, into, 0); failed != cudaSuccess) return failed;
    constexpr unsigned blocks_on_each = 32;  // enough that multiprocessor 0 has one
    void* parameters[] = {&on_device};
    return static_cast<cudaError_t>(
        known_kernel_driver().launch(function, blocks_on_each * static_cast<unsigned>(multiprocessors), 1, 1, 1, 1, 1,
                                     0, stream, parameters, nullptr));
}

}  // namespace perfspec::detail
