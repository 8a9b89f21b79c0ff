// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/usage.hpp>
#include <perfspec/measure/machine/sleeper.hpp>

#include <algorithm>
#include <cstdint>

namespace perfspec::testing {

/// The usage of a process, as bodies report it.
class scripted_usage final : public usage_meter {
public:
    usage used{};

    /// This thread works for `ns`.
    void work(std::int64_t ns) {
        used.wall_ns += ns;
        used.cpu_ns += ns;
        used.own_cpu_ns += ns;
        others_work(ns);
    }
    /// Another thread will use `ns`, while this one works or sleeps.
    void hand_over(std::int64_t ns) { left_ += ns; }
    /// This thread sleeps for `ns`.
    void pass(std::int64_t ns) {
        used.wall_ns += ns;
        others_work(ns);
    }

    [[nodiscard]] usage now() override { return used; }
    [[nodiscard]] bool others_rest() override { return left_ == 0; }

private:
    void others_work(std::int64_t ns) {
        const std::int64_t done = std::min(ns, left_);
        left_ -= done;
        used.cpu_ns += done;
    }

    std::int64_t left_{};
};

class usage_sleeper final : public sleeper {
public:
    explicit usage_sleeper(scripted_usage& used) : used_(used) {}
    void sleep(std::int64_t ns) override { used_.pass(ns); }

private:
    scripted_usage& used_;
};

}  // namespace perfspec::testing
