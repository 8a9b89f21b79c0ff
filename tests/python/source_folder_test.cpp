// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/python/worker_script.hpp>

#include "support/temporary_folder.hpp"

#include <support/test.hpp>

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
