// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/timing/left_work.hpp>
#include <perfspec/measure/failure.hpp>

#include <atomic>
#include <exception>
#include <utility>

namespace perfspec::detail {

left_work::~left_work() {
    if (flag_ != nullptr) static_cast<void>(stream_.runtime().destroy_flag(flag_));
}

void left_work::look(std::string_view name) noexcept {
    if (!missing_.empty()) return;
    try {
        const bool is_first = make_ready();
        wait_for_others();
        if (is_first) others_.calibrate();
        else static_cast<void>(others_.were_late(name));
    } catch (const measurement_failure& found) { fault_ = found.what(); } catch (const std::exception& failed) {
        missing_ = failed.what();
    }
}

void left_work::require_none() {
    // The next look finds it again.
    if (!fault_.empty()) throw measurement_failure(failure_kind::refused, std::exchange(fault_, {}));
}

std::string left_work::caveat() const {
    return missing_.empty() ? std::string()
                            : "nothing looks for work that the body leaves on other streams: " + missing_;
}

/// Whether it made what it needs. Nothing of the body is left then, so that the wait for other streams can be
/// calibrated.
bool left_work::make_ready() {
    if (flag_ != nullptr) return false;
    stream_.need(stream_.runtime().create_flag(&flag_), " (of the flag that holds the stream)");
    others_.make_ready();
    stream_.need(stream_.runtime().wait_for_device(), " (of the body's work)");
    return true;
}

void left_work::wait_for_others() {
    struct released_at_end {
        std::uint32_t* flag;
        ~released_at_end() { std::atomic_ref(*flag).store(hold_flag::released); }
    };
    {
        const released_at_end hold{flag_};
        std::atomic_ref(*flag_).store(hold_flag::held);
        stream_.need(stream_.runtime().wait_for_flag(stream_.handle(), flag_), " (of the hold of the stream)");
        others_.end();
    }
    stream_.wait();
}

}  // namespace perfspec::detail
