// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>

#include <mutex>
#include <string>

namespace perfspec::detail {

/// The assertion that a thread evaluates. Nothing in here is destroyed with the thread, because destructors of statics may
/// assert, too.
struct evaluation_of_thread {
    const session* run{};            ///< null if the thread evaluates none
    std::string* asserted_within{};  ///< where its turn keeps the place of an assertion in its body
};

/// The turn to measure: one assertion at a time in a process, whichever threads assert. The others wait.
class evaluation_lock {
public:
    /// Waits. Throws assertion_within_assertion if this thread already has the turn in the same session: then a
    /// measured body asserts.
    evaluation_lock(const session& run, const assertion_request& request);
    evaluation_lock(const evaluation_lock&) = delete;
    evaluation_lock& operator=(const evaluation_lock&) = delete;
    ~evaluation_lock();

    /// Why this assertion is invalid: its body asserted. Empty if it did not.
    [[nodiscard]] std::string reason_of_assertion_within() const;

private:
    std::unique_lock<std::recursive_mutex> hold_;
    evaluation_of_thread before_;
    std::string asserted_within_;  ///< empty if no body asserted
};

}  // namespace perfspec::detail
