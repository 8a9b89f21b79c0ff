// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Reasons why the metric of a claim cannot be read of its subjects.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <string>

namespace perfspec::inline v0_2::detail {

/// Whether the process of a remote subject can measure a metric. `including_load` measures the load of this process.
inline bool can_be_measured_remotely(const query_description& query) {
    if (counts_load(query)) return false;
    if (const module_metric* const module = module_of(query)) return module->reads_other_processes();
    const reading from = traits_of(query.metric).from;
    return from != reading::counter && from != reading::peak_of_counter && from != reading::processor_counter;
}

/// Why a metric cannot be read of a subject in another process; empty if it can.
inline std::string reason_without_remote_metric(const claim_context& context) {
    if (can_be_measured_remotely(context.query)) return {};
    for (const subject& s : context.subjects)
        if (!s.state().remote.empty())
            return "\"" + std::string(s.name()) + "\" runs in " + s.state().remote + ", and " + word_of(context.query) +
                   (counts_load(context.query) ? " including_load" : "") +
                   " measures only this process: claim latency(x), cpu_time(x) or peak_memory(x) instead";
    return {};
}

/// Why these subjects cannot be judged; empty if they can.
inline std::string reason_of_subjects(const claim_context& context) {
    std::string reason = reason_without_remote_metric(context);
    const module_metric* const module = module_of(context.query);
    return reason.empty() && module != nullptr ? module->fault(context) : reason;
}

}  // namespace perfspec::inline v0_2::detail
