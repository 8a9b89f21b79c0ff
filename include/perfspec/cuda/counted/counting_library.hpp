// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::detail {

// What the functions of CUPTI take. Each says how much of it the caller knows, which is up to the end of its last
// member.
//
// Source: CUPTI API reference, "CUPTI Profiler Host API", "CUPTI Range Profiling API", cuptiProfilerInitialize and
// cuptiDeviceGetChipName; the layouts are those of its binary interface. counting_library_test holds them against the
// toolkit's headers.

/// Of cuptiProfilerInitialize.
struct cupti_initialize {
    std::size_t known = sizeof(cupti_initialize);
    void* reserved{};
};

/// Of cuptiDeviceGetChipName.
struct cupti_chip_name {
    std::size_t known = sizeof(cupti_chip_name);
    void* reserved{};
    std::size_t device{};
    const char* name{};  ///< it answers
};

/// Of cuptiProfilerHostInitialize. A host object knows what a chip counts, and needs no device.
struct cupti_host_begin {
    std::size_t known = sizeof(cupti_host_begin);
    void* reserved{};
    std::uint32_t profiler{};  ///< 0: the Range Profiler
    const char* chip{};
    const std::uint8_t* available{};
    void* host{};  ///< it answers
};

/// Of cuptiProfilerHostDeinitialize.
struct cupti_host_end {
    std::size_t known = sizeof(cupti_host_end);
    void* reserved{};
    void* host{};
};

/// Of cuptiProfilerHostGetBaseMetrics.
struct cupti_host_names {
    std::size_t known = sizeof(cupti_host_names);
    void* reserved{};
    void* host{};
    std::uint32_t kind{};  ///< 0: counters
    const char** names{};  ///< it answers
    std::size_t count{};   ///< it answers
};

/// Of cuptiProfilerHostConfigAddMetrics.
struct cupti_host_add {
    std::size_t known = sizeof(cupti_host_add);
    void* reserved{};
    void* host{};
    const char** names{};
    std::size_t count{};
};

/// Of cuptiProfilerHostGetConfigImageSize.
struct cupti_host_size {
    std::size_t known = sizeof(cupti_host_size);
    void* reserved{};
    void* host{};
    std::size_t size{};  ///< it answers
};

/// Of cuptiProfilerHostGetConfigImage.
struct cupti_host_config {
    std::size_t known = sizeof(cupti_host_config);
    void* reserved{};
    void* host{};
    std::size_t size{};
    std::uint8_t* config{};  ///< it fills
};

/// Of cuptiProfilerHostGetNumOfPasses.
struct cupti_host_passes {
    std::size_t known = sizeof(cupti_host_passes);
    void* reserved{};
    std::size_t size{};
    std::uint8_t* config{};
    std::size_t passes{};  ///< it answers
};

/// Of cuptiProfilerHostEvaluateToGpuValues.
struct cupti_host_values {
    std::size_t known = sizeof(cupti_host_values);
    void* reserved{};
    void* host{};
    const std::uint8_t* data{};
    std::size_t size{};
    std::size_t range{};
    const char** names{};
    std::size_t count{};
    double* values{};  ///< it fills
};

/// Of cuptiRangeProfilerEnable.
struct cupti_range_enable {
    std::size_t known = sizeof(cupti_range_enable);
    void* reserved{};
    void* context{};
    void* profiler{};  ///< it answers
};

/// Of cuptiRangeProfilerDisable, cuptiRangeProfilerStart and cuptiRangeProfilerPopRange.
struct cupti_range_call {
    std::size_t known = sizeof(cupti_range_call);
    void* reserved{};
    void* profiler{};
};

/// Of cuptiRangeProfilerGetCounterDataSize.
struct cupti_range_size {
    std::size_t known = sizeof(cupti_range_size);
    void* reserved{};
    void* profiler{};
    const char** names{};
    std::size_t count{};
    std::size_t most_ranges{};
    std::uint32_t most_nodes{};
    std::size_t size{};  ///< it answers
};

