// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/conclude.hpp>
#include <perfspec/launch/fresh_process.hpp>
#include <perfspec/quantity/format.hpp>

namespace perfspec::detail {

void describe_test(finding& found, const test_progress& test) {
    found.evidence.log_e_holds = test.log_e_holds;
    found.evidence.log_e_violated = test.log_e_violated;
}

void conclude(const question& asked, finding& found, const test_progress& test, const unit_of_evidence& unit) {
    describe_test(found, test);
    switch (test.decided) {
    case decision::holds: set_verdict(found, verdict::holds); break;
    case decision::violated:
        set_verdict(found, verdict::violated);
        if (!asked.is_child() && test.settings.confirm == stages::two) confirm_violation(asked, found);
        break;
    case decision::none: explain_undecided(asked, found, test, unit); break;
    }
}

void note_request(const question& asked, finding& found) noexcept {
    found.on_request = asked.plan.policy == missing_baseline_policy::local;
}

}  // namespace perfspec::detail
