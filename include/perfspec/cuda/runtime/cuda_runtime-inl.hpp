// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/linked_library.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/gpu/cuda_driver.hpp>
#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// A kernel in PTX, which the driver compiles for the device, so that no user needs the CUDA compiler. The block on
/// multiprocessor 0 writes its clock and the global timer: clocks of different multiprocessors are not comparable.
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

/// Functions of the driver, with the error numbers of the runtime. They are found by name in the library that the
/// runtime has loaded, so that no program links the driver. A missing function is null.
///
/// Source: CUDA Driver API, "Module Management", "Stream Memory Operations", and "Context Management", whose last two
/// order the work of all streams of a context, from CUDA 12.5 on.
struct driver_functions {
    int (*load)(void** module, const void* image){};
    int (*find)(void** function, void* module, const char* name){};
    int (*launch)(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, cudaStream_t stream, void** parameters, void** extra){};
    int (*wait_value)(cudaStream_t stream, unsigned long long address, std::uint32_t value, unsigned flags){};
    int (*context)(void** current){};
    int (*record)(void* context, cudaEvent_t event){};
    int (*wait)(void* context, cudaEvent_t event){};

    [[nodiscard]] bool sees_every_stream() const noexcept {
        return context != nullptr && record != nullptr && wait != nullptr;
    }
};

inline const driver_functions& driver_of_runtime() {
    static const driver_functions known = [] {
        const shared_library driver("libcuda.so.1");
        driver_functions found;
        driver.find("cuModuleLoadData", found.load);
        driver.find("cuModuleGetFunction", found.find);
        driver.find("cuLaunchKernel", found.launch);
        driver.find("cuStreamWaitValue32_v2", found.wait_value);
        driver.find("cuCtxGetCurrent", found.context);
        driver.find("cuCtxRecordEvent", found.record);
        driver.find("cuCtxWaitEvent", found.wait);
        return found;
    }();
    return known;
}

/// The kernel above on the current device. It stays loaded until the process ends.
inline cudaError_t stamp_function(void** function, int device) {
    static std::map<int, void*> loaded;
    void*& known = loaded[device];
    const driver_functions& driver = driver_of_runtime();
    if (driver.load == nullptr || driver.find == nullptr || driver.launch == nullptr) return cudaErrorNotSupported;
    void* module = nullptr;
    int failed = known == nullptr ? driver.load(&module, stamp_ptx) : 0;
    if (module != nullptr && failed == 0) failed = driver.find(&known, module, "perfspec_stamp");
    *function = known;
    return static_cast<cudaError_t>(failed);
}

