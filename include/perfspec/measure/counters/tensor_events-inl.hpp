// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/tensor_events.hpp>

#include <string>

namespace perfspec {
namespace detail {

inline tensor_recorder*& installed_tensor_recorder() noexcept {
    static tensor_recorder* installed = nullptr;
    return installed;
}

/// Starts a recorder, where there is one. Returns why nothing is recorded.
inline std::string begin_recording(tensor_recorder* recorder) {
    if (recorder != nullptr) return recorder->begin();
    return "nothing in this program sees the memory of tensors: link perfspec::libtorch; for operator new, write allocations(x)";
}

}  // namespace detail

bool use_tensor_recorder(tensor_recorder& r) noexcept {
    detail::installed_tensor_recorder() = &r;
    return true;
}

tensor_recorder* known_tensor_recorder() noexcept { return detail::installed_tensor_recorder(); }

std::string tensor_counter::begin() { return detail::begin_recording(recorder_()); }

void tensor_counter::end() noexcept {
    if (recorder_() != nullptr) recorder_()->end();
}

std::int64_t tensor_counter::now() { return recorder_()->allocations(); }

std::string tensor_memory_counter::begin() {
    in_sample_ = false;
    return detail::begin_recording(recorder_());
}

void tensor_memory_counter::end() noexcept {
    if (recorder_() != nullptr) recorder_()->end();
}

std::int64_t tensor_memory_counter::now() {
    tensor_recorder& recorder = *recorder_();
    in_sample_ = !in_sample_;
    if (!in_sample_) return recorder.peak();
    recorder.restart_peak();
    return 0;
}

}  // namespace perfspec
