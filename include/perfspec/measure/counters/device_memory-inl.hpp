// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/device_memory.hpp>

namespace perfspec {
namespace detail {

inline device_memory_recorder*& installed_device_memory_recorder() noexcept {
    static device_memory_recorder* installed = nullptr;
    return installed;
}

}  // namespace detail

bool use_device_memory_recorder(device_memory_recorder& r) noexcept {
    detail::installed_device_memory_recorder() = &r;
    return true;
}

device_memory_recorder* known_device_memory_recorder() noexcept { return detail::installed_device_memory_recorder(); }

std::string device_memory_counter::begin() {
    in_sample_ = false;
    if (recorder_() != nullptr) return recorder_()->begin();
    return "nothing in this program sees the memory of devices: link perfspec::cuda; for tensors of LibTorch, write tensor_memory(x)";
}

void device_memory_counter::end() noexcept {
    if (recorder_() != nullptr) recorder_()->end();
}

std::int64_t device_memory_counter::now() {
    in_sample_ = !in_sample_;
    if (!in_sample_) return recorder_()->peak();
    recorder_()->restart_peak();
    return 0;
}

std::string device_memory_counter::caveat() const {
    return recorder_() == nullptr ? std::string() : recorder_()->caveat();
}

}  // namespace perfspec
