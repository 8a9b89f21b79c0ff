// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Test cases that print their GPU, and run for a while, so that ctest must give them different ones. A fresh process
// that perfspec starts prints its GPU, too.
#include <perfspec/catch2.hpp>
#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/plan/environment.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace {

void say(const char* when) {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const perfspec::gpu_facts current = perfspec::gpu_machine().of_cuda(0);
    const std::string inherited = perfspec::program_start_environment().get("CUDA_VISIBLE_DEVICES").value_or("all");
    std::cout << when << " " << (visible == nullptr ? "all" : visible) << " "
              << std::chrono::duration_cast<std::chrono::milliseconds>(now).count() << " "
              << (current.fault.empty() ? current.uuid : "none") << " " << inherited << std::endl;
}

void use_device() {
    say("begin");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    say("end");
}

}  // namespace

TEST_CASE("one") { use_device(); }
TEST_CASE("two") { use_device(); }
TEST_CASE("three") { use_device(); }
TEST_CASE("four") { use_device(); }
