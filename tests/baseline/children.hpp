// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <exception>

#include <sys/wait.h>
#include <unistd.h>

namespace perfspec {

/// Runs the body in a child process, which then ends without the destructors of the test program; the status is 0
/// unless it threw.
template <class Body> pid_t start_child(const Body& body) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    try {
        body();
        ::_exit(0);
    } catch (const std::exception&) { ::_exit(1); }
}

/// Its exit status; -1 for a child that a signal ended.
inline int wait_for_child(pid_t child) {
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return -2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace perfspec
