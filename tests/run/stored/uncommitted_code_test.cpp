// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// An update of baselines where the working tree has changes.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <support/captured_stream.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

namespace perfspec {
using namespace testing;

TEST_CASE("an update says once that the code it records is not committed", "[run][unit]") {
    struct row {
        std::string git;
        const char* verbosity;
        bool warned;
    };
    const auto given = GENERATE(
        values<row>({{" M sort.cpp\n", "normal", true}, {"", "normal", false}, {" M sort.cpp\n", "quiet", false}}));
    int asked = 0;
    stored_program program([&](const child_command& command) {
        if (command.executable != "/usr/bin/env") {
            child_end launch = launch_of(1e6);
            launch.seconds = 0.1;  // ten are too short to be announced
            return launch;
        }
        ++asked;
        CHECK(command.arguments.back() == ":(top,exclude,literal)baselines");  // an update changes these itself
        return child_end{
            .how = child_outcome::exited, .code = 0, .result = {}, .last_words = given.git, .seconds = 0.1};
    });
    program.files.put("/project/.git/HEAD", std::string(40, 'a').append(1, '\n'));
    program.files.put_folder("/project/baselines");
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.variables["PERFSPEC_VERBOSITY"] = given.verbosity;
    const captured_stream console;
    program.console = console.file();
    CHECK_FALSE(program.evaluate(latency(program.sort) < 1.06 * baseline()).failed);
    CHECK_FALSE(program.evaluate(latency(program.sort) < 1.06 * baseline(), {key("other")}).failed);
    CHECK(program.stored().entries.size() == 2);
    CHECK(asked <= 1);
    CHECK(
        console.text() ==
        (given.warned
             ? "perfspec: warning: the working tree has changes after aaaaaaaaaa: these launches carry that commit, but changed code "
               "was measured; commit, and record again, before you share them\n"
             : ""));
}

TEST_CASE("an update that writes nothing, and a first run at a desk, do not ask whether the code is committed",
          "[run][unit]") {
    const bool first_run = GENERATE(true, false);
    stored_program program(launches_of(1e6, 10));  // git would be a child too many
    program.files.put("/project/.git/HEAD", std::string(40, 'a').append(1, '\n'));
    if (!first_run) {
        program.store(stored_program::key(), about(1e6, 10));
        program.context().set_option(option_id::update_baselines, "moved");
    }
    CHECK(program.evaluate(latency(program.sort) < 1.06 * baseline()).verdict == verdict::not_judged);
    CHECK(program.launcher.commands().size() == 10);
}

}  // namespace perfspec
