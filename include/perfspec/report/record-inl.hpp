// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <perfspec/quantity/format.hpp>

namespace perfspec {

const char* to_string(verdict v) noexcept {
    switch (v) {
    case verdict::holds: return "holds";
    case verdict::violated: return "violated";
    case verdict::undecided: return "undecided";
    case verdict::invalid: return "invalid";
    case verdict::not_judged: break;
    }
    return "not judged";
}

std::string unit_name(const record& r) { return r.own_unit.empty() ? std::string(base_unit(r.unit)) : r.own_unit; }

const char* to_string(waiver_effect e) noexcept {
    switch (e) {
    case waiver_effect::waived: return "waived";
    case waiver_effect::not_needed: return "not needed";
    case waiver_effect::too_far: return "too far";
    case waiver_effect::expired: return "expired";
    }
    return "unknown";
}

const char* to_string(baseline_action a) noexcept {
    switch (a) {
    case baseline_action::compared: return "compared";
    case baseline_action::recorded: return "recorded";
    case baseline_action::recorded_anew: return "recorded anew";
    case baseline_action::appended: return "appended";
    case baseline_action::kept: return "kept";
    case baseline_action::refused: return "refused";
    case baseline_action::reference_build: return "reference build";
    case baseline_action::is_new: return "new";
    case baseline_action::would_be_recorded: break;
    }
    return "would be recorded";
}

}  // namespace perfspec
