// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

namespace perfspec {

std::uint64_t fresh_seed() {
    std::random_device source;
    return std::uint64_t{source()} & 0xffff'ffffU;
}

namespace detail {

/// A counter may have counted nothing in a sample. That reads as half of one, which is below every other sample of as
/// many iterations.
inline double log_reading(const sample& s) noexcept {
    return std::log(s.elapsed_ns == 0 ? 0.5 / static_cast<double>(s.iterations) : s.per_iteration());
}

}  // namespace detail

double timed_pair::log_ratio() const noexcept { return detail::log_reading(a) - detail::log_reading(b); }

pair_source::pair_source(const subject& a, const subject& b, const pair_calibration& calibration, std::uint64_t seed,
                         const clocks& time)
    : a_(a), b_(b), calibration_(calibration), random_order_(seed), time_(time) {}

sample pair_source::take(const subject& x, std::uint64_t iterations) {
    return take_positive_sample(x, iterations, calibration_.warm, time_.metric);
}

timed_pair pair_source::next() {
    timed_pair pair;
    pair.order = random_order_.next() ? pair_order::b_first : pair_order::a_first;
    if (pair.order == pair_order::b_first) {
        pair.b = take(b_, calibration_.b.iterations);
        pair.a = take(a_, calibration_.a.iterations);
    } else {
        pair.a = take(a_, calibration_.a.iterations);
        pair.b = take(b_, calibration_.b.iterations);
    }
    return pair;
}

block_source::block_source(const subject& x, const block_calibration& calibration, const clocks& time, sleeper& rest)
    : x_(x), calibration_(calibration),
      distance_ns_(std::max(calibration.block_ns,
                            static_cast<double>(calibration.time.budget_ns - calibration.time.calibrated_ns) /
                                std::max(calibration.blocks, 1))),
      time_(time), rest_(&rest) {
    // Touches the memory now, so no page fault happens inside a block.
    const double readings =
        calibration.block_ns / (calibration.x.call_ns * static_cast<double>(calibration.x.iterations));
    buffer_.resize(static_cast<std::size_t>(std::clamp(2.0 * readings, 16.0, 1e6)));
}

void block_source::wait_for_turn() {
    const std::int64_t first = calibration_.time.started_ns + calibration_.time.calibrated_ns;
    const std::int64_t turn = first + std::llround(distance_ns_ * static_cast<double>(taken_));
    ++taken_;
    const std::int64_t now = time_.wall.now();
    if (now < turn) rest_->sleep(turn - now);
}

double block_source::reading() {
    if (is_reported(calibration_.samples)) return take_reported(x_, calibration_.samples, calibration_.kernels);
    return take_positive_sample(x_, calibration_.x.iterations, warm_call::no, time_.metric).per_iteration();
}

namespace detail {

/// Finds the working times of the readings of a block.
class working_times {
public:
    working_times(usage_meter* meter, std::uint64_t iterations)
        : meter_(meter), iterations_(static_cast<double>(iterations)), seen_(read()) {}

    void start(std::int64_t now_ns) { since_ns_ = now_ns; }
    /// After a reading: all so far, and the time.
    void add(const std::vector<double>& readings_ns, std::int64_t now_ns) {
        constexpr std::int64_t shortest_ns = 100'000;
        if (meter_ != nullptr && now_ns - since_ns_ >= shortest_ns) look(readings_ns, now_ns);
    }
    /// Of each reading; nothing if none waited.
    [[nodiscard]] std::vector<working_time> of(const std::vector<double>& readings_ns, std::int64_t now_ns) {
        if (meter_ != nullptr && all_.size() < readings_ns.size()) look(readings_ns, now_ns);
        return any_ ? std::move(all_) : std::vector<working_time>{};
    }

private:
    void look(const std::vector<double>& readings_ns, std::int64_t now_ns) {
        constexpr std::int64_t parts = 100;  // a share that does not matter
        const waiting_so_far now = read();
        const std::int64_t elapsed_ns = now_ns - since_ns_;
        const bool waited = (now.ns - seen_.ns + now.throttled_ns - seen_.throttled_ns) * parts > elapsed_ns;
        const bool is_alone = readings_ns.size() == all_.size() + 1;
        while (all_.size() < readings_ns.size()) {
            const double reading = readings_ns[all_.size()];
            all_.push_back(!waited    ? working_time{reading, true}
                           : is_alone ? working_of(reading, elapsed_ns, now)
                                      : working_time{});
        }
        any_ = any_ || waited;
        seen_ = now;
        since_ns_ = now_ns;
    }
    /// Without all waiting, which is at least what the reading was longer for; and at least the work of all threads
    /// spread over all cores. It is exact if nothing else can have waited: one thread, no quota, and a reading that is
    /// nearly all of the time, without the preparation of inputs.
    [[nodiscard]] working_time working_of(double reading_ns, std::int64_t elapsed_ns, const waiting_so_far& now) const {
        constexpr double nearly_all = 0.95;
        const auto throttled = static_cast<double>(now.throttled_ns - seen_.throttled_ns);
        const double waited = (static_cast<double>(now.ns - seen_.ns) + throttled) / iterations_;
        const double worked = static_cast<double>(now.cpu_ns - seen_.cpu_ns) / iterations_ / now.cores;
        const bool is_exact = !now.is_of_several_threads && throttled == 0.0 &&
                              reading_ns * iterations_ >= nearly_all * static_cast<double>(elapsed_ns);
        if (is_exact) return {std::max(reading_ns - waited, 0.0), true};
        return {std::clamp(std::max(reading_ns - waited, worked), 0.0, reading_ns), false};
    }
    [[nodiscard]] waiting_so_far read() const { return meter_ != nullptr ? meter_->waited() : waiting_so_far{}; }

    usage_meter* meter_;
    double iterations_;
    waiting_so_far seen_;
    std::int64_t since_ns_{};
    std::vector<working_time> all_{};
    bool any_{};
};

}  // namespace detail

std::vector<working_time> block_source::take_readings() {
    // What another process runs waits there: the waiting of this one is no part of its readings.
    usage_meter* const meter = x_.state().functions->run_remotely == nullptr ? time_.usage : nullptr;
    detail::working_times working(meter, calibration_.x.iterations);
    const std::int64_t start = time_.wall.now();
    std::int64_t now = start;
    working.start(start);
    const auto full = [&] {
        return calibration_.readings > 0 ? buffer_.size() >= calibration_.readings
                                         : static_cast<double>(now - start) >= block_length_ns;
    };
    do {
        buffer_.push_back(reading());
        now = time_.wall.now();
        working.add(buffer_, now);
    } while (!full());
    return working.of(buffer_, now);
}

timed_block block_source::next() {
    wait_for_turn();
    buffer_.clear();
    std::vector<working_time> working = take_readings();
    return {buffer_, std::move(working)};
}

}  // namespace perfspec
