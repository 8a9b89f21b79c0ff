// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/process_end.hpp>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <unistd.h>

namespace perfspec::detail {

/// The state that the exit handlers read. It is never destroyed, because handlers run among the destructors of statics.
struct end_of_process {
    std::mutex access{};  // another thread may end the process
    const work_in_progress* at_work{};
    std::string first_failure{};
    std::size_t failures{};
    bool is_watched{};
};

inline end_of_process& this_end() {
    static end_of_process& end = *new end_of_process;
    return end;
}

inline std::string assertion_text(const site& where, std::string_view claim) {
    return std::string(where.macro) + "( " + std::string(claim) + " ) at " + where.file + ":" + std::to_string(where.line);
}

/// Ends the process at once. An exit handler cannot change the exit code, and must not call exit again.
[[noreturn]] inline void end_with_failure() noexcept {
    std::fflush(nullptr);
    std::_Exit(failure_code);
}

void end_cut_short(const char* how) noexcept {
    const std::lock_guard hold(this_end().access);
    const work_in_progress* const cut = this_end().at_work;
    if (cut == nullptr || cut->process_ != ::getpid()) return;
    std::fprintf(stderr,
                 "perfspec: %s ended the process while measuring %s\n"
                 "  nothing was judged from there on; measure a body that returns, and end the process outside of assertions\n",
                 how, cut->assertion_.c_str());
    end_with_failure();
}

inline bool watch_for_cuts() {
    bool watched = std::atexit([] { end_cut_short("exit()"); }) == 0;
#if !defined(__APPLE__)  // has no quick_exit
    watched = std::at_quick_exit([] { end_cut_short("quick_exit()"); }) == 0 && watched;
#endif
    return watched;
}

work_in_progress::work_in_progress(const site& where, std::string_view claim)
    : assertion_(assertion_text(where, claim)), process_(::getpid()), before_(nullptr) {
    [[maybe_unused]] static const bool watched = watch_for_cuts();
    const std::lock_guard hold(this_end().access);
    before_ = this_end().at_work;
    this_end().at_work = this;
}

work_in_progress::~work_in_progress() {
    const std::lock_guard hold(this_end().access);
    this_end().at_work = before_;
}

inline void end_with_unknown_failures() noexcept {
    end_of_process& end = this_end();
    end.is_watched = false;  // cleared, because destructors of statics that run later may assert, too
    if (end.failures == 0) return;
    std::fprintf(
        stderr,
        "perfspec: %zu performance assertion%s failed outside of any test case, first %s\n"
        "  the process ends with %d; assert in a test case, or end main with `return perfspec::exit_code(…);` after the last assertion\n",
        end.failures, end.failures == 1 ? "" : "s", end.first_failure.c_str(), failure_code);
    end_with_failure();
}

void note_failure_of_no_test(const site& where, std::string_view claim) {
    end_of_process& end = this_end();
    const std::lock_guard hold(end.access);
    if (end.failures++ == 0) end.first_failure = assertion_text(where, claim);
    if (!end.is_watched) end.is_watched = std::atexit(end_with_unknown_failures) == 0;
}

void failures_are_known() noexcept {
    const std::lock_guard hold(this_end().access);
    this_end().failures = 0;
}

}  // namespace perfspec::detail
