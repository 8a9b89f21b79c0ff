// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// The outcome of comparing outputs, with the codes of benchmark harnesses of models. "eager" stands for the reference.
enum class verification_code : unsigned char {
    pass,
    fail,
    load_failed,
    eager_failed,
    eager_out_of_memory,
    exception_raised,
    out_of_memory,
    nondeterministic_eager_run,
    verifier_skipped,
    verifier_didnt_run,
};

/// "PASS", "FAIL", "LOAD_FAILED", "EAGER_FAILED", "EAGER_OUT_OF_MEMORY", "EXCEPTION_RAISED", "OUT_OF_MEMORY",
/// "NONDETERMINISTIC_EAGER_RUN", "VERIFIER_SKIPPED", "VERIFIER_DIDNT_RUN".
[[nodiscard]] const char* to_string(verification_code code) noexcept;

namespace detail {

/// One number of a comparison of outputs, such as {"max_abs_error", 2.1e-3}.
struct verification_statistic {
    std::string name;
    double value{};
};

}  // namespace detail

/// The result of comparing the outputs of two subjects.
struct verification {
    verification_code code{verification_code::verifier_didnt_run};
    std::string text;  ///< lines for people: the outputs, the tolerance, the differences
    std::vector<detail::verification_statistic> statistics;
    /// Fingerprints for a comparison with stored outputs, bit by bit: "output 1, float32[1,1000]: 9ae16a3b2f90404f".
    /// Usually empty.
    std::vector<std::string> fingerprints{};
    std::string made_by{};  ///< what the bits depend on in addition to the hardware: "zlib 1.3.1, 2 threads"
};

}  // namespace perfspec::inline v0_2
