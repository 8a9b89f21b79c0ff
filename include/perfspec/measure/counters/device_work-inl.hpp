// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/device_work.hpp>

namespace perfspec {
namespace detail {

inline device_work_recorder*& installed_device_work_recorder() noexcept {
    static device_work_recorder* installed = nullptr;
    return installed;
}

}  // namespace detail

bool use_device_work_recorder(device_work_recorder& r) noexcept {
    detail::installed_device_work_recorder() = &r;
    return true;
}

device_work_recorder* known_device_work_recorder() noexcept { return detail::installed_device_work_recorder(); }

std::string device_work_counter::begin() {
    in_run_ = false;
    needs_another_run_ = false;
    if (recorder_() != nullptr) return recorder_()->begin(what_);
    return "nothing in this program has devices count their work: link perfspec::cuda, also for subjects of LibTorch on a CUDA device";
}

void device_work_counter::end() noexcept {
    if (recorder_() != nullptr) recorder_()->end();
}

std::int64_t device_work_counter::now() {
    in_run_ = !in_run_;
    if (in_run_) {
        recorder_()->begin_run();
        return total_;
    }
    const std::optional<std::int64_t> count = recorder_()->end_run();
    needs_another_run_ = !count;
    return total_ += count.value_or(0);
}

std::string device_work_counter::caveat() const {
    return recorder_() == nullptr ? std::string() : recorder_()->caveat();
}

}  // namespace perfspec
