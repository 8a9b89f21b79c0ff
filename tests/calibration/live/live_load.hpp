// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <string_view>
#include <thread>
#include <vector>

namespace perfspec::testing {

/// What else runs on the machine: threads that work for `on` and sleep for `off`, in turns.
struct live_load {
    std::string_view name;
    int threads;
    std::chrono::milliseconds on;
    std::chrono::milliseconds off;
};

/// none, short (60 ms of each 200 ms) and long (0.7 s of each 2.2 s), two threads each.
inline constexpr live_load live_loads[] = {
    {"none", 0, std::chrono::milliseconds{0}, std::chrono::milliseconds{0}},
    {"short", 2, std::chrono::milliseconds{60}, std::chrono::milliseconds{140}},
    {"long", 2, std::chrono::milliseconds{700}, std::chrono::milliseconds{1500}}};

/// The threads of a load, while it lives.
class running_load {
public:
    explicit running_load(const live_load& load);

private:
    std::vector<std::jthread> threads_;
};

}  // namespace perfspec::testing
