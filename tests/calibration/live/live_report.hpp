// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "live_claims.hpp"

#include <string>
#include <vector>

namespace perfspec::testing {

/// One evaluation.
struct live_result {
    std::string workload;
    bool in_cache;
    live_claim claim;
    verdict judged;
    bool repeated;  ///< the first stage was violated
    double milliseconds;
};

/// The counts of the results as JSON: all claims of each truth together, then each claim on each workload.
[[nodiscard]] std::string live_report(const std::vector<live_result>& results, const std::string& load, double seconds,
                                      double machine_load);

}  // namespace perfspec::testing
