// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Measurements of this machine, in a program that ctest runs alone.

#include <perfspec/doctor/doctor.hpp>

#include "support/scripted_environment.hpp"

#include <support/temporary_folder.hpp>
#include <support/test.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("the doctor examines this machine and compares three bodies with themselves", "[run][measuring]") {
    const temporary_folder own;  // with a machine lock of its own
    const testing::scripted_environment variables{{"TMPDIR", own.path()}};
    const system_access machine = real_system();
    doctor_report report{"here", "", {}, {}, {}};
    examine(report,
            {variables, machine.files, machine.wall, machine.cpu, machine.rest, machine.launcher, machine.start,
             machine.utc_now, machine.draw_seed, machine.under_debugger, machine.counts},
            50ms);
    const std::string text = render_doctor(report);
    INFO(text);
    for (const char* part :
         {"perfspec doctor: here\n", " load ", "short arithmetic (", "    arithmetic (", "a sweep over 64 MiB ("})
        CHECK_THAT(text, ContainsSubstring(part));
    CHECK_THAT(text, !ContainsSubstring("improve  neighbor "));
    CHECK_FALSE(std::filesystem::is_empty(own.path()));
}

}  // namespace perfspec
