// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The procedures for claims on a stored baseline and on another build.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace perfspec::inline v0_2::detail {

[[nodiscard]] claim_result judge_stored(const claim_context& context);

[[nodiscard]] claim_result judge_baseline_build(const claim_context& context);

/// The value of a process and its bound, for an exact comparison.
struct process_value {
    double value{};
    double bound{};
    bool exact{};  ///< the value repeats within the process
};

/// How many processes in a row are beyond the bound, at most two; none if values vary, or if there are no more
/// processes. A count that repeats needs one process inside the bound, or two beyond it; values that may agree by
/// chance need `enough`.
///
/// enough  how many processes have to agree; 0 for counts that repeat
/// next    measures a process; none if there are no more
template <class Next>
std::optional<std::size_t> processes_beyond(const claim_context& context, std::size_t enough, Next next) {
    std::optional<process_value> first;
    bool agree = true;
    for (std::size_t i = 0; i < std::max<std::size_t>(enough, 2); ++i) {
        const std::optional<process_value> p = next(i);
        if (!p) return {};
        if (!first) first = p;
        const bool is_inside = p->exact && satisfies(context.compared(), p->value, p->bound);
        if (enough == 0 && !p->exact && context.compared() != comparison::equal) return {};
        if (enough == 0 && is_inside) return i;
        agree = agree && p->exact && p->value == first->value && p->bound == first->bound;
    }
    if (enough == 0) return 2;
    if (!agree) return {};
    return satisfies(context.compared(), first->value, first->bound) ? 0 : 2;
}

}  // namespace perfspec::inline v0_2::detail
