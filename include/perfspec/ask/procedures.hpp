// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/procedure.hpp>

namespace perfspec::detail {

// For bounds that are a number or another query. They judge in this process, unless only fresh processes show the
// value.
extern const procedure pairs_of_samples;
extern const procedure pairs_of_single_iterations;
extern const procedure pairs_of_values;
extern const procedure blocks_of_samples;
extern const procedure exact_counts;
extern const procedure known_values;
extern const procedure slopes_of_growth;
extern const procedure centres_of_launches;
extern const procedure values_of_fresh_processes;
extern const procedure spread_of_launches;
extern const procedure comparison_of_outputs;
// For bounds on baseline().
extern const procedure stored_launches;
extern const procedure counted_builds;
extern const procedure launch_pairs_of_builds;
// For queries without a bound.
extern const procedure samples_of_a_launch;
extern const procedure rounds_of_several;

/// The procedures of the core. Adapters add theirs (`add_procedures`).
inline constexpr const procedure* procedures_of_the_core[] = {
    &pairs_of_samples,
    &pairs_of_single_iterations,
    &pairs_of_values,
    &blocks_of_samples,
    &exact_counts,
    &known_values,
    &slopes_of_growth,
    &centres_of_launches,
    &values_of_fresh_processes,
    &spread_of_launches,
    &comparison_of_outputs,
    &stored_launches,
    &counted_builds,
    &launch_pairs_of_builds,
    &samples_of_a_launch,
    &rounds_of_several,
};

}  // namespace perfspec::detail
