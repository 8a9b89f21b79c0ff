// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/gpu/shared_library.hpp>

namespace perfspec::detail {

/// The functions of the driver that order the work of all streams of a context; their errors have the numbers of the
/// runtime's. Drivers have them from CUDA 12.5 on.
///
/// Source: CUDA Driver API, "Context Management": cuCtxRecordEvent, cuCtxWaitEvent.
struct order_driver {
    int (*current)(void** context){};
    int (*record)(void* context, cudaEvent_t event){};
    int (*wait)(void* context, cudaEvent_t event){};

    [[nodiscard]] bool is_complete() const noexcept {
        return current != nullptr && record != nullptr && wait != nullptr;
    }
};

inline const order_driver& order_of_driver() {
    static const order_driver known = [] {
        const shared_library driver("libcuda.so.1");
        order_driver found;
        driver.find("cuCtxGetCurrent", found.current);
        driver.find("cuCtxRecordEvent", found.record);
        driver.find("cuCtxWaitEvent", found.wait);
        return found;
    }();
    return known;
}

/// Calls a function of the driver for the current context and an event.
inline cudaError_t in_current_context(int (*call)(void* context, cudaEvent_t event), cudaEvent_t event) {
    void* context = nullptr;
    if (const int failed = order_of_driver().current(&context); failed != 0) return static_cast<cudaError_t>(failed);
    return static_cast<cudaError_t>(call(context, event));
}

// An older driver orders streams by the legacy default stream: what is put there waits for all blocking streams, and
// they for it. Source: CUDA Runtime API, "Stream synchronization behavior".
inline cudaError_t hold_other_streams(cudaStream_t stream, cudaEvent_t event) {
    if (const cudaError_t recorded = cudaEventRecord(event, stream); recorded != cudaSuccess) return recorded;
    const order_driver& driver = order_of_driver();
    return driver.is_complete() ? in_current_context(driver.wait, event)
                                : cudaStreamWaitEvent(cudaStreamLegacy, event, 0);
}

inline cudaError_t wait_for_other_streams(cudaStream_t stream, cudaEvent_t event) {
    const order_driver& driver = order_of_driver();
    const cudaError_t recorded =
        driver.is_complete() ? in_current_context(driver.record, event) : cudaEventRecord(event, cudaStreamLegacy);
    return recorded != cudaSuccess ? recorded : cudaStreamWaitEvent(stream, event, 0);
}

}  // namespace perfspec::detail
