// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perfspec::testing {

/// A machine with recorded times: a call takes as long as the next sample, and sleeping skips the samples of that time.
/// After the last sample it continues with the first.
class trace_player final : public clock, public sleeper {
public:
    /// Calls take `slower` times as long as recorded. The samples, at least one, must outlive the player.
    trace_player(std::span<const double> samples_ns, std::size_t start, double slower)
        : samples_(samples_ns), next_(start), slower_(slower) {}

    [[nodiscard]] std::int64_t now() override { return now_; }

    void call() { call(slower_); }
    /// This call takes `slower` times as long as recorded.
    void call(double slower) { now_ += std::llround(take() * slower); }

    void sleep(std::int64_t ns) override {
        if (ns <= 0) return;
        const std::int64_t until = now_ + ns;
        while (static_cast<double>(now_) + samples_[next_] <= static_cast<double>(until)) now_ += std::llround(take());
        now_ = until;
    }

    /// The sample that comes next.
    [[nodiscard]] std::size_t position() const noexcept { return next_; }

private:
    double take() {
        const double sample = samples_[next_];
        next_ = next_ + 1 == samples_.size() ? 0 : next_ + 1;
        return sample;
    }

    std::span<const double> samples_;
    std::size_t next_;
    double slower_;
    std::int64_t now_ = 0;
};

}  // namespace perfspec::testing
