// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "tightest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfspec::tool {
namespace {

/// What one launch adds to the doubled rank sums of the test: ties count a half.
struct rank_steps {
    std::size_t u;
    std::size_t v;
};

rank_steps steps_of(double launch, std::span<const double> bounds, direction claimed, double margin) {
    const auto rank = [&](double value, bool below) {
        std::size_t sum = 0;
        for (const double b : bounds) sum += b == value ? 1 : (b < value) == below ? 2 : 0;
        return sum;
    };
    if (claimed == direction::less) return {rank(launch, false), rank(launch / (1 + margin), true)};
    return {rank(launch, true), rank(launch * (1 + margin), false)};
}

/// The probability of each pair of doubled rank sums that still can decide; larger sums are all alike.
class undecided_sums {
public:
    explicit undecided_sums(const stored_rank_limits& limits)
        : limits_(limits), max_u_(doubled(limits.violated_at_5) + 1), max_v_(doubled(limits.holds_at_5) + 1),
          mass_((max_u_ + 1) * (max_v_ + 1)) {
        mass_[0] = 1;
    }

    /// One launch more, each of the steps with the same probability.
    void add(std::span<const rank_steps> steps) {
        std::vector<double> next(mass_.size());
        for (std::size_t u = 0; u <= max_u_; ++u)
            for (std::size_t v = 0; v <= max_v_; ++v)
                for (const rank_steps& step : steps)
                    next[at(std::min(u + step.u, max_u_), std::min(v + step.v, max_v_))] +=
                        mass_[at(u, v)] / static_cast<double>(steps.size());
        mass_ = std::move(next);
    }

    /// Takes out what the test decides after so many launches.
    void decide(std::size_t launches, claim_chances& chances) {
        const auto within = [](std::size_t sum, bool looked_at, double limit) { return looked_at && sum <= doubled(limit); };
        for (std::size_t u = 0; u <= max_u_; ++u) {
            for (std::size_t v = 0; v <= max_v_; ++v) {
                double& mass = mass_[at(u, v)];
                const bool violated = within(u, launches == 4, limits_.violated_at_4) || within(u, launches == 5, limits_.violated_at_5);
                const bool holds = within(v, launches == 2, limits_.holds_at_2) || within(v, launches == 3, limits_.holds_at_3) ||
                                   within(v, launches == 5, limits_.holds_at_5);
                if (violated) chances.violated += mass;
                else if (holds) chances.holds += mass;
                if (violated || holds) mass = 0;
            }
        }
    }

private:
    [[nodiscard]] static std::size_t doubled(double limit) { return static_cast<std::size_t>(2 * limit); }
    [[nodiscard]] std::size_t at(std::size_t u, std::size_t v) const { return u * (max_v_ + 1) + v; }

    stored_rank_limits limits_;
    std::size_t max_u_;
    std::size_t max_v_;
    std::vector<double> mass_;
};

/// The chances of the recording sessions that fare worst against all stored launches.
tight_bound worst_of(std::span<const double> stored, std::span<const std::vector<double>> recordings, double factor, direction claimed,
                     double margin) {
    tight_bound worst{factor, {.violated = 0, .holds = 1}, 0};
    for (const std::vector<double>& recording : recordings) {
        const claim_chances chances = chances_of(stored, recording, factor, claimed, margin);
        worst.chances.holds = std::min(worst.chances.holds, chances.holds);
        const bool is_smaller = worst.launches_of_worst == 0 || recording.size() < worst.launches_of_worst;
        if (chances.violated < worst.chances.violated || (chances.violated == worst.chances.violated && !is_smaller)) continue;
        worst.chances.violated = chances.violated;
        worst.launches_of_worst = recording.size();
    }
    return worst;
}

}  // namespace

claim_chances chances_of(std::span<const double> stored, std::span<const double> fresh, double factor, direction claimed, double margin) {
    std::vector<double> bounds(stored.begin(), stored.end());
    for (double& b : bounds) b *= factor;
    const stored_rank_test test(bounds, claimed, margin);
    std::vector<rank_steps> steps;
    for (const double launch : fresh) steps.push_back(steps_of(launch, bounds, claimed, margin));
    undecided_sums sums(test.limits());
    claim_chances chances;
    for (std::size_t launches = 1; launches <= stored_rank_test::max_launches; ++launches) {
        sums.add(steps);
        sums.decide(launches, chances);
    }
    return chances;
}

std::optional<tight_bound> tightest_bound(std::span<const std::vector<double>> recordings, direction claimed, double false_failure,
                                          double margin) {
    std::vector<double> stored;
    for (const auto& recording : recordings) stored.insert(stored.end(), recording.begin(), recording.end());
    const int last = claimed == direction::less ? 100 : 50;
    for (int percent = 1; percent <= last; ++percent) {
        const double factor = (claimed == direction::less ? 100 + percent : 100 - percent) / 100.0;
        const tight_bound bound = worst_of(stored, recordings, factor, claimed, margin);
        if (bound.chances.violated <= false_failure && bound.chances.holds >= suggested_to_hold) return bound;
    }
    return {};
}

}  // namespace perfspec::tool
