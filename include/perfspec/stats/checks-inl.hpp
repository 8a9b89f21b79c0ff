// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>

#include <charconv>
#include <cmath>

namespace perfspec::detail {

std::string number_text(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

void require_finite(std::string_view who, double value) {
    if (std::isfinite(value)) return;
    throw input_error(std::string(who) + ": found " + number_text(value) +
                      ", needs a finite number such as 0.012; a sample of zero or no time has no logarithm, so check"
                      " the clock and the body that was measured");
}

void require_positive(std::string_view who, double value) {
    if (std::isfinite(value) && value > 0) return;
    throw input_error(std::string(who) + ": found " + number_text(value) +
                      ", needs a finite number above 0 such as 1.2; check the clock and the body that was measured");
}

void require_sample(std::string_view who, std::span<const double> values) {
    if (values.empty())
        throw input_error(std::string(who) +
                          ": found no values, needs at least one; nothing was measured, so check filters and budget");
    for (const double value : values) require_finite(who, value);
}

void require_rate(std::string_view option, double rate) {
    if (rate > 0 && rate < 1) return;
    throw input_error(std::string(option) + ": found " + number_text(rate) +
                      ", needs a probability between 0 and 1 such as 0.001; set it so or leave the default");
}

void require_margin(double margin) {
    if (std::isfinite(margin) && margin >= 0) return;
    throw input_error("margin: found " + number_text(margin) +
                      ", needs a fraction of at least 0 such as 0.005; set it so or leave the default");
}

}  // namespace perfspec::detail