/// Of cuptiRangeProfilerCounterDataImageInitialize.
struct cupti_range_data {
    std::size_t known = sizeof(cupti_range_data);
    void* reserved{};
    void* profiler{};
    std::size_t size{};
    std::uint8_t* data{};  ///< it fills
};

/// Of cuptiRangeProfilerSetConfig.
struct cupti_range_config {
    std::size_t known = offsetof(cupti_range_config, target_level) + sizeof(std::uint16_t);
    void* reserved{};
    void* profiler{};
    std::size_t config_size{};
    const std::uint8_t* config{};
    std::size_t data_size{};
    std::uint8_t* data{};
    std::uint32_t range = 2;   ///< of the user's
    std::uint32_t replay = 3;  ///< by the user
    std::size_t most_ranges = 1;
    std::uint16_t levels = 1;
    std::uint16_t first_level = 1;
    std::size_t pass{};
    std::uint16_t target_level{};
};

/// Of cuptiRangeProfilerPushRange.
struct cupti_range_push {
    std::size_t known = sizeof(cupti_range_push);
    void* reserved{};
    void* profiler{};
    const char* name{};
};

/// Of cuptiRangeProfilerStop.
struct cupti_range_stop {
    std::size_t known = offsetof(cupti_range_stop, is_last) + sizeof(std::uint8_t);
    void* reserved{};
    void* profiler{};
    std::size_t pass{};      ///< it answers
    std::size_t level{};     ///< it answers
    std::uint8_t is_last{};  ///< it answers
};

/// Of cuptiRangeProfilerDecodeData.
struct cupti_range_decode {
    std::size_t known = sizeof(cupti_range_decode);
    void* reserved{};
    void* profiler{};
    std::size_t dropped{};  ///< it answers
};

/// Of cuptiRangeProfilerGetCounterDataInfo.
struct cupti_range_count {
    std::size_t known = sizeof(cupti_range_count);
    void* reserved{};
    const std::uint8_t* data{};
    std::size_t size{};
    std::size_t ranges{};  ///< it answers
};

/// Numbers of CUptiResult.
enum cupti_refusal : int {
    cupti_hardware_busy = 26,
    cupti_no_privileges = 35,
    cupti_no_privileges_on_virtual_device = 40
};

/// The functions of CUPTI that have a device count the work of a range of calls. Tests script them. A function that the
/// library lacks is null.
///
/// CUPTI has them from CUDA 12.6 on. It loads a library of its own, libnvperf_host.so, which lies beside it.
struct counting_library {
    int (*initialize)(cupti_initialize*){};
    int (*chip_name)(cupti_chip_name*){};
    int (*host_begin)(cupti_host_begin*){};
    int (*host_end)(cupti_host_end*){};
    int (*host_names)(cupti_host_names*){};
    int (*host_add)(cupti_host_add*){};
    int (*host_size)(cupti_host_size*){};
    int (*host_config)(cupti_host_config*){};
    int (*host_passes)(cupti_host_passes*){};
    int (*host_values)(cupti_host_values*){};
    int (*enable)(cupti_range_enable*){};
    int (*disable)(cupti_range_call*){};
    int (*data_size)(cupti_range_size*){};
    int (*data_begin)(cupti_range_data*){};
    int (*configure)(cupti_range_config*){};
    int (*start)(cupti_range_call*){};
    int (*push)(cupti_range_push*){};
    int (*pop)(cupti_range_call*){};
    int (*stop)(cupti_range_stop*){};
    int (*decode)(cupti_range_decode*){};
    int (*ranges)(cupti_range_count*){};
    int (*error_name)(int error, const char** name){};
    int (*context)(void** current){};  ///< of the driver: the context that is current
    std::string fault{};               ///< why the library cannot be used, and what to do about it; empty where it can
};

/// The first of these libraries that is there (`places_of_cupti`). Never throws for a missing one.
[[nodiscard]] counting_library load_counting_library(const std::vector<std::string>& places);

/// "CUPTI_ERROR_NOT_SUPPORTED".
[[nodiscard]] std::string name_of_error(const counting_library& cupti, int error);

}  // namespace perfspec::detail
