// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/measure/sample-inl.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

std::uint64_t fresh_seed() {
    std::random_device source;
    return std::uint64_t{source()} & 0xffff'ffffU;
}

namespace detail {

/// A count of 0 reads as one half: below every other sample of as many iterations.
inline double log_reading(const sample& s) noexcept {
    return std::log(s.elapsed_ns == 0 ? 0.5 / static_cast<double>(s.iterations) : s.working().ns);
}

}  // namespace detail

double timed_pair::log_ratio() const noexcept { return detail::log_reading(a) - detail::log_reading(b); }

pair_source::pair_source(const subject& a, const subject& b, const pair_calibration& calibration, std::uint64_t seed,
                         const clocks& time)
    : a_(a), b_(b), calibration_(calibration), random_order_(seed), time_(time) {}

sample pair_source::take(const subject& x, const subject_calibration& c) {
    return take_metered_sample(x, c.iterations, calibration_.warm, time_, c.metered());
}

timed_pair pair_source::next() {
    timed_pair pair;
    pair.order = random_order_.next() ? pair_order::b_first : pair_order::a_first;
    if (pair.order == pair_order::b_first) {
        pair.b = take(b_, calibration_.b);
        pair.a = take(a_, calibration_.a);
    } else {
        pair.a = take(a_, calibration_.a);
        pair.b = take(b_, calibration_.b);
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

namespace detail {

/// Shorter samples are metered together.
inline constexpr std::int64_t shortest_metered_ns = 100'000;

/// The working times of short readings that took `elapsed_ns` together. If only one of them is longer than the
/// interruption, it contains that; otherwise each may contain all of it.
inline std::vector<working_time> working_times_of(std::span<const double> readings_ns, double iterations,
                                                  std::int64_t elapsed_ns, const processor_use& use) {
    const working_time all = working_time_of(elapsed_ns, use);
    const double gap_ns = (static_cast<double>(elapsed_ns) - all.ns) / iterations;
    std::vector<working_time> working;
    for (const double ns : readings_ns) working.push_back({ns, true});
    constexpr double negligible = 0.01;
    if (gap_ns * iterations <= negligible * static_cast<double>(elapsed_ns)) return working;
    const bool is_in_one = std::ranges::count_if(readings_ns, [&](double ns) { return ns > gap_ns; }) == 1;
    const bool is_exact = is_in_one && all.is_exact;
    for (working_time& w : working)
        if (!is_exact || w.ns > gap_ns) w = {std::max(w.ns - gap_ns, 0.0), is_exact};
    return working;
}

/// Takes short readings until `is_full(readings, elapsed_ns)`. Meters them no more often than every 100 us, because
/// that takes longer than some of them.
template <class Read, class IsFull>
timed_block take_short_readings(clock& wall, usage_meter* meter, const subject_calibration& c,
                                std::vector<double> buffer, Read read, IsFull is_full) {
    buffer.clear();
    timed_block block{.readings_ns = std::move(buffer)};
    std::vector<double>& readings = block.readings_ns;
    const auto used = [&](reading_place where) {
        return meter != nullptr ? meter->use_of_processors(c.metered(), where) : processor_use{};
    };
    const processor_use of_reading = meter != nullptr ? meter->use_of_reading() : processor_use{};
    const std::int64_t start = wall.now();
    std::int64_t now = start;
    const auto full = [&] { return is_full(readings.size(), now - start); };
    std::int64_t worked_ns = 0;
    do {
        const processor_use before = used(reading_place::before);
        const std::int64_t since = now;
        do {
            readings.push_back(read());
            now = wall.now();
        } while (!full() && now - since < shortest_metered_ns);
        const processor_use use = difference(before, used(reading_place::after), of_reading);
        worked_ns += use.all_ns();
        const auto latest = std::span(readings).subspan(block.working.size());
        for (const working_time w : working_times_of(latest, static_cast<double>(c.iterations), now - since, use))
            block.working.push_back(w);
    } while (!full());
    block.processor_ns = static_cast<double>(worked_ns) / static_cast<double>(readings.size() * c.iterations);
    return block;
}

/// Takes samples until `is_full(samples, elapsed_ns)`, each metered.
template <class IsFull>
timed_block take_metered_samples(const subject& x, const subject_calibration& c, warm_call warm, const clocks& time,
                                 IsFull is_full) {
    timed_block block;
    std::int64_t worked_ns = 0;
    const std::int64_t start = time.wall.now();
    do {
        const sample taken = take_metered_sample(x, c.iterations, warm, time, c.metered());
        block.readings_ns.push_back(taken.per_iteration());
        block.working.push_back(taken.working());
        worked_ns += taken.use.all_ns();
    } while (!is_full(block.readings_ns.size(), time.wall.now() - start));
    block.processor_ns = static_cast<double>(worked_ns) / static_cast<double>(block.readings_ns.size() * c.iterations);
    return block;
}

/// Takes readings of one kind or the other. Short ones share one reading of the counters; a setup between them would
/// count as an interruption.
template <class IsFull>
timed_block take_readings(const subject& x, const subject_calibration& c, warm_call warm, const clocks& time,
                          std::vector<double> buffer, IsFull is_full) {
    const bool is_short = c.call_ns * static_cast<double>(c.iterations) < static_cast<double>(shortest_metered_ns);
    usage_meter* const meter = &time.metric == &time.wall ? meter_of(x, time.usage) : nullptr;
    timed_block block;
    if (is_short && !has_setup(x) && warm == warm_call::no)
        block = take_short_readings(
            time.wall, meter, c, std::move(buffer),
            [&] { return take_positive_sample(x, c.iterations, warm, time.metric).per_iteration(); }, is_full);
    else block = take_metered_samples(x, c, warm, time, is_full);
    if (std::ranges::equal(block.working, block.readings_ns, {}, &working_time::ns)) block.working.clear();
    return block;
}

}  // namespace detail

timed_block block_source::next() {
    wait_for_turn();
    const auto is_full = [&](std::size_t readings, std::int64_t elapsed_ns) {
        return calibration_.readings > 0 ? readings >= calibration_.readings
                                         : static_cast<double>(elapsed_ns) >= block_length_ns;
    };
    timed_block block;
    if (calibration_.samples == sample_kind::values) {
        const auto report = [&] { return take_value(x_, calibration_.values); };
        block = detail::take_short_readings(time_.wall, nullptr, calibration_.x, std::move(buffer_), report, is_full);
        block.working.clear();
        block.processor_ns = 0.0;
    } else {
        block = detail::take_readings(x_, calibration_.x, warm_call::no, time_, std::move(buffer_), is_full);
    }
    buffer_ = block.readings_ns;
    std::swap(buffer_, block.readings_ns);  // the block gets a copy, and the next one uses the large buffer again
    return block;
}

}  // namespace perfspec::inline v0_2
