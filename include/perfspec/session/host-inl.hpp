// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/evaluation.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/process_end.hpp>
#include <perfspec/session/session.hpp>

#include <cstdio>

namespace perfspec {
namespace detail {

inline host*& installed_host() noexcept {
    static plain_host fallback;
    static host* current = &fallback;
    return current;
}

host& current_host() noexcept { return *installed_host(); }

void plain_host::report(const site& where, std::string_view claim, const evaluation& found, const std::exception_ptr&) {
    if (found.verdict != verdict::holds || where.effect == effect::record || !found.notes.empty()) {
        const console_colour colour = colour_for(is_terminal(stderr), this_session().system().variables);
        std::fprintf(stderr, "%s\n", render_console(record_of(found), {.colour = colour}).c_str());
    }
    if (found.failed && where.effect == effect::require) throw assertion_failed(found.text());
    if (found.failed) note_failure_of_no_test(where, claim);
}

void plain_host::unexpected_exception(const site&) { throw; }

}  // namespace detail

void install_host(host& h) noexcept { detail::installed_host() = &h; }

}  // namespace perfspec
