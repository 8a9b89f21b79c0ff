// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>

#include <cstddef>

namespace perfspec {
namespace detail {

struct verification_words {
    const char* own;
    const char* dynamo;
};

/// In the order of verification_code.
inline constexpr verification_words words_of_verifications[] = {
    {"PASS", "pass"},
    {"FAIL", "fail_accuracy"},
    {"LOAD_FAILED", "model_fail_to_load"},
    {"EAGER_FAILED", "eager_1st_run_fail"},
    {"EAGER_OUT_OF_MEMORY", "eager_1st_run_OOM"},
    {"EXCEPTION_RAISED", "fail_to_run"},
    {"OUT_OF_MEMORY", "OOM"},
    {"NONDETERMINISTIC_EAGER_RUN", "eager_two_runs_differ"},
    {"VERIFIER_SKIPPED", "pass_due_to_skip"},
    {"VERIFIER_DIDNT_RUN", ""},
};

const char* dynamo_status(verification_code code) noexcept {
    return words_of_verifications[static_cast<std::size_t>(code)].dynamo;
}

}  // namespace detail

const char* to_string(verification_code code) noexcept {
    return detail::words_of_verifications[static_cast<std::size_t>(code)].own;
}

}  // namespace perfspec
