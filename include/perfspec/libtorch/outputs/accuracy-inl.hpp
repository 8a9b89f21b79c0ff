// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/outputs/accuracy.hpp>
#include <perfspec/quantity/error.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace perfspec::detail {

inline std::string short_number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

inline void require_member(bool legal, const char* member, double found, const char* wanted) {
    if (!legal)
        throw input_error(std::string{"accuracy: "} + member + " is " + short_number(found) + ": give " + wanted);
}

/// Throws input_error for a member that means nothing.
inline void check_accuracy(const accuracy& how) {
    const auto is_share = [](double x) { return x >= 0 && x <= 1; };
    require_member(std::isfinite(how.tolerance) && how.tolerance >= 0, "tolerance", how.tolerance,
                   "a number from 0, such as 0.01, or leave it out for that of the dtype");
    require_member(std::isfinite(how.absolute) && how.absolute >= 0, "absolute", how.absolute,
                   "a number from 0, such as 1e-6, or leave it out for that of the outputs' size");
    require_member(std::isfinite(how.multiplier) && (how.multiplier == 0 || how.multiplier >= 1), "multiplier",
                   how.multiplier, "a number from 1, such as 10, or leave it out for that of dtype and size");
    require_member(is_share(how.cosine), "cosine", how.cosine,
                   "a similarity above 0 and up to 1, such as 0.99, or leave it out");
    require_member(is_share(how.mask_overlap), "mask_overlap", how.mask_overlap,
                   "a share above 0 and up to 1, such as 0.99, or leave it out");
    require_member(how.runs >= 1, "runs", how.runs, "a number from 1, such as 3");
}

}  // namespace perfspec::detail
