// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure_kind.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec {

/// A measurement that has no result. The claim is *invalid*, or *not judged* for the last two kinds. The text is the
/// reason, and says what to do.
struct measurement_failure : std::runtime_error {
    measurement_failure(failure_kind why, const std::string& reason, std::exception_ptr thrown = {})
        : std::runtime_error(reason), kind(why), cause(std::move(thrown)) {}

    failure_kind kind;
    std::exception_ptr cause;  ///< what the subject threw, so a host can rethrow its own exceptions; else null
};

namespace detail {

/// Whether a reason is about lack of memory, in the words of std::bad_alloc, CUDA, LibTorch or the system.
[[nodiscard]] bool speaks_of_memory(std::string_view what);

}  // namespace detail
}  // namespace perfspec
