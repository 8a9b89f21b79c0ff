// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>

namespace perfspec {

const char* to_string(verification_code code) noexcept {
    switch (code) {
    case verification_code::pass: return "PASS";
    case verification_code::fail: return "FAIL";
    case verification_code::load_failed: return "LOAD_FAILED";
    case verification_code::eager_failed: return "EAGER_FAILED";
    case verification_code::eager_out_of_memory: return "EAGER_OUT_OF_MEMORY";
    case verification_code::exception_raised: return "EXCEPTION_RAISED";
    case verification_code::out_of_memory: return "OUT_OF_MEMORY";
    case verification_code::nondeterministic_eager_run: return "NONDETERMINISTIC_EAGER_RUN";
    case verification_code::verifier_skipped: return "VERIFIER_SKIPPED";
    case verification_code::verifier_didnt_run: break;
    }
    return "VERIFIER_DIDNT_RUN";
}

const char* detail::dynamo_status(verification_code code) noexcept {
    switch (code) {
    case verification_code::pass: return "pass";
    case verification_code::fail: return "fail_accuracy";
    case verification_code::load_failed: return "model_fail_to_load";
    case verification_code::eager_failed: return "eager_1st_run_fail";
    case verification_code::eager_out_of_memory: return "eager_1st_run_OOM";
    case verification_code::exception_raised: return "fail_to_run";
    case verification_code::out_of_memory: return "OOM";
    case verification_code::nondeterministic_eager_run: return "eager_two_runs_differ";
    case verification_code::verifier_skipped: return "pass_due_to_skip";
    case verification_code::verifier_didnt_run: break;
    }
    return "";
}

}  // namespace perfspec
