// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The dry run: it says by which method a claim would be judged, and its cap. It runs nothing.

#include <perfspec/ask/procedure.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace perfspec::detail {

/// Says what would be done, instead of doing it. `reason` says why the claim would not be judged; empty: it would be.
inline void foresee(const question& asked, finding& found, const std::string& reason) {
    note_request(asked, found);
    set_verdict(found, verdict::not_judged, "dry run");
    foreseen& f = found.planned.emplace();
    if (!reason.empty()) {
        f.method = "no judging: " + reason;
        return;
    }
    f.method = procedure_for(asked).method;
    f.cap_seconds = std::chrono::duration<double>(std::max(asked.plan.cap, asked.plan.budget)).count();
    if (!asked.is_against_baseline()) return;
    if (asked.plan.against.empty()) foresee_stored(asked, f);
    else f.baseline = "another build, " + asked.plan.against;
}

}  // namespace perfspec::detail
