// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/require_granted_gpus.hpp>

#include <perfspec/measure/gpu/gpu_machine.hpp>
#include <perfspec/quantity/error.hpp>

#include <cstddef>
#include <string>

namespace perfspec::detail {

void require_granted_gpus(const granted_gpus& granted, gpu_machine* gpus) {
    if (!granted.fault.empty()) throw input_error(granted.fault);
    if (granted.ids.empty() || gpus == nullptr) return;
    const gpu_count there = gpus->count();
    if (static_cast<std::size_t>(there.gpus) == granted.ids.size()) return;
    std::string ids;
    for (const std::string& id : granted.ids) ids += (ids.empty() ? "\"" : ", \"") + id + "\"";
    throw input_error(
        "ctest granted the GPU " + ids + " (CUDA_VISIBLE_DEVICES=" + granted.visible + "), and the driver shows " +
        (there.gpus == 0 ? "none" : std::to_string(there.gpus)) + " to this process" +
        (there.fault.empty() ? "" : ": " + there.fault) +
        "; write the resource file where the tests run, with  perfspec doctor --ctest-resources gpus.json");
}

}  // namespace perfspec::detail
