// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "dynamo.hpp"

namespace perfspec::tool {
namespace {

const char* status_of(verification_code code) {
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

const char* status_of(failure_kind kind) {
    switch (kind) {
    case failure_kind::body_threw:
    case failure_kind::setup_threw: return "fail_to_run";
    case failure_kind::load_threw: return "model_fail_to_load";
    case failure_kind::out_of_memory: return "OOM";
    case failure_kind::timed_out: return "timeout";
    case failure_kind::worker_failed:
    case failure_kind::unfinished: return "infra_error";
    default: return "";
    }
}

}  // namespace

std::string dynamo_status(const record& r) {
    std::string status = r.verified ? status_of(r.verified->code) : "";
    if (status.empty() && r.failure) status = status_of(*r.failure);
    return status;
}

}  // namespace perfspec::tool
