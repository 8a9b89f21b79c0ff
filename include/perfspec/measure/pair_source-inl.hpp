// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/pair_source.hpp>

#include <cmath>

namespace perfspec {

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
    : a_(a), b_(b), calibration_(calibration), coin_(seed), time_(time) {}

sample pair_source::take(const subject& x, std::uint64_t iterations) {
    return take_positive_sample(x, iterations, calibration_.warm, time_.metric);
}

timed_pair pair_source::next() {
    timed_pair pair;
    pair.order = coin_.toss() ? pair_order::b_first : pair_order::a_first;
    if (pair.order == pair_order::b_first) {
        pair.b = take(b_, calibration_.b.iterations);
        pair.a = take(a_, calibration_.a.iterations);
    } else {
        pair.a = take(a_, calibration_.a.iterations);
        pair.b = take(b_, calibration_.b.iterations);
    }
    return pair;
}

}  // namespace perfspec
