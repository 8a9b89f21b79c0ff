// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counting_library.hpp>
#include <perfspec/cuda/machine/shared_library.hpp>

#include <initializer_list>

namespace perfspec::detail {

inline void find_functions_of_host(const shared_library& loaded, counting_library& cupti) {
    loaded.find("cuptiProfilerInitialize", cupti.initialize);
    loaded.find("cuptiDeviceGetChipName", cupti.chip_name);
    loaded.find("cuptiProfilerHostInitialize", cupti.host_begin);
    loaded.find("cuptiProfilerHostDeinitialize", cupti.host_end);
    loaded.find("cuptiProfilerHostGetBaseMetrics", cupti.host_names);
    loaded.find("cuptiProfilerHostConfigAddMetrics", cupti.host_add);
    loaded.find("cuptiProfilerHostGetConfigImageSize", cupti.host_size);
    loaded.find("cuptiProfilerHostGetConfigImage", cupti.host_config);
    loaded.find("cuptiProfilerHostGetNumOfPasses", cupti.host_passes);
    loaded.find("cuptiProfilerHostEvaluateToGpuValues", cupti.host_values);
    loaded.find("cuptiGetResultString", cupti.error_name);
}

inline void find_functions_of_ranges(const shared_library& loaded, counting_library& cupti) {
    loaded.find("cuptiRangeProfilerEnable", cupti.enable);
    loaded.find("cuptiRangeProfilerDisable", cupti.disable);
    loaded.find("cuptiRangeProfilerGetCounterDataSize", cupti.data_size);
    loaded.find("cuptiRangeProfilerCounterDataImageInitialize", cupti.data_begin);
    loaded.find("cuptiRangeProfilerSetConfig", cupti.configure);
    loaded.find("cuptiRangeProfilerStart", cupti.start);
    loaded.find("cuptiRangeProfilerPushRange", cupti.push);
    loaded.find("cuptiRangeProfilerPopRange", cupti.pop);
    loaded.find("cuptiRangeProfilerStop", cupti.stop);
    loaded.find("cuptiRangeProfilerDecodeData", cupti.decode);
    loaded.find("cuptiRangeProfilerGetCounterDataInfo", cupti.ranges);
}

inline bool is_complete(const counting_library& c) {
    for (const bool found :
         {c.initialize != nullptr,  c.chip_name != nullptr,   c.host_begin != nullptr, c.host_end != nullptr,
          c.host_names != nullptr,  c.host_add != nullptr,    c.host_size != nullptr,  c.host_config != nullptr,
          c.host_passes != nullptr, c.host_values != nullptr, c.enable != nullptr,     c.disable != nullptr,
          c.data_size != nullptr,   c.data_begin != nullptr,  c.configure != nullptr,  c.start != nullptr,
          c.push != nullptr,        c.pop != nullptr,         c.stop != nullptr,       c.decode != nullptr,
          c.ranges != nullptr,      c.error_name != nullptr})
        if (!found) return false;
    return true;
}

/// The functions of a library that is loaded; `fault` says what it lacks.
inline counting_library counting_functions_of(const shared_library& loaded, const std::string& name) {
    counting_library cupti;
    find_functions_of_host(loaded, cupti);
    find_functions_of_ranges(loaded, cupti);
    shared_library("libcuda.so.1").find("cuCtxGetCurrent", cupti.context);
    if (!is_complete(cupti))
        cupti.fault = name + " has no Range Profiler, which CUPTI has from CUDA 12.6 on: install a newer CUDA Toolkit";
    return cupti;
}

counting_library load_counting_library(const std::vector<std::string>& places) {
    counting_library missing;
    for (const std::string& name : places) {
        const shared_library loaded(name);
        if (loaded.fault().empty()) return counting_functions_of(loaded, name);
        if (missing.fault.empty())
            missing.fault = loaded.fault() +
                            "; add the folder of CUPTI, extras/CUPTI/lib64 of the CUDA Toolkit, to LD_LIBRARY_PATH";
    }
    return missing;
}

std::string name_of_error(const counting_library& cupti, int error) {
    const char* name = nullptr;
    if (cupti.error_name(error, &name) != 0 || name == nullptr) return "error " + std::to_string(error) + " of CUPTI";
    return name;
}

}  // namespace perfspec::detail
