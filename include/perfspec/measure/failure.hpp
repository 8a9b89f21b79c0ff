// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace perfspec {

/// Why there is nothing to judge.
enum class failure_kind : std::uint8_t {
    body_threw,   ///< run or wait of a subject; the exception is `cause`
    setup_threw,  ///< the preparation of an input; the exception is `cause`
    refused,      ///< by the adapter that made the subject
    clock_went_backwards,
    zero_duration,  ///< the clock did not advance during a sample
    optimised_away,
    too_short,      ///< for the clock, where single iterations are timed
    too_slow,       ///< for the budget or the cap
    no_value,       ///< a body's number is none that a metric can be
    worker_failed,  ///< the process that was to measure for this one
    out_of_memory,  ///< that process, for lack of memory as far as one can tell
    not_countable,  ///< here and now: the claim is not judged
    unavailable,    ///< this machine or build has not what a subject needs: the claim is not judged
};

/// A measurement that came to nothing: the claim is *invalid*, of the last two kinds *not judged*. The text is its reason, with the way out.
struct measurement_failure : std::runtime_error {
    measurement_failure(failure_kind why, const std::string& reason, std::exception_ptr thrown = {})
        : std::runtime_error(reason), kind(why), cause(std::move(thrown)) {}

    failure_kind kind;
    std::exception_ptr cause;  ///< what the subject threw, so that a host can rethrow exceptions of its own; else null
};

}  // namespace perfspec
