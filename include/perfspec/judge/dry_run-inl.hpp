// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The dry run: reports the method and the time limit of a claim without running anything.

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// Whether this process takes the samples, within the budget.
inline bool takes_own_samples(const claim_context& context) {
    const metric_kind m = context.query.metric;
    return !context.is_against_baseline() && !over_processes(context) && !needs_fresh_process(m) &&
           traits_of(m).from != reading::processes;
}

/// `reason` says why the claim would not be judged; empty if it would.
inline forecast forecast_of(const claim_context& context, const std::string& reason) {
    if (!reason.empty()) return {.method = "skipped: " + reason};
    const double longest = longest_seconds(context.plan);
    forecast f{.method = procedure_for(context).method, .cap_seconds = longest, .budget_seconds = longest};
    const double budget = std::chrono::duration<double>(context.plan.budget).count();
    if (takes_own_samples(context)) f.budget_seconds = budget;
    if (!context.is_against_baseline()) return f;
    if (context.plan.baseline_build.empty()) return forecast_stored(context, std::move(f));
    f.baseline = "another build, " + context.plan.baseline_build;
    return f;
}

}  // namespace perfspec::inline v0_2::detail
