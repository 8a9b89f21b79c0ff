// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/format.hpp>
#include <perfspec/run/conclude.hpp>
#include <perfspec/run/confirm.hpp>

#include <cmath>

namespace perfspec::detail {

void describe_test(evaluation& e, const test_progress& test) {
    e.out.evidence.log_e_holds = test.log_e_holds;
    e.out.evidence.log_e_violated = test.log_e_violated;
}

void conclude(evaluation& e, const test_progress& test, const unit_of_evidence& unit) {
    describe_test(e, test);
    switch (test.decided) {
    case decision::holds: set_verdict(e, verdict::holds); break;
    case decision::violated:
        set_verdict(e, verdict::violated);
        if (!e.is_child() && test.settings.confirm == stages::two) confirm_violation(e);
        break;
    case decision::none: explain_undecided(e, test, unit); break;
    }
}

bool is_usable_ratio_bound(evaluation& e, double bound) {
    if (bound > 0.0 && std::isfinite(bound)) return true;
    set_verdict(e, verdict::invalid, "a ratio is compared with a positive number, not with " + format_value(bound, dimension::ratio));
    return false;
}

}  // namespace perfspec::detail
