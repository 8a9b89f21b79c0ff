// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// Returns the readings in order, and throws after the last one, so that one reading too many fails the test.
class scripted_clock final : public clock {
public:
    explicit scripted_clock(std::vector<std::chrono::nanoseconds> readings) : readings_(std::move(readings)) {}

    [[nodiscard]] std::int64_t now() override {
        if (next_ == readings_.size()) throw std::logic_error("scripted_clock: the script has no further reading");
        return readings_[next_++].count();
    }

    [[nodiscard]] std::size_t remaining() const { return readings_.size() - next_; }

private:
    std::vector<std::chrono::nanoseconds> readings_;
    std::size_t next_{};
};

/// Stands still until a body or a sleeper lets time pass.
class stepped_clock final : public clock {
public:
    [[nodiscard]] std::int64_t now() override {
        ++readings_;
        return now_;
    }

    void advance(std::chrono::nanoseconds d) { now_ += d.count(); }

    [[nodiscard]] std::int64_t readings() const { return readings_; }

private:
    std::int64_t now_{};
    std::int64_t readings_{};
};

/// Sleeps by advancing a stepped clock, and remembers for how long.
class stepped_sleeper final : public sleeper {
public:
    explicit stepped_sleeper(stepped_clock& time) : time_(time) {}

    void sleep(std::int64_t ns) override {
        slept_.push_back(ns);
        time_.advance(std::chrono::nanoseconds(ns));
    }

    [[nodiscard]] const std::vector<std::int64_t>& slept() const { return slept_; }

private:
    stepped_clock& time_;
    std::vector<std::int64_t> slept_;
};

}  // namespace perfspec::testing
