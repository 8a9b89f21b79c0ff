// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Four test cases that each say which GPUs they see, and stay a while, so that ctest must give them different ones.
#include <perfspec/catch2.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace {

void say_visible_devices(const char* when) {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    std::cout << when << " " << (visible == nullptr ? "all" : visible) << " "
              << std::chrono::duration_cast<std::chrono::milliseconds>(now).count() << std::endl;
}

void use_device() {
    say_visible_devices("begin");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    say_visible_devices("end");
}

}  // namespace

TEST_CASE("one") { use_device(); }
TEST_CASE("two") { use_device(); }
TEST_CASE("three") { use_device(); }
TEST_CASE("four") { use_device(); }
