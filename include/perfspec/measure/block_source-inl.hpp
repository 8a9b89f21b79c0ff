// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/median.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perfspec {

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

timed_block block_source::next() {
    wait_for_turn();
    buffer_.clear();
    const std::int64_t start = time_.wall.now();
    const auto full = [&] {
        return calibration_.readings > 0 ? buffer_.size() >= calibration_.readings
                                         : static_cast<double>(time_.wall.now() - start) >= block_length_ns;
    };
    do { buffer_.push_back(reading()); } while (!full());
    return {detail::middle_of(buffer_), buffer_};
}

}  // namespace perfspec
