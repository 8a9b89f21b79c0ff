// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/procedures.hpp>
#include <perfspec/judge/procedures/on_copies.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The shortest single calls, in nanoseconds.
struct shortest_calls {
    std::int64_t given{std::numeric_limits<std::int64_t>::max()};
    std::int64_t copied{std::numeric_limits<std::int64_t>::max()};
};

inline constexpr int most_copies = 10;
inline constexpr double much_longer = 1.5;

/// A call is slower by up to so much where its code, or memory that it touches first, is in no cache. Copies are called without a warm call.
inline constexpr std::int64_t cold_call_ns = 2'000;

inline bool is_much_longer(std::int64_t copied, std::int64_t given) {
    return static_cast<double>(copied) > much_longer * static_cast<double>(given) && copied - given > cold_call_ns;
}

/// Times calls on the given inputs and on copies in turn. The shortest calls of a body that needs no longer on a copy, where each copy took much
/// longer; else nothing. Copies live until the end: a new one at the address of an old one would be known.
inline std::optional<shortest_calls> slower_on_copies(const subject& x, clock& wall) {
    const subject_state& state = x.state();
    struct given_again {
        const subject_state& state;
        ~given_again() { state.run_on_given(state.storage); }
    };
    std::vector<std::shared_ptr<void>> alive;
    shortest_calls shortest;
    for (int i = 0; i < most_copies; ++i) {
        // The warm call is for a body that keeps what it computed last alone: others may have been compared, or a copy was run.
        shortest.given = std::min(shortest.given, take_sample(x, 1, warm_call::yes, wall).elapsed_ns);
        const given_again at_end{state};
        alive.push_back(state.run_on_copies(state.storage));
        const std::int64_t copied = take_sample(x, 1, warm_call::no, wall).elapsed_ns;
        shortest.copied = std::min(shortest.copied, copied);
        if (!is_much_longer(copied, shortest.given)) return {};
    }
    return shortest;
}

inline bool may_be_tried(const question& asked, const finding& found) {
    const metric_kind m = asked.query.metric;
    return found.verdict == verdict::holds && asked.plan.verify && !asked.is_of_outputs && !asked.is_against_baseline() && is_clocked(m) &&
           !needs_fresh_process(m);
}

void try_on_copies(const question& asked, finding& found) {
    if (!may_be_tried(asked, found)) return;
    for (const subject& each : asked.subjects) {
        const subject_state& state = each.state();
        if (state.run_on_copies == nullptr || !state.verify) continue;
        const auto shortest = slower_on_copies(each, asked.context.around().wall);
        if (!shortest) continue;
        const auto shown = [](std::int64_t ns) { return format_value(static_cast<double>(ns), dimension::time); };
        set_verdict(found, verdict::invalid,
                    "\"" + state.name + "\" takes " + shown(shortest->given) + " for the inputs that were timed, and at least " +
                        shown(shortest->copied) + " for each of " + std::to_string(most_copies) +
                        " copies of them: it knows inputs by their address, and keeps what it computed");
        found.advice.emplace_back("compute in each call, or write .unverified() on a subject if returning what is kept is what you time");
        return;
    }
}

}  // namespace perfspec::detail
