// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::inline v0_2 {

/// Why a measurement has no result. It is the `failure` of a record.
enum class failure_kind : std::uint8_t {
    body_threw,   ///< run or wait of a subject; the exception is `cause`
    load_threw,   ///< the load step of a subject; the exception is `cause`
    setup_threw,  ///< the preparation of an input; the exception is `cause`
    refused,      ///< by the adapter that made the subject
    clock_went_backwards,
    zero_duration,  ///< the clock did not advance during a sample
    optimized_away,
    too_short,      ///< a sample, for the clock
    too_slow,       ///< for the budget or the cap
    no_value,       ///< the body returns no usable number
    worker_failed,  ///< the process that should have measured for this one
    out_of_memory,  ///< of this process, a device, or the measuring process, as far as known
    timed_out,      ///< the measuring process did not end in time
    unfinished,     ///< without a result: its process crashed, was killed, or exceeded the time-out of its test
    not_countable,  ///< here: the claim is skipped
    unavailable,    ///< this machine or build lacks what a subject needs: the claim is skipped
};

/// "body_threw", "load_threw", …: the names of the enumerators.
[[nodiscard]] const char* to_string(failure_kind kind) noexcept;

/// The kind of that name; nullopt for another text.
[[nodiscard]] std::optional<failure_kind> failure_kind_named(std::string_view name) noexcept;

/// A measurement that has no result. The claim is an *error*, or *skipped* for the last two kinds. The text is the
/// reason and the remedy.
struct measurement_failure : std::runtime_error {
    measurement_failure(failure_kind why, const std::string& reason, std::exception_ptr thrown = {})
        : std::runtime_error(reason), kind(why), cause(std::move(thrown)) {}

    failure_kind kind;
    std::exception_ptr cause;  ///< the exception of the subject, so that hosts can rethrow their own; or null
};

namespace detail {

/// Whether an exception is about lack of memory: std::bad_alloc, or one that a module knows by its type. Never by the
/// text of a user's exception.
[[nodiscard]] bool is_lack_of_memory(const std::exception& error) noexcept;

/// Registers a module's test for the exceptions of its library. Returns true, so the initializer of a constant can call
/// it before main.
bool know_lack_of_memory(bool (*is_known)(const std::exception& error) noexcept);

}  // namespace detail
}  // namespace perfspec::inline v0_2
