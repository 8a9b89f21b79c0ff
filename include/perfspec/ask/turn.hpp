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

/// An assertion that has the turn, as those see it that wait.
struct assertion_at_work {
    const session* context{};
    std::string place{};                   ///< "PERF_CHECK( latency(x) < 3ms ) at sort_test.cpp:12"
    std::chrono::nanoseconds longest{};    ///< that one run of its bodies may take; 0: not known yet
    std::string asserted_within{};         ///< the place of an assertion that its body waits for; empty where there is none
    std::vector<record> never_had_turn{};  ///< the results of such assertions
};

/// The turn to measure: one assertion at a time in a process, whichever threads assert.
///
/// Threads that assert beside each other wait for their turns, however long that takes, as long as what is measured goes on: fresh processes and
/// the lock of the machine take their time. A body that waits for a thread that asserts would never end. So who sees one run of a body go on
/// for longer than that claim may take altogether, the greater of its budget and its cap, is taken for such a thread: its assertion is *invalid*, and
/// so is the one that is measured. Nothing tells such a thread from an independent one sooner, because a body may take long.
class assertion_turn {
public:
    /// Waits. Throws assertion_within_assertion where this thread has the turn already in the same session: what is measured asserts.
    assertion_turn(const session& context, const assertion_request& request);
    assertion_turn(const assertion_turn&) = delete;
    assertion_turn& operator=(const assertion_turn&) = delete;
    ~assertion_turn();

    /// Why the turn did not come; nothing where it did.
    [[nodiscard]] const std::optional<std::string>& invalid_reason() const noexcept { return invalid_reason_; }
    /// Leaves the result of an assertion whose turn did not come to the one that is at work.
    void leave_result(record r);

    /// Says for how long one run of a body may go on before those that wait give up.
    void allow(std::chrono::nanoseconds longest_run);
    /// The reason why this assertion means nothing: its body waited for an assertion. Empty where there is none.
    [[nodiscard]] std::string reason_of_assertion_within() const;
    /// The results that were left to this assertion.
    [[nodiscard]] std::vector<record> take_left_results();

private:
    void wait(const session& context, const std::string& place);

    assertion_at_work before_;
    std::optional<std::string> invalid_reason_;
};

}  // namespace perfspec::detail
