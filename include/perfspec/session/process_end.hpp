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

/// While it lives, an assertion is at work. Where what it measures ends the process meanwhile, by exit or quick_exit, the process says so and ends
/// with 42: it would else look as if it had passed. A process that the body forks, and one that answers a parent, end as they like.
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

/// Notes that an assertion failed which no test framework was told of: the process ends with 42, unless it asks for its exit code after that.
void note_failure_of_no_test(const site& where, std::string_view claim);

/// The program asked for its exit code: it knows of the failures until now.
void failures_are_known() noexcept;

}  // namespace perfspec::detail
