// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/baseline/locate.hpp>

#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

baseline_paths all_paths() {
    return {"elsewhere", "/project/baselines", "/project/build", "/project/build/tests",
            "/project/build/bin/vision_test"};
}

scripted_file_system project_files() {
    scripted_file_system files;
    files.put_folder("/project/baselines");
    files.put_folder("/project/build/tests");
    return files;
}

TEST_CASE("committed_folder is the option's, whether it exists or not", "[baseline][unit]") {
    CHECK(committed_folder(all_paths(), project_files()) == located_folder{"elsewhere", folder_origin::option});
}

TEST_CASE("committed_folder is the compiled-in one where there is no option", "[baseline][unit]") {
    auto paths = all_paths();
    paths.baseline_dir.clear();
    CHECK(committed_folder(paths, project_files()) == located_folder{"/project/baselines", folder_origin::compiled_in});
    scripted_file_system before_the_first_recording;
    before_the_first_recording.put_folder("/project");
    CHECK(committed_folder(paths, before_the_first_recording).origin == folder_origin::compiled_in);
    paths.project_baselines = "/project/baselines/";
    CHECK(committed_folder(paths, before_the_first_recording).origin == folder_origin::compiled_in);
}

TEST_CASE("committed_folder is the nearest one upwards where the compiled-in project is gone", "[baseline][unit]") {
    auto paths = all_paths();
    paths.baseline_dir.clear();
    paths.working_directory = "/runner/checkout/build/tests";
    scripted_file_system files;
    files.put_folder("/runner/checkout/baselines");
    files.put_folder("/runner/baselines");
    files.put_folder("/baselines");
    CHECK(committed_folder(paths, files) ==
          located_folder{"/runner/checkout/baselines", folder_origin::above_working_directory});
    paths.working_directory = "/";
    CHECK(committed_folder(paths, files).path == "/baselines");
    paths.working_directory = "/runner/";
    CHECK(committed_folder(paths, files).path == "/runner/baselines");
}

TEST_CASE("find_committed_folder finds nothing where nothing is", "[baseline][unit]") {
    auto paths = all_paths();
    paths.baseline_dir.clear();
    CHECK_FALSE(find_committed_folder(paths, scripted_file_system()));
    CHECK_FALSE(find_committed_folder({}, scripted_file_system()));
}

TEST_CASE("committed_folder says where it looked and how to name one", "[baseline][unit]") {
    auto paths = all_paths();
    paths.baseline_dir.clear();
    CHECK_THROWS_WITH(
        committed_folder(paths, scripted_file_system()),
        "no folder for committed baselines: the build names none (/project/baselines is gone), and there is no folder \"baselines\" in "
        "/project/build/tests or above it; make one in the project's folder (mkdir baselines), or name one with "
        "PERFSPEC_BASELINE_DIR=/path/to/project/baselines");
    CHECK_THROWS_WITH(committed_folder({}, scripted_file_system()),
                      ContainsSubstring("(no path)") && ContainsSubstring("in the working directory or above it"));
}

TEST_CASE("local_folder is in the build folder, else beside the executable", "[baseline][unit]") {
    auto paths = all_paths();
    CHECK(local_folder(paths, project_files()) ==
          located_folder{"/project/build/perfspec-baselines", folder_origin::build_folder});
    CHECK(local_folder(paths, scripted_file_system())  // moved to another machine
          == located_folder{"/project/build/bin/perfspec-baselines", folder_origin::beside_executable});
    paths.executable = "/vision_test";
    CHECK(local_folder(paths, scripted_file_system()).path == "/perfspec-baselines");
}

TEST_CASE("local_folder says when neither is known", "[baseline][unit]") {
    CHECK_THROWS_WITH(local_folder({}, scripted_file_system()),
                      ContainsSubstring("no folder for this machine's baselines") &&
                          ContainsSubstring("PERFSPEC_BASELINE_DIR"));
}

TEST_CASE("folder_origin has words for messages", "[baseline][unit]") {
    CHECK(std::string(describe(folder_origin::option)) == "named by baseline_dir");
    CHECK(std::string(describe(folder_origin::compiled_in)) == "compiled in for this project");
    CHECK(std::string(describe(folder_origin::above_working_directory)) == "nearest one above the working directory");
    CHECK(std::string(describe(folder_origin::build_folder)) == "recorded on this machine, in the build folder");
    CHECK(std::string(describe(folder_origin::beside_executable)) ==
          "recorded on this machine, beside the test binary");
}

}  // namespace
}  // namespace perfspec
