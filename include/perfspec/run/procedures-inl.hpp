// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/procedure.hpp>

#include <algorithm>
#include <stdexcept>

namespace perfspec::detail {

std::span<const procedure* const> procedures() {
    static constexpr const procedure* all[] = {
        &pairs_of_samples,       &pairs_of_single_iterations, &pairs_of_values,     &blocks_of_samples,
        &exact_counts,           &slopes_of_growth,           &centres_of_launches, &values_of_fresh_processes,
        &spread_of_launches,     &comparison_of_outputs,      &stored_launches,     &counted_builds,
        &launch_pairs_of_builds, &samples_of_a_launch,        &rounds_of_several,   &rounds_of_layers,
        &rounds_of_an_oracle,    &recorded_operators};
    return all;
}

const procedure& procedure_for(const question& asked) {
    const auto found = std::ranges::find_if(procedures(), [&](const procedure* p) { return p->answers(asked); });
    if (found == procedures().end()) throw std::logic_error("perfspec: no procedure answers " + asked.text);
    return **found;
}

}  // namespace perfspec::detail
