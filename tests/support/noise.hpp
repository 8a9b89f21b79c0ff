// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/block_source.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace perfspec::testing {

/// Synthetic timing noise: logarithms of the factors by which consecutive slots are slower than the work in them.
enum class noise_kind : std::uint8_t {
    gaussian,          ///< independent, 1 %
    autoregressive,    ///< 3 %, correlation .95 from slot to slot
    tick,              ///< .3 %, and +3 % on every fourth slot, as a timer interrupt
    cauchy,            ///< independent, scale .5 %, no mean
    drift_and_bursts,  ///< 1 %, 10 % slower over the run, and bursts of about 25 slots that are 30 % and 5 % noisier
};

inline constexpr std::array all_noise{noise_kind::gaussian, noise_kind::autoregressive, noise_kind::tick,
                                      noise_kind::cauchy, noise_kind::drift_and_bursts};

[[nodiscard]] inline const char* name_of(noise_kind kind) {
    constexpr std::array names{"Gauss", "AR(1)", "tick", "Cauchy", "drift + bursts"};
    return names[static_cast<std::size_t>(kind)];
}

/// Draws that are the same with every standard library, unlike the distributions of <random>.
class dice {
public:
    explicit dice(std::uint64_t seed) : bits_(seed) {}

    [[nodiscard]] std::uint64_t bits() { return bits_(); }
    [[nodiscard]] bool next() { return (bits_() >> 63) != 0; }
    [[nodiscard]] std::uint64_t below(std::uint64_t n) { return bits_() % n; }
    [[nodiscard]] double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }  // in (0, 1)
    [[nodiscard]] double cauchy() { return std::tan(std::numbers::pi * (uniform() - 0.5)); }
    [[nodiscard]] double normal() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    std::mt19937_64 bits_;
};

namespace noise_detail {

inline void add_ticks(std::vector<double>& slots, dice& random) {
    for (std::size_t i = random.below(4); i < slots.size(); i += 4) slots[i] += std::log(1.03);
}

inline void add_bursts(std::vector<double>& slots, dice& random) {
    bool burst = false;
    for (double& slot : slots) {
        burst = random.uniform() < (burst ? 1 - 1 / 25. : 1 / 60.);
        if (burst) slot += std::log(1.3) + 0.05 * random.normal();
    }
}

inline void add_drift(std::vector<double>& slots) {
    for (std::size_t i = 0; i < slots.size(); ++i)
        slots[i] += std::log1p(0.1 * static_cast<double>(i) / static_cast<double>(slots.size()));
}

}  // namespace noise_detail

/// The noise of consecutive slots of one process, drawn from `random` alone.
[[nodiscard]] inline std::vector<double> slot_noise(noise_kind kind, std::size_t count, dice& random) {
    std::vector<double> slots(count);
    double previous = random.normal();
    for (double& slot : slots) switch (kind) {
        case noise_kind::gaussian:
        case noise_kind::drift_and_bursts: slot = 0.01 * random.normal(); break;
        case noise_kind::autoregressive:
            previous = 0.95 * previous + std::sqrt(1 - 0.95 * 0.95) * random.normal();
            slot = 0.03 * previous;
            break;
        case noise_kind::tick: slot = 0.003 * random.normal(); break;
        case noise_kind::cauchy: slot = 0.005 * random.cauchy(); break;
        }
    if (kind == noise_kind::tick) noise_detail::add_ticks(slots, random);
    if (kind == noise_kind::drift_and_bursts) {
        noise_detail::add_drift(slots);
        noise_detail::add_bursts(slots, random);
    }
    return slots;
}

/// Which subject takes the first slot of each pair.
enum class pair_order : std::uint8_t {
    random,       ///< a fair coin for each pair: what perfspec does
    one_coin,     ///< A B A B …, or B A B A … throughout
    alternating,  ///< A B B A …
};

/// Says for one pair after another whether b takes the first slot. A random order uses perfspec's own.
class pair_turns {
public:
    pair_turns(pair_order order, dice& random) : order_(order), b_first_(random.next()), random_order_(random.bits()) {}

    [[nodiscard]] bool b_first() {
        switch (order_) {
        case pair_order::random: return random_order_.next();
        case pair_order::alternating: return b_first_ = !b_first_;
        case pair_order::one_coin: break;
        }
        return b_first_;
    }

private:
    pair_order order_;
    bool b_first_;
    random_order random_order_;
};

/// Log ratios a / b of pairs in consecutive slots of one process, where b takes exp(-log_ratio) times as long as a in
/// the same slot.
[[nodiscard]] inline std::vector<double> paired_log_ratios(noise_kind kind, std::size_t pairs, double log_ratio,
                                                           pair_order order, dice& random) {
    const auto slots = slot_noise(kind, 2 * pairs, random);
    pair_turns turns(order, random);
    std::vector<double> ratios(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const double difference = slots[2 * i] - slots[2 * i + 1];
        ratios[i] = log_ratio + (turns.b_first() ? -difference : difference);
    }
    return ratios;
}

}  // namespace perfspec::testing
