// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/evaluation.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace perfspec::inline v0_2 {
namespace detail {

std::string assertion_text(const site& where, std::string_view claim) {
    return std::string(where.macro) + "( " + std::string(claim) + " ) at " + where.file + ":" +
           std::to_string(where.line);
}

/// The state for the exit handler. It is never destroyed, because the handler runs among the destructors of statics.
struct end_of_process {
    std::mutex access{};  // another thread may end the process
    std::string open{};   ///< the claim that is open; empty if none is
    pid_t opened_by{};
    std::string first_failure{};
    std::size_t failures{};
};

inline end_of_process& this_end() {
    static end_of_process& end = *new end_of_process;
    return end;
}

/// The exit handler. It cannot change the exit code or call exit again, so it ends the process at once.
inline void end_with_failure() noexcept {
    const end_of_process& end = this_end();
    const std::lock_guard lock(this_end().access);
    const bool is_cut = !end.open.empty() && end.opened_by == ::getpid();
    if (is_cut)
        std::fprintf(
            stderr,
            "perfspec: the process ended while measuring %s\n"
            "  nothing was judged from there on; measure a body that returns, and end the process outside of assertions\n",
            end.open.c_str());
    else if (end.failures != 0)
        std::fprintf(
            stderr,
            "perfspec: %zu claim%s failed outside of any test case, first %s\n"
            "  the process ends with %d; assert in a test case, or end main with `return perfspec::exit_code(…);` after the last assertion\n",
            end.failures, end.failures == 1 ? "" : "s", end.first_failure.c_str(), failure_code);
    else return;
    std::fflush(nullptr);
    std::_Exit(failure_code);
}

inline bool watch_end() {
    static_cast<void>(std::at_quick_exit(end_with_failure));
    return std::atexit(end_with_failure) == 0;
}

open_claim::open_claim(const site& where, std::string_view claim) {
    [[maybe_unused]] static const bool is_watched = watch_end();
    const std::lock_guard lock(this_end().access);
    before_ = std::exchange(this_end().open, assertion_text(where, claim));
    this_end().opened_by = ::getpid();
}

open_claim::~open_claim() {
    const std::lock_guard lock(this_end().access);
    this_end().open = std::move(before_);
}

void note_failure_of_no_test(const site& where, std::string_view claim) {
    const std::lock_guard lock(this_end().access);
    if (this_end().failures++ == 0) this_end().first_failure = assertion_text(where, claim);
    static_cast<void>(std::atexit(
        end_with_failure));  // again, because the destructor of a static may assert after the handler has run
}

void forget_failures() noexcept {
    const std::lock_guard lock(this_end().access);
    this_end().failures = 0;
}

inline host*& installed_host() {
    static plain_host& fallback = *new plain_host;  // never destroyed, because destructors of statics may assert
    static host* current = &fallback;
    return current;
}

host& current_host() noexcept { return *installed_host(); }

void plain_host::report(const site& where, std::string_view claim, const evaluation& result,
                        const std::exception_ptr&) {
    if (result.verdict != verdict::holds || !result.notes.empty()) {
        const console_color color = color_for(is_terminal(stderr), this_session().system().variables);
        std::fprintf(stderr, "%s\n", render_console(record_of(result), {.color = color}).c_str());
    }
    if (result.failed && where.effect == effect::require) throw assertion_failed(result.text());
    if (result.failed) note_failure_of_no_test(where, claim);
}

void plain_host::unexpected_exception(const site&) { throw; }

}  // namespace detail

void install_host(host& h) noexcept { detail::installed_host() = &h; }

}  // namespace perfspec::inline v0_2
