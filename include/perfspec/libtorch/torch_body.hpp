// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/accuracy.hpp>
#include <perfspec/libtorch/torch_model.hpp>

#include <c10/util/Exception.h>

#include <stdexcept>
#include <string>

namespace perfspec::detail {

[[nodiscard]] inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// What a call returns. What LibTorch throws goes on with a stack trace of its own: only its first line is thrown again.
template <class Call> decltype(auto) without_trace(const Call& call) {
    try {
        return call();
    } catch (const c10::Error& error) { throw std::runtime_error{first_line(error.what_without_backtrace())}; }
}

/// What the storage of a LibTorch subject holds.
struct torch_body {
    torch_model model;
    tensor_list inputs;
    c10::Device device;
    accuracy how;

    [[nodiscard]] tensor_list call(const tensor_list& given, std::uint64_t iterations = 1) const;
};

/// Runs both on their own inputs and compares, by PyTorch's benchmark harness; the candidate's `how` decides.
///
/// EAGER_FAILED: the reference threw. NONDETERMINISTIC_EAGER_RUN: two of its runs from one seed differ. EXCEPTION_RAISED: the
/// candidate threw. VERIFIER_SKIPPED: `how.skipped`. VERIFIER_DIDNT_RUN: one must not be run, or their inputs
/// differ. Else `compare_outputs`.
/// Both see copies of their inputs; random generators and PyTorch's settings are put back.
[[nodiscard]] verification verify(torch_body& reference, torch_body& candidate);

/// The body of a subject if it is one of LibTorch's, else null.
[[nodiscard]] torch_body* torch_body_of(const subject& x);

}  // namespace perfspec::detail
