// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>
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

}  // namespace detail

host& current_host() noexcept { return *detail::installed_host(); }

void install_host(host& h) noexcept { detail::installed_host() = &h; }

void plain_host::report(const site& where, std::string_view claim, const record& result, const std::exception_ptr&) {
    if (result.verdict != verdict::holds || where.effect == effect::record || !result.notes.empty()) {
        const console_colour colour = colour_for(is_terminal(stderr), this_session().system().variables);
        std::fprintf(stderr, "%s\n", render_console(result, {.colour = colour}).c_str());
    }
    if (result.failed && where.effect == effect::require) throw assertion_failed(render_console(result, {}));
    if (result.failed) detail::note_failure_of_no_test(where, claim);
}

void plain_host::unexpected_exception(const site&) { throw; }

}  // namespace perfspec
