// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/kernels/cupti.hpp>
#include <perfspec/cuda/machine/shared_library.hpp>

namespace perfspec::detail {

std::vector<std::string> places_of_cupti(int cuda_version) {
    // One of another major version could write other records.
    const std::string name = "libcupti.so." + std::to_string(cuda_version / 1000);
    return {name, "/usr/local/cuda/extras/CUPTI/lib64/" + name, "/usr/local/cuda/lib64/" + name};
}

/// The functions of a library that is loaded; `fault` says what it lacks.
inline cupti_library functions_of_cupti(const shared_library& loaded, const std::string& name) {
    cupti_library cupti;
    loaded.find("cuptiActivityRegisterCallbacks", cupti.use_buffers);
    loaded.find("cuptiActivityEnable", cupti.enable);
    loaded.find("cuptiActivityDisable", cupti.disable);
    loaded.find("cuptiActivityFlushAll", cupti.flush);
    loaded.find("cuptiActivityGetNextRecord", cupti.next);
    loaded.find("cuptiActivityGetNumDroppedRecords", cupti.lost);
    loaded.find("cuptiGetResultString", cupti.error_name);
    const bool is_complete = cupti.use_buffers != nullptr && cupti.enable != nullptr && cupti.disable != nullptr &&
                             cupti.flush != nullptr && cupti.next != nullptr && cupti.lost != nullptr &&
                             cupti.error_name != nullptr;
    if (!is_complete) cupti.fault = name + " lacks functions of CUPTI's activity records";
    return cupti;
}

cupti_library load_cupti(const std::vector<std::string>& places) {
    cupti_library missing;
    for (const std::string& name : places) {
        const shared_library loaded(name);
        if (loaded.fault().empty()) return functions_of_cupti(loaded, name);
        if (missing.fault.empty()) missing.fault = loaded.fault();
    }
    return missing;
}

}  // namespace perfspec::detail
