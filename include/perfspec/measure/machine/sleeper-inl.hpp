// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/sleeper.hpp>

#include <chrono>
#include <thread>

namespace perfspec {

void thread_sleeper::sleep(std::int64_t ns) {
    if (ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

}  // namespace perfspec
