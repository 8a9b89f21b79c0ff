// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/procedure.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace perfspec::detail {

inline std::vector<const procedure*>& known_procedures() {
    static std::vector<const procedure*> all{
        &pairs_of_samples,       &pairs_of_single_iterations, &pairs_of_values,     &blocks_of_samples,
        &exact_counts,           &slopes_of_growth,           &centres_of_launches, &values_of_fresh_processes,
        &spread_of_launches,     &comparison_of_outputs,      &stored_launches,     &counted_builds,
        &launch_pairs_of_builds, &samples_of_a_launch,        &rounds_of_several};
    return all;
}

std::span<const procedure* const> procedures() { return known_procedures(); }

void add_procedures(std::span<const procedure* const> more) {
    known_procedures().insert(known_procedures().end(), more.begin(), more.end());
}

const procedure& procedure_for(const question& asked) {
    const auto found = std::ranges::find_if(procedures(), [&](const procedure* p) { return p->answers(asked); });
    if (found == procedures().end()) throw std::logic_error("perfspec: no procedure answers " + asked.text);
    return **found;
}

inline trace_writer& known_trace_writer() {
    static trace_writer known{};
    return known;
}

void write_traces_by(trace_writer writer) { known_trace_writer() = writer; }

void write_traces_where_asked(const question& asked, finding& found) {
    if (asked.plan.trace.empty()) return;
    if (known_trace_writer() != nullptr) return known_trace_writer()(asked, found);
    if (found.verdict == verdict::violated)
        found.advice.emplace_back("no trace: nothing in this program records operators: link perfspec::libtorch");
}

}  // namespace perfspec::detail
