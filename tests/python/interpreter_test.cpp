// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/python/worker_script.hpp>

#include "support/scripted_environment.hpp"
#include "support/temporary_folder.hpp"

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

TEST_CASE("a Python that is not there is told with who names it", "[python][unit]") {
    const scripted_environment none({}), set({{"PERFSPEC_PYTHON", "/no/python"}});
    CHECK(
        reason_of_missing_python("", "/bin/sh", "/src", set) ==
        "PERFSPEC_PYTHON is \"/no/python\", and there is no such program: name a Python of version 3.9 or newer, such as /usr/bin/python3");
    CHECK(
        reason_of_missing_python("./python", "/bin/sh", "/src", none) ==
        "the settings' .interpreter is \"./python\", and there is no such program: name a Python of version 3.9 or newer, such as /usr/bin/python3");
    CHECK(
        reason_of_missing_python("", "/no/python", "/src", none) ==
        "the build found \"/no/python\", and there is no such program: configure again, or set PERFSPEC_PYTHON to a Python");
    CHECK(reason_of_missing_python("/bin/sh", "", "/src", set).empty());
    CHECK(reason_of_missing_python("", "", "/src", none).empty());  // python3, from PATH
}
