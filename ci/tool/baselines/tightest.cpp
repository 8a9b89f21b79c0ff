// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "tightest.hpp"

#include <perfspec/stats/stored/drifting_rank_test.hpp>

#include <algorithm>
#include <random>

namespace perfspec::tool {
namespace {

decision replay_run(drifting_rank_test test, std::span<const double> fresh, std::mt19937_64& random) {
    while (test.is_open()) test.add(fresh[random() % fresh.size()]);
    return test.decided();
}

/// The worst chances of all sessions.
tight_bound worst_of(const stored_side& stored, std::span<const std::vector<double>> sessions, double factor) {
    tight_bound worst{factor, {.violated = 0, .holds = 1}};
    for (const std::vector<double>& session : sessions) {
        const claim_chances chances = chances_of(stored, session, factor);
        worst.chances.holds = std::min(worst.chances.holds, chances.holds);
        worst.chances.violated = std::max(worst.chances.violated, chances.violated);
    }
    return worst;
}

}  // namespace

claim_chances chances_of(const stored_side& stored, std::span<const double> fresh, double factor) {
    std::vector<double> bounds(stored.launches.begin(), stored.launches.end());
    for (double& b : bounds) b *= factor;
    const drifting_rank_test claim(bounds, stored.claimed, stored.allowance);
    std::mt19937_64 random(7);
    claim_chances chances;
    for (std::size_t run = 0; run < replayed_runs; ++run) {
        const decision decided = replay_run(claim, fresh, random);
        if (decided == decision::violated) chances.violated += 1;
        if (decided == decision::holds) chances.holds += 1;
    }
    constexpr auto all = static_cast<double>(replayed_runs);
    return {chances.violated / all, chances.holds / all};
}

std::optional<tight_bound> tightest_bound(const stored_side& stored, std::span<const std::vector<double>> sessions, double false_failure) {
    const bool is_less = stored.claimed == direction::less;
    const int last = is_less ? 100 : 50;
    for (int percent = 1; percent <= last; ++percent) {
        const tight_bound bound = worst_of(stored, sessions, (is_less ? 100 + percent : 100 - percent) / 100.0);
        if (bound.chances.violated <= false_failure && bound.chances.holds >= suggested_to_hold) return bound;
    }
    return {};
}

}  // namespace perfspec::tool
