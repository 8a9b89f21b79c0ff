// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "scripted_run.hpp"

#include <perfspec/report/json_lines.hpp>

namespace perfspec::testing {

enum class runs_differ : std::uint8_t { no, yes };

/// A fresh process with this count.
[[nodiscard]] inline child_end counted(double value, runs_differ varies = runs_differ::no) {
    record r;
    r.verdict = verdict::holds;
    r.time = "2026-11-18T10:00:00Z";
    r.estimate = estimate{value, value, value, 0.0};
    r.evidence.rounds = 3;
    r.evidence.exact = varies == runs_differ::no;
    return answered(to_json_line(r));
}

}  // namespace perfspec::testing
