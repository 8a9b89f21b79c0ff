// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/doctor/doctor.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/version.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

void init(int argc, const char* const* argv) {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const split_command_line split = split_options(arguments);
    for (const auto& [id, text] : split.options) this_session().set_option(id, text);
    if (split.doctor) std::exit(detail::print_doctor());
    detail::require_settings();                  // a bad variable stops the run before the first assertion
    this_session().set_arguments(split.others);  // options excluded, because a child gets its plan from its parent
}

void detail::require_settings() {
    session& run = this_session();
    if (run.child()) return;  // its parent has resolved the plan, also by options that the child does not have
    static_cast<void>(run.resolve_plan({}));
    for (const std::string& note : notes_on_variables(run.system().variables)) run.log_once(note);
    if (device_machine* const devices = run.system().devices; devices != nullptr) devices->require_granted();
}

void child_argument(const char* argument) { this_session().add_child_argument(argument); }

std::string detail::examine_this_machine() {
    session& run = this_session();
    const std::string skipped = detail::reason_of_build_or_machine(PERFSPEC_DETAIL_BUILD_KIND, run);
    doctor_report report{run.hardware_key(), skipped, run.resolve_plan({}), {}, {}};
    examine(report, run.system());
    return render_doctor(report);
}

int detail::print_doctor() {
    try {
        std::fputs(examine_this_machine().c_str(), stdout);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "perfspec: the doctor cannot measure here: %s\n", e.what());
        return 2;
    }
}

int exit_code() {
    detail::forget_failures();
    return this_session().exit_code(this_session().any_failed() ? detail::failure_code : 0);
}

std::string run_summary() { return this_session().summary(); }

namespace detail {

/// Makes a child ready before main and its threads, so it watches its parent from the start.
inline bool child_is_ready() {
    session& run = this_session();
    if (!run.child()) return false;
    try {
        run.become_child();
        if (run.child()->task == child_task::serve) send_unreached_at_exit();
    } catch (const input_error& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        std::_Exit(2);
    }
    return true;
}

[[maybe_unused]] static const bool this_is_a_child = child_is_ready();

}  // namespace detail
}  // namespace perfspec::inline v0_2

extern "C" {
// `extern` gives the constant external linkage. Without it, a second definition would not be a linker error.
extern const int
    perfspec_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_in_one_source_file = 1;
extern const int PERFSPEC_DETAIL_VERSION_IS_LINKED = 1;
extern const int
    perfspec_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main;
const int perfspec_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main =
    1;
#if defined(_GLIBCXX_DEBUG)
extern const int
    perfspec_was_compiled_without_GLIBCXX_DEBUG_so_configure_with_PERFSPEC_FROM_SOURCE_ON_and_that_flag_in_CMAKE_CXX_FLAGS =
        1;
#endif
}
