// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/site.hpp>

#include <string>
#include <string_view>

#include <sys/types.h>

namespace perfspec::detail {

/// The exit code of a program with a failure.
inline constexpr int failure_code = 42;

/// Marks an assertion as being evaluated while this object lives. If a measured body ends the process by exit or quick_exit, the process
/// says so and ends with 42; otherwise it would look as if it had passed. This does not concern a process that the body forks, or one that
/// answers a parent.
class work_in_progress {
public:
    work_in_progress(const site& where, std::string_view claim);
    work_in_progress(const work_in_progress&) = delete;
    work_in_progress& operator=(const work_in_progress&) = delete;
    ~work_in_progress();

private:
    friend void end_cut_short(const char* how) noexcept;

    std::string assertion_;
    pid_t process_;
    const work_in_progress* before_;
};

/// Notes a failed assertion that no test framework knows. The process then ends with 42, unless it asks for its exit code after that.
void note_failure_of_no_test(const site& where, std::string_view claim);

/// Notes that the program asked for its exit code, so it knows the failures until now.
void failures_are_known() noexcept;

}  // namespace perfspec::detail
