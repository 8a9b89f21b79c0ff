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
#include <span>
#include <utility>
#include <vector>

namespace perfspec {

std::uint64_t fresh_seed() {
    std::random_device source;
    return std::uint64_t{source()} & 0xffff'ffffU;
}

namespace detail {

/// A count of 0 reads as one half: below every other sample of as many iterations.
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

/// Whether the process waited for more than 1 % of this time.
inline bool has_waited(std::int64_t elapsed_ns, const waiting_so_far& before, const waiting_so_far& after) {
    constexpr std::int64_t parts = 100;
    return (after.ns - before.ns + after.throttled_ns - before.throttled_ns) * parts > elapsed_ns;
}

/// The reading without all waiting, but at least the work of all threads divided by the cores. It is exact for one
/// thread without a quota, if the reading is nearly all of the elapsed time (the rest prepares inputs).
inline working_time working_of(double reading_ns, double iterations, std::int64_t elapsed_ns,
                               const waiting_so_far& before, const waiting_so_far& after) {
    constexpr double nearly_all = 0.95;
    const auto throttled = static_cast<double>(after.throttled_ns - before.throttled_ns);
    const double waited = (static_cast<double>(after.ns - before.ns) + throttled) / iterations;
    const double worked = static_cast<double>(after.cpu_ns - before.cpu_ns) / iterations / after.cores;
    const bool is_exact = !after.is_of_several_threads && throttled == 0.0 &&
                          reading_ns * iterations >= nearly_all * static_cast<double>(elapsed_ns);
    if (is_exact) return {std::max(reading_ns - waited, 0.0), true};
    return {std::clamp(std::max(reading_ns - waited, worked), 0.0, reading_ns), false};
}

/// Also reads the waiting of the process: before the first reading of each two, and after the second.
class delay_clock final : public clock {
public:
    delay_clock(clock& time, usage_meter& meter) : time_(time), meter_(meter) {}

    [[nodiscard]] std::int64_t now() override {
        before_ = after_;
        if (is_start_ = !is_start_; is_start_) after_ = meter_.waited();
        const std::int64_t ns = time_.now();
        if (!is_start_) after_ = meter_.waited();
        return ns;
    }
    [[nodiscard]] working_time working_of(double reading_ns, std::uint64_t iterations) const {
        const auto n = static_cast<double>(iterations);
        const std::int64_t elapsed_ns = std::llround(reading_ns * n);
        if (!has_waited(elapsed_ns, before_, after_)) return {reading_ns, true};
        return detail::working_of(reading_ns, n, elapsed_ns, before_, after_);
    }

private:
    clock& time_;
    usage_meter& meter_;
    bool is_start_{};
    waiting_so_far before_{};
    waiting_so_far after_{};
};

/// The working times of readings that took `elapsed_ns` together. If only one of several is longer than the wait, it
/// contains the wait; otherwise each may contain all of it.
inline std::vector<working_time> working_of(std::span<const double> readings_ns, double iterations,
                                            std::int64_t elapsed_ns, const waiting_so_far& before,
                                            const waiting_so_far& after) {
    std::vector<working_time> working;
    for (const double ns : readings_ns) working.push_back({ns, true});
    if (!has_waited(elapsed_ns, before, after)) return working;
    if (working.size() == 1) return {working_of(readings_ns.front(), iterations, elapsed_ns, before, after)};
    const auto throttled_ns = after.throttled_ns - before.throttled_ns;
    const double waited = static_cast<double>(after.ns - before.ns + throttled_ns) / iterations;
    const bool is_in_one = std::ranges::count_if(readings_ns, [&](double ns) { return ns > waited; }) == 1;
    const bool is_exact = is_in_one && !after.is_of_several_threads && throttled_ns == 0;
    for (working_time& w : working)
        if (!is_exact || w.ns > waited) w = {std::max(w.ns - waited, 0.0), is_exact};
    return working;
}

/// A sample of another process, which reads its own clock.
template <class Take> working_sample take_remotely(usage_meter& meter, std::uint64_t iterations, Take take) {
    const auto n = static_cast<double>(iterations);
    const waiting_so_far before = meter.waited();
    const double ns = take();
    const waiting_so_far after = meter.waited();
    return {ns, working_of(std::span(&ns, 1), n, std::llround(ns * n), before, after).front()};
}

/// Takes readings into the buffer until `is_full(readings, elapsed_ns)`. Looks at the waiting no more often than every
/// 100 us.
template <class Read, class IsFull>
timed_block take_readings(clock& wall, usage_meter* meter, std::uint64_t iterations, std::vector<double> buffer,
                          Read read, IsFull is_full) {
    constexpr std::int64_t shortest_ns = 100'000;
    buffer.clear();
    timed_block block{.readings_ns = std::move(buffer)};
    std::vector<double>& readings = block.readings_ns;
    const auto waited = [&] { return meter != nullptr ? meter->waited() : waiting_so_far{}; };
    const auto n = static_cast<double>(iterations);
    waiting_so_far before = waited();
    const std::int64_t start = wall.now();
    std::int64_t now = start;
    const auto full = [&] { return is_full(readings.size(), now - start); };
    do {
        const std::int64_t since = now;
        do {
            readings.push_back(read());
            now = wall.now();
        } while (!full() && now - since < shortest_ns);
        const waiting_so_far after = waited();
        const auto latest = std::span(readings).subspan(block.working.size());
        for (const working_time w : working_of(latest, n, now - since, before, after)) block.working.push_back(w);
        before = after;
    } while (!full());
    if (std::ranges::equal(block.working, readings, {}, &working_time::ns)) block.working.clear();
    return block;
}

}  // namespace detail

working_sample take_working_sample(const subject& x, std::uint64_t iterations, warm_call warm, const clocks& time) {
    usage_meter* const meter = detail::meter_of(x, time.usage);
    const auto take = [&](clock& metric) { return take_positive_sample(x, iterations, warm, metric).per_iteration(); };
    if (meter == nullptr) {
        const double ns = take(time.metric);
        return {ns, {ns, true}};
    }
    if (detail::runs_elsewhere(x)) return detail::take_remotely(*meter, iterations, [&] { return take(time.metric); });
    detail::delay_clock delays(time.metric, *meter);
    const double ns = take(delays);
    return {ns, delays.working_of(ns, iterations)};
}

timed_block block_source::next() {
    wait_for_turn();
    const auto is_full = [&](std::size_t readings, std::int64_t elapsed_ns) {
        return calibration_.readings > 0 ? readings >= calibration_.readings
                                         : static_cast<double>(elapsed_ns) >= block_length_ns;
    };
    timed_block block = detail::take_readings(
        time_.wall, detail::meter_of(x_, time_.usage), calibration_.x.iterations, std::move(buffer_),
        [&] { return reading(); }, is_full);
    buffer_ = block.readings_ns;
    std::swap(buffer_, block.readings_ns);  // the block gets a copy, and the next one uses the large buffer again
    return block;
}

}  // namespace perfspec
