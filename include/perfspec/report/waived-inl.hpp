// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/waived.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// The values that a claim with this waiver allows. Precondition: there is a bound.
inline tolerated_range allowed_with(const record& r, const waiver_ceiling& ceiling) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool below = r.comparison.starts_with('<');
    const bool above = r.comparison.starts_with('>');
    tolerated_range range =
        r.tolerated.value_or(tolerated_range{below ? -infinity : *r.bound, above ? infinity : *r.bound});
    if (ceiling.value) return {std::min(range.low, *ceiling.value), std::max(range.high, *ceiling.value)};
    const double factor = 1.0 + *ceiling.fraction;
    if (!std::isinf(range.high)) range.high = std::max(range.high * factor, range.high / factor);
    if (!std::isinf(range.low)) range.low = std::min(range.low * factor, range.low / factor);
    return range;
}

/// Why the ceiling cannot be compared with the measured value; empty if it can.
inline std::string fault_of_ceiling(const record& r, const waiver_ceiling& ceiling) {
    if (!r.bound) return "the claim has no bound";
    if (ceiling.fraction && *r.bound == 0.0)
        return "a percentage of the bound 0 is 0: write the largest value that is tolerated";
    if (ceiling.value && *ceiling.value == 0.0 && r.comparison.starts_with('>'))
        return "every value is above 0: write the least value that is tolerated";
    if (ceiling.value && ceiling.is_duration != (r.unit == dimension::time))
        return ceiling.is_duration ? "the claim is not about a time: write a percentage or a number"
                                   : "a time needs a unit, such as 150us";
    return {};
}

inline bool is_within_ceiling(const record& r, const waiver_ceiling& ceiling) {
    if (!r.estimate || !fault_of_ceiling(r, ceiling).empty()) return false;
    const auto [low, high] = allowed_with(r, ceiling);
    return r.estimate->value >= low && r.estimate->value <= high;
}

inline waiver_effect effect_of(const record& r, const waiver& w) {
    if (r.verdict == verdict::holds) return waiver_effect::not_needed;
    if (r.time.substr(0, w.until.size()) > w.until) return waiver_effect::expired;
    return is_within_ceiling(r, ceiling_of(w)) ? waiver_effect::waived : waiver_effect::too_far;
}

inline std::string text_of(const applied_waiver& a, const std::string& fault) {
    const std::string reason = fmt::format("{} ({})", a.reason, a.owner);
    const std::string reason_and_place = fmt::format("{}; {}", reason, a.place);
    switch (a.effect) {
    case waiver_effect::waived:
        return fmt::format("waived until {} up to {}: {}", a.until, a.ceiling, reason_and_place);
    case waiver_effect::not_needed:
        return fmt::format("the claim holds; if it also holds in later runs, remove its waiver at {}: {}", a.place,
                           reason);
    case waiver_effect::too_far:
        return fault.empty() ? fmt::format("its waiver allows {} and no more: {}", a.ceiling, reason_and_place)
                             : fmt::format("the ceiling {} of its waiver does not apply: {}", a.ceiling, fault);
    case waiver_effect::expired: break;
    }
    return fmt::format("its waiver ended on {}: {}", a.until, reason_and_place);
}

record waived(record r, const waiver& w) {
    const bool holds = r.verdict == verdict::holds && r.bound && !r.comparison.empty();
    const bool is_covered =
        holds || r.verdict == verdict::violated || skips_test(r) || (r.verdict == verdict::undecided && r.failed);
    const bool is_of_outputs =
        r.verified && (r.verified->code != verification_code::pass || !r.estimate);  // these have no ceiling
    if (!is_covered || is_of_outputs) return r;
    const applied_waiver applied{effect_of(r, w), w.ceiling, w.until, w.reason, w.owner, w.place};
    const bool is_in_force = applied.effect == waiver_effect::waived || applied.effect == waiver_effect::not_needed;
    (is_in_force ? r.notes : r.advice).push_back(text_of(applied, fault_of_ceiling(r, ceiling_of(w))));
    if (applied.effect == waiver_effect::waived) r.failed = false;
    r.waiver = applied;
    return r;
}

}  // namespace perfspec::inline v0_2::detail
