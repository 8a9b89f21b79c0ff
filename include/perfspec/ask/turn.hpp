// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/assertion_request.hpp>
#include <perfspec/report/record.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The assertion that has the turn, as waiting threads see it.
struct assertion_at_work {
    const session* context{};
    std::string place{};                   ///< "PERF_CHECK( latency(x) < 3ms ) at sort_test.cpp:12"
    std::chrono::nanoseconds longest{};    ///< limit for one run of its bodies; 0: not known yet
    std::string asserted_within{};         ///< the place of an assertion that its body waits for; empty if there is none
    std::vector<record> never_had_turn{};  ///< the results of such assertions
};

/// The turn to measure: one assertion at a time in a process, whichever threads assert.
///
/// Threads that assert at the same time wait for their turns. The wait has no limit while the measurement goes on, because fresh processes
/// and the lock of the machine take time. But a body that waits for an asserting thread would never end. So a waiting thread watches each
/// run of the body. It gives up when one run lasts longer than the whole claim may take, which is the greater of its budget and its cap.
/// Then its assertion is *invalid*, and so is the one that is measured. Nothing shows sooner whether the body waits for the thread, because
/// a body may take long.
class assertion_turn {
public:
    /// Waits. Throws assertion_within_assertion if this thread already has the turn in the same session: then a measured body asserts.
    assertion_turn(const session& context, const assertion_request& request);
    assertion_turn(const assertion_turn&) = delete;
    assertion_turn& operator=(const assertion_turn&) = delete;
    ~assertion_turn();

    /// Why the turn did not come; nothing if it did.
    [[nodiscard]] const std::optional<std::string>& invalid_reason() const noexcept { return invalid_reason_; }
    /// Leaves the result of an assertion whose turn did not come to the assertion at work.
    void leave_result(record r);

    /// Sets how long one run of a body may go on before waiting threads give up.
    void allow(std::chrono::nanoseconds longest_run);
    /// Why this assertion is invalid: its body waited for an assertion. Empty if it did not.
    [[nodiscard]] std::string reason_of_assertion_within() const;
    /// The results that were left to this assertion.
    [[nodiscard]] std::vector<record> take_left_results();

private:
    void wait(const session& context, const std::string& place);

    assertion_at_work before_;
    std::optional<std::string> invalid_reason_;
};

}  // namespace perfspec::detail