inline cudaError_t stamp_by_kernel(cudaStream_t stream, clock_stamp* into) {
    constexpr unsigned blocks_on_each = 32;  // so many that multiprocessor 0 has one
    int device = 0;
    int multiprocessors = 0;
    void* function = nullptr;
    void* on_device = nullptr;
    cudaError_t failed = cudaGetDevice(&device);
    if (failed == cudaSuccess)
        failed = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (failed == cudaSuccess) failed = stamp_function(&function, device);
    if (failed == cudaSuccess) failed = cudaHostGetDevicePointer(&on_device, into, 0);
    if (failed != cudaSuccess) return failed;
    void* parameters[] = {&on_device};
    const unsigned blocks = blocks_on_each * static_cast<unsigned>(multiprocessors);
    return static_cast<cudaError_t>(
        driver_of_runtime().launch(function, blocks, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

/// By the driver instead of a kernel, so that no user needs the CUDA compiler.
inline cudaError_t wait_for_mapped_flag(cudaStream_t stream, std::uint32_t* flag) {
    constexpr unsigned until_greater_or_equal = 0;  // CU_STREAM_WAIT_VALUE_GEQ
    const auto wait = driver_of_runtime().wait_value;
    void* on_device = nullptr;
    if (wait == nullptr) return cudaErrorNotSupported;
    if (const cudaError_t failed = cudaHostGetDevicePointer(&on_device, flag, 0); failed != cudaSuccess) return failed;
    return static_cast<cudaError_t>(
        wait(stream, reinterpret_cast<std::uintptr_t>(on_device), hold_flag::released, until_greater_or_equal));
}

/// In a thread, because the body, called by the thread that holds the stream, may wait for it.
inline std::shared_ptr<void> watch_in_a_thread(std::uint32_t* flag, std::chrono::nanoseconds at_most) {
    return std::make_shared<std::jthread>([flag, at_most](const std::stop_token& ended) {
        std::mutex mutex;
        std::condition_variable_any sleeping;
        std::unique_lock lock(mutex);
        static_cast<void>(sleeping.wait_for(lock, ended, at_most, [] { return false; }));
        std::uint32_t expected = hold_flag::held;
        if (!ended.stop_requested()) std::atomic_ref(*flag).compare_exchange_strong(expected, hold_flag::timed_out);
    });
}

/// Calls a function of the driver for the current context and an event.
inline cudaError_t in_current_context(int (*call)(void* context, cudaEvent_t event), cudaEvent_t event) {
    void* context = nullptr;
    const int failed = driver_of_runtime().context(&context);
    return static_cast<cudaError_t>(failed != 0 ? failed : call(context, event));
}

// With an older driver, the legacy default stream orders others: its work waits for all blocking streams, and they wait
// for it. Source: CUDA Runtime API, "Stream synchronization behavior".
inline cudaError_t hold_other_streams(cudaStream_t stream, cudaEvent_t event) {
    if (const cudaError_t failed = cudaEventRecord(event, stream); failed != cudaSuccess) return failed;
    const driver_functions& driver = driver_of_runtime();
    return driver.sees_every_stream() ? in_current_context(driver.wait, event)
                                      : cudaStreamWaitEvent(cudaStreamLegacy, event, 0);
}

inline cudaError_t wait_for_other_streams(cudaStream_t stream, cudaEvent_t event) {
    const driver_functions& driver = driver_of_runtime();
    const cudaError_t failed = driver.sees_every_stream() ? in_current_context(driver.record, event)
                                                          : cudaEventRecord(event, cudaStreamLegacy);
    return failed != cudaSuccess ? failed : cudaStreamWaitEvent(stream, event, 0);
}

/// Adds up an attribute of the stream-ordered allocator and one of the graphs, each of 64 bits.
inline cudaError_t add_attributes(std::uint64_t& sum, int device, cudaMemPoolAttr of_pool,
                                  cudaGraphMemAttributeType of_graphs) {
    cudaMemPool_t pool{};
    std::uint64_t in_pool = 0;
    std::uint64_t in_graphs = 0;
    cudaError_t failed = cudaDeviceGetMemPool(&pool, device);
    if (failed == cudaSuccess) failed = cudaMemPoolGetAttribute(pool, of_pool, &in_pool);
    if (failed == cudaSuccess) failed = cudaDeviceGetGraphMemAttribute(device, of_graphs, &in_graphs);
    sum = in_pool + in_graphs;
    return failed;
}

inline cudaError_t read_reserved(std::uint64_t& sum, int device) {
    return add_attributes(sum, device, cudaMemPoolAttrReservedMemCurrent, cudaGraphMemAttrReservedMemCurrent);
}

/// The memory of the current device that neither is free nor belongs to its allocators. Reads it again if these change
/// meanwhile.
inline cudaError_t read_plain_memory(std::uint64_t& plain, int device) {
    for (;;) {
        std::size_t free = 0;
        std::size_t total = 0;
        std::uint64_t before = 0;
        std::uint64_t after = 0;
        cudaError_t failed = read_reserved(before, device);
        if (failed == cudaSuccess) failed = cudaMemGetInfo(&free, &total);
        if (failed == cudaSuccess) failed = read_reserved(after, device);
        if (failed != cudaSuccess) return failed;
        plain = total - free - std::min<std::uint64_t>(total - free, after);
        if (before == after) return cudaSuccess;
    }
}

inline cudaError_t read_memory_use(device_memory_use* use, int device) {
    cudaError_t failed =
        add_attributes(use->ordered, device, cudaMemPoolAttrUsedMemCurrent, cudaGraphMemAttrUsedMemCurrent);
    if (failed == cudaSuccess)
        failed = add_attributes(use->most_ordered, device, cudaMemPoolAttrUsedMemHigh, cudaGraphMemAttrUsedMemHigh);
    return failed == cudaSuccess ? read_plain_memory(use->plain, device) : failed;
}

/// Restarts both peaks from the memory in use, for which the driver takes only the number 0.
inline cudaError_t restart_peaks_of_allocators(int device) {
    cudaMemPool_t pool{};
    std::uint64_t zero = 0;
    cudaError_t failed = cudaDeviceGetMemPool(&pool, device);
    if (failed == cudaSuccess) failed = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero);
    return failed == cudaSuccess ? cudaDeviceSetGraphMemAttribute(device, cudaGraphMemAttrUsedMemHigh, &zero) : failed;
}

/// In a thread, because the thread of the body may wait in it.
inline std::shared_ptr<void> watch_plain_memory_in_a_thread(int device, std::atomic<std::uint64_t>& most) {
    return std::make_shared<std::jthread>([device, &most](const std::stop_token& ended) {
        if (cudaSetDevice(device) != cudaSuccess) return;
        std::uint64_t now = 0;
        while (!ended.stop_requested() && read_plain_memory(now, device) == cudaSuccess) {
            most = std::max(most.load(), now);
            std::this_thread::sleep_for(std::chrono::microseconds{20});
        }
    });
}

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {
namespace detail {

/// "13.0" for 13000, or empty.
inline std::string version_text(cudaError_t (*read)(int* version)) {
    int version = 0;
    if (read(&version) != cudaSuccess || version <= 0) return {};
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

inline std::string version_of_cuda_runtime() { return version_text(cudaRuntimeGetVersion); }

/// Distinguishes a driver that is too old from a missing one, for which the runtime has one text.
inline std::string versions_text(const cuda_runtime& runtime) {
    int driver = 0;
    if (runtime.driver_version(&driver) != cudaSuccess) return {};
    if (driver == 0) return ": no NVIDIA driver is installed";
    return ": the driver supports at most CUDA " + version_text(runtime.driver_version) +
           ", but the program's runtime is CUDA " + version_text(runtime.runtime_version);
}

static const register_library cuda_runtime_is_linked{"CUDA runtime", version_of_cuda_runtime, library_use::on_device};

}  // namespace detail

const detail::cuda_runtime& detail::real_cuda_runtime() noexcept {
    static constexpr cuda_runtime real{
        .device_count = cudaGetDeviceCount,
        .driver_version = cudaDriverGetVersion,
        .runtime_version = cudaRuntimeGetVersion,
        // Waits for work of the test on the default stream, such as copies of its inputs, which a non-blocking stream
        // would overtake.
        .create_stream = cudaStreamCreate,
        .destroy_stream = cudaStreamDestroy,
        .wait_for_device = cudaDeviceSynchronize,
        .create_event = cudaEventCreate,
        .destroy_event = cudaEventDestroy,
        .record_event = cudaEventRecord,
        .elapsed_ms = cudaEventElapsedTime,
        .take_last_error = cudaGetLastError,
        .current_device = cudaGetDevice,
        .attribute = cudaDeviceGetAttribute,
        .allocate = [](void** at, std::size_t bytes) { return cudaMalloc(at, bytes); },
        .release = cudaFree,
        .fill = cudaMemsetAsync,
        .allocate_pinned = [](void** at, std::size_t bytes) { return cudaHostAlloc(at, bytes, cudaHostAllocMapped); },
        .release_pinned = cudaFreeHost,
        .copy_on = [](void* to, const void* from, std::size_t bytes,
                      cudaStream_t stream) { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream); },
        .wait_for_flag = wait_for_mapped_flag,
        .sees_every_stream = [] { return driver_of_runtime().sees_every_stream(); },
        .hold_others = hold_other_streams,
        .wait_for_others = wait_for_other_streams,
        .stamp = stamp_by_kernel,
        .rest = [](std::chrono::nanoseconds how_long) { std::this_thread::sleep_for(how_long); },
        .memory_use = read_memory_use,
        .restart_memory_peaks = restart_peaks_of_allocators,
        .watch_plain_memory = watch_plain_memory_in_a_thread,
        .watch = watch_in_a_thread,
    };
    return real;
}

std::string detail::describe_cuda(cudaError_t error) {
    return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

namespace detail {

inline bool lacks_device_memory(const std::exception& error) noexcept {
    const auto* const of_cuda = dynamic_cast<const cuda_error*>(&error);
    return of_cuda != nullptr && of_cuda->code == cudaErrorMemoryAllocation;
}
[[maybe_unused]] inline const bool lack_of_device_memory_is_known = know_lack_of_memory(&lacks_device_memory);

}  // namespace detail

void detail::fail_cuda(const cuda_runtime& runtime, cudaError_t error, const char* when) {
    static_cast<void>(runtime.take_last_error());
    throw cuda_error(error, describe_cuda(error) + when);
}

std::string detail::reason_without_device(const cuda_runtime& runtime) {
    int devices = 0;
    if (const cudaError_t failed = runtime.device_count(&devices); failed != cudaSuccess) {
        static_cast<void>(runtime.take_last_error());  // reported here, so no later call is blamed for it
        const bool is_of_driver = failed == cudaErrorInsufficientDriver;
        return "no CUDA device: " + describe_cuda(failed) + (is_of_driver ? versions_text(runtime) : std::string());
    }
    return devices > 0 ? std::string{} : "no CUDA device: the driver reports none";
}

std::string detail::reason_to_skip(const cuda_runtime& runtime, bool is_required) {
    return is_required ? std::string{} : reason_without_device(runtime);
}

std::string cuda_unavailable() { return detail::reason_to_skip(detail::real_cuda_runtime(), detail::requires_gpu()); }

}  // namespace perfspec::inline v0_2
