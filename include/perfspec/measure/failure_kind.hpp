// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// Why a measurement has no result. Records hold it as their `failure`.
enum class failure_kind : std::uint8_t {
    body_threw,   ///< run or wait of a subject; the exception is `cause`
    load_threw,   ///< the load step of a subject; the exception is `cause`
    setup_threw,  ///< the preparation of an input; the exception is `cause`
    refused,      ///< by the adapter that made the subject
    clock_went_backwards,
    zero_duration,  ///< the clock did not advance during a sample
    optimised_away,
    too_short,      ///< a sample, for the clock
    too_slow,       ///< for the budget or the cap
    no_value,       ///< the body has no number that the metric can use
    worker_failed,  ///< the process that should have measured for this one
    out_of_memory,  ///< of this process, a device, or the process that should have measured, as far as one can know
    timed_out,      ///< the process that should have measured for this one did not end in time
    unfinished,     ///< the measurement started and left no result: its process crashed, was killed, or ran into the
                    ///< time-out of its test
    not_countable,  ///< here and now: the claim is not judged
    unavailable,    ///< this machine or build lacks what a subject needs: the claim is not judged
};

/// "body_threw", "load_threw", …: the names of the enumerators.
[[nodiscard]] const char* to_string(failure_kind kind) noexcept;

}  // namespace perfspec
