// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace perfspec {

/// The outcome of comparing outputs, with the codes of PyTorch's benchmark harness.
enum class verification_code : unsigned char {
    pass,
    fail,
    eager_failed,
    exception_raised,
    nondeterministic_eager_run,
    verifier_skipped,
    verifier_didnt_run,
};

/// "PASS", "FAIL", "EAGER_FAILED", "EXCEPTION_RAISED", "NONDETERMINISTIC_EAGER_RUN", "VERIFIER_SKIPPED", "VERIFIER_DIDNT_RUN".
[[nodiscard]] const char* to_string(verification_code code) noexcept;

/// One number that a comparison of outputs found, such as {"max_abs_error", 2.1e-3}.
struct verification_statistic {
    std::string name;
    double value{};
};

/// What a comparison of two subjects' outputs said.
struct verification {
    verification_code code{verification_code::verifier_didnt_run};
    std::string text;  ///< one or more lines for people: what was compared, with which tolerance, what differed
    std::vector<verification_statistic> statistics;
};

}  // namespace perfspec
