// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/process/program_start.hpp>
#include <perfspec/python/worker_script.hpp>

#include "support/scripted_environment.hpp"
#include "support/temporary_folder.hpp"

#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::program_start;
using perfspec::detail::find_worker_script;
using perfspec::testing::scripted_environment;

namespace {

/// Headers in a folder, with the script beside them.
struct headers_in {
    std::string folder;
    std::string header = folder + "/perfspec/python/worker_subjects.hpp";
    std::string script = folder + "/perfspec/python/module/perfspec_worker.py";

    explicit headers_in(std::string where) : folder(std::move(where)) {
        std::filesystem::create_directories(folder + "/perfspec/python/module");
        std::ofstream(header) << "a header";
        std::ofstream(script) << "a script";
    }
};

const scripted_environment no_variables({});

}  // namespace

TEST_CASE("the worker's script is beside the headers of the program, not those of its library", "[python][unit]") {
    const perfspec::temporary_folder all;
    const headers_in installed(all / "prefix/include");
    const std::string gone = "/gone/include/perfspec/python/worker_subjects.hpp";
    CHECK(find_worker_script({installed.header, gone}, {}, no_variables).path == installed.script);
    CHECK(find_worker_script({gone, installed.header}, {}, no_variables).path == installed.script);
}

TEST_CASE("a relative header is looked for above the program, and the script beside it", "[python][unit]") {
    const perfspec::temporary_folder project;
    const headers_in own(project / "include");
    const std::string relative = "include/perfspec/python/worker_subjects.hpp";
    const program_start inside{.executable = project / "build/bin/a", .working_directory = "/", .environment = {}};
    CHECK(find_worker_script({relative}, inside, no_variables).path == own.script);
    const program_start outside{.executable = "/elsewhere/a", .working_directory = "/", .environment = {}};
    CHECK(find_worker_script({relative}, outside, no_variables).path.empty());
    const scripted_environment named({{"PERFSPEC_PYTHON_MODULE", project / "include/perfspec/python/module"}});
    CHECK(find_worker_script({relative}, outside, named).path == own.script);
}

TEST_CASE("a script that is nowhere is told with the places and the variable", "[python][unit]") {
    const std::string one = "/gone/a/worker_subjects.hpp", other = "/gone/b/worker_subjects.hpp";
    const auto found = find_worker_script({one, other, one}, {}, no_variables);
    CHECK(found.path.empty());
    CHECK(
        found.missing ==
        "perfspec's module for Python is not where the headers were when this program was compiled: there is no "
        "/gone/a/module/perfspec_worker.py, nor /gone/b/module/perfspec_worker.py; set PERFSPEC_PYTHON_MODULE to its folder, such as "
        "/usr/local/include/perfspec/python/module");
}

TEST_CASE("a folder that the variable names is the only one where the script is looked for", "[python][unit]") {
    const perfspec::temporary_folder all;
    const headers_in installed(all / "include");
    const scripted_environment wrong({{"PERFSPEC_PYTHON_MODULE", "wrong"}}), empty({{"PERFSPEC_PYTHON_MODULE", ""}});
    const program_start here{.executable = "/bin/a", .working_directory = "/here", .environment = {}};
    const auto found = find_worker_script({installed.header}, here, wrong);
    CHECK(found.path.empty());
    CHECK_THAT(found.missing,
               ContainsSubstring("PERFSPEC_PYTHON_MODULE=wrong: there is no /here/wrong/perfspec_worker.py"));
    CHECK(find_worker_script({installed.header}, here, empty).path == installed.script);
}
