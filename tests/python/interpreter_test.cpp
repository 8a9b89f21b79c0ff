// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/scripted_environment.hpp"
#include "support/temporary_folder.hpp"

#include <perfspec/plan/environment.hpp>
#include <perfspec/python/worker_script.hpp>

#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::detail::program_called;
using perfspec::detail::python_to_use;
using perfspec::detail::reason_of_missing_python;

TEST_CASE("a program without a folder is looked for in PATH", "[python][unit]") {
    const perfspec::temporary_folder folder;
    const std::string first = folder / "first", second = folder / "second";
    for (const std::string& each : {first, second}) std::filesystem::create_directory(each);
    std::ofstream(first + "/node") << "not executable";
    std::ofstream(second + "/node") << "executable";
    std::filesystem::permissions(second + "/node", std::filesystem::perms::owner_all);
    const scripted_environment variables({{"PATH", first + "::" + second}});
    CHECK(program_called("node", "/src", variables) == second + "/node");
    CHECK_FALSE(program_called("deno", "/src", variables));
}

TEST_CASE("a program with a folder is that file, relative to the test's source", "[python][unit]") {
    const scripted_environment variables({{"PATH", "/nowhere"}});
    CHECK(program_called("./worker", "/src/tests", variables) == "/src/tests/worker");
    CHECK(program_called("../bin/worker", "/src/tests", variables) == "/src/bin/worker");
    CHECK(program_called("/usr/bin/node", "/src/tests", variables) == "/usr/bin/node");
}

TEST_CASE("the Python is the test's, that of the variable, the one of the build, the first of PATH", "[python][unit]") {
    const scripted_environment none({}), set({{"PERFSPEC_PYTHON", "/env/python"}}), empty({{"PERFSPEC_PYTHON", ""}});
    CHECK(python_to_use("/own/python", "/build/python", set) == "/own/python");
    CHECK(python_to_use("", "/build/python", set) == "/env/python");
    CHECK(python_to_use("", "/build/python", empty) == "/build/python");
    CHECK(python_to_use("", "/build/python", none) == "/build/python");
    CHECK(python_to_use("", "", none) == "python3");
}

TEST_CASE("a missing Python is reported with the source of its name", "[python][unit]") {
    const scripted_environment none({}), set({{"PERFSPEC_PYTHON", "/no/python"}});
    CHECK_RECORDED(reason_of_missing_python("", "/bin/sh", "/src", set));
    CHECK_RECORDED(reason_of_missing_python("./python", "/bin/sh", "/src", none));
    CHECK_RECORDED(reason_of_missing_python("", "/no/python", "/src", none));
    CHECK(reason_of_missing_python("/bin/sh", "", "/src", set).empty());
    CHECK(reason_of_missing_python("", "", "/src", none).empty());  // python3, from PATH
}

using perfspec::program_start;
using perfspec::detail::folder_of_source;

TEST_CASE("the folder of a source is known where its path is absolute", "[python][unit]") {
    CHECK(folder_of_source("/project/tests/../tests/a.cpp", {}) == "/project/tests");
}

TEST_CASE("a program of another checkout finds its own source, also where it is started in the folder of this one",
          "[python][unit]") {
    const perfspec::temporary_folder here, other;
    for (const auto* const checkout : {&here, &other}) {
        std::filesystem::create_directories(*checkout / "tests");
        std::filesystem::create_directories(*checkout / "build/bin");
        std::ofstream(*checkout / "tests/a.cpp") << "int a;";
    }
    const program_start start{
        .executable = other / "build/bin/a", .working_directory = here / "build", .environment = {}};
    CHECK(folder_of_source("../tests/a.cpp", start) == std::string(other / "tests"));
}

TEST_CASE("a relative path of a source is looked for above the program, and where it was started", "[python][unit]") {
    const perfspec::temporary_folder project;
    std::filesystem::create_directories(project / "tests");
    std::filesystem::create_directories(project / "build/bin");
    std::ofstream(project / "tests/a.cpp") << "int a;";
    const std::string found = project / "tests";
    program_start start{
        .executable = project / "build/bin/a", .working_directory = project / "build", .environment = {}};
    CHECK(folder_of_source("../tests/a.cpp", start) == found);  // relative to build
    start.working_directory = project / "build/bin";
    CHECK(folder_of_source("../tests/a.cpp", start) == found);
    start.working_directory = "/nowhere";
    CHECK(folder_of_source("../tests/a.cpp", start) == found);
    CHECK(folder_of_source("tests/a.cpp", start) == found);  // relative to the project
    CHECK(folder_of_source("tests/b.cpp", start) == "/nowhere/tests");
    start.executable = "/nowhere/a";
    start.working_directory = project / "build";
    CHECK(folder_of_source("../tests/a.cpp", start) == found);
    start.working_directory = "/nowhere";
    start.executable.clear();
    CHECK(folder_of_source("tests/a.cpp", start) == "/nowhere/tests");
}

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

TEST_CASE("a missing script is reported with the places and the variable", "[python][unit]") {
    const std::string one = "/gone/a/worker_subjects.hpp", other = "/gone/b/worker_subjects.hpp";
    const auto found = find_worker_script({one, other, one}, {}, no_variables);
    CHECK(found.path.empty());
    CHECK_RECORDED(found.missing);
}

TEST_CASE("a folder that the variable names is the only one where the script is looked for", "[python][unit]") {
    const perfspec::temporary_folder all;
    const headers_in installed(all / "include");
    const scripted_environment wrong({{"PERFSPEC_PYTHON_MODULE", "wrong"}}), empty({{"PERFSPEC_PYTHON_MODULE", ""}});
    const program_start here{.executable = "/bin/a", .working_directory = "/here", .environment = {}};
    const auto found = find_worker_script({installed.header}, here, wrong);
    CHECK(found.path.empty());
    CHECK_RECORDED(found.missing);
    CHECK(find_worker_script({installed.header}, here, empty).path == installed.script);
}
