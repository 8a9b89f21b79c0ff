// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

std::string error_of(std::string_view text) {
    try {
        static_cast<void>(parse_project_file(text, "b/perfspec.json"));
    } catch (const input_error& e) { return e.what(); }
    return "<taken>";
}

std::string error_of(const file_system& files) {
    try {
        static_cast<void>(read_project_file(files, "/project/baselines"));
    } catch (const input_error& e) { return e.what(); }
    return "<taken>";
}

}  // namespace

TEST_CASE("parse_project_file reads options with their places", "[baseline][unit]") {
    const std::vector<project_option> expected{{option_id::margin, "1%", "b/perfspec.json:3"},
                                               {option_id::rounds, "500", "b/perfspec.json:4"},
                                               {option_id::baseline_processes, "12", "b/perfspec.json:5"},
                                               {option_id::seed, "auto", "b/perfspec.json:6"},
                                               {option_id::undecided, "fail", "b/perfspec.json:6"}};
    CHECK(
        parse_project_file(
            "{\n  \"$schema\": \"perfspec.schema.json\",\n  \"margin\": \"1%\",\n  \"rounds\": 500,\n  \"baseline_processes\": \"12\",\n"
            "  \"seed\": \"auto\", \"undecided\": \"fail\"\n}\n",
            "b/perfspec.json")
            .options == expected);
    CHECK(parse_project_file("{}", "b/perfspec.json").options.empty());
    CHECK(parse_project_file(R"({"seed": 18446744073709551615})", "x").options.front().text == "18446744073709551615");
}

TEST_CASE("parse_project_file takes every option that may be there, as the table writes it", "[baseline][unit]") {
    std::size_t count = 0;
    for (const option_description& row : option_table()) {
        if (!row.not_in_file.empty()) continue;
        INFO(row.name);
        const auto read =
            parse_project_file("{\"" + std::string(row.name) + "\": \"" + std::string(row.legal) + "\"}", "x").options;
        REQUIRE(read.size() == 1);
        CHECK(read.front().id == row.id);
        ++count;
    }
    CHECK(count == 16);
}

TEST_CASE("parse_project_file names file, line, option and a legal value", "[baseline][unit]") {
    std::string faults;
    for (const char* const text : {"{\n\"bugdet\": \"3s\"}",
                                   "{\"false-failure\": \"0.01\"}",
                                   "{\"color\": \"red\"}",
                                   "{\n\n\"budget\": \"soon\"}",
                                   "{\"budget\": \"\"}",
                                   "{\"margin\": \"70%\"}",
                                   "{\"margin\": 0.01}",
                                   "{\"margin\": \"nan\"}",
                                   "{\"rounds\": 1}",
                                   "{\"rounds\": 10.5}",
                                   "{\"rounds\": -5}",
                                   "{\"confirm\": false}",
                                   "{\"confirm\": null}",
                                   "{\"confirm\": [\"off\"]}",
                                   "{\"confirm\": {\"value\": \"off\"}}",
                                   "{\"confirm\": \"no\"}",
                                   "{\"baseline_dir\": \"x\"}",
                                   "{\"mode\": \"off\"}",
                                   "{\"key\": \"x\"}",
                                   "{\"margin\": \"1%\",\n\"margin\": \"2%\"}"})
        faults += error_of(text) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("parse_project_file reads waivers with their places", "[baseline][unit]") {
    const project_settings read = parse_project_file(
        "{\"waivers\": [\n{\"key\": \"sort / *\", \"ceiling\": \"20%\", \"until\": \"2027-01-31\", \"reason\": \"r\", \"owner\": \"#1\"},\n"
        "{\"owner\": \"me\", \"reason\": \"s\", \"until\": \"2028-02-29\", \"ceiling\": \"3\", \"key\": \"a\"}], \"margin\": \"1%\"}",
        "b/perfspec.json");
    CHECK(read.waivers == std::vector<waiver>{{"sort / *", "r", "#1", "20%", "2027-01-31", "b/perfspec.json:2"},
                                              {"a", "s", "me", "3", "2028-02-29", "b/perfspec.json:3"}});
    CHECK(read.options.size() == 1);
    CHECK(parse_project_file(R"({"waivers": []})", "x").waivers.empty());
}

TEST_CASE("parse_project_file refuses waivers that are not whole, each with a legal one", "[baseline][unit]") {
    std::string faults = error_of(R"({"waivers": {"key": "a"}})") + "\n";
    for (const char* const waiver :
         {R"("a")", R"({"key": "a"})",
          R"({"key": " ", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
          R"({"key": "a", "ceiling": "1%", "until": "2027-01-31", "reason": " ", "owner": "o"})", R"({"key": 3})",
          R"({"keys": "a"})", R"({"key": "**", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
          R"({"key": "* / *(ab*", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
          R"({"key": "a", "ceiling": "1%", "until": "2027-02-29", "reason": "r", "owner": "o"})"})
        faults += error_of("{\"waivers\": [" + std::string(waiver) + "]}") + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("parse_project_file refuses what is no JSON object", "[baseline][unit]") {
    std::string faults;
    for (const std::string& text : std::vector<std::string>{
             "", "{\"margin\": \"1%\",\n}", "{\"margin\": NaN}", "{\n\"rounds\": 1e999}", "{\"margin\": \"1%\"",
             "{\n// ours\n}", "[]", "\"margin\"", std::string(100000, '['), "{\"margin\": " + std::string(100000, '['),
             "\xff\xfe{", "{\n<<<<<<< ours\n}", "{\"margin\": \"\xff\"}"})
        faults += error_of(text) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("read_project_file reads the file in the folder of baselines", "[baseline][unit]") {
    scripted_file_system files;
    CHECK(read_project_file(files, "/project/baselines").options.empty());
    files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\"}");
    CHECK(read_project_file(files, "/project/baselines").options ==
          std::vector<project_option>{{option_id::margin, "1%", "/project/baselines/perfspec.json:1"}});
    CHECK_RECORDED(read_project_file(files, "/project/baselines/").options.front().place);
}

TEST_CASE("read_project_file stops at what cannot be read, and does not pass it over", "[baseline][unit]") {
    scripted_file_system files;
    files.put_folder("/project/baselines/perfspec.json");
    CHECK_RECORDED(error_of(files));
    scripted_file_system secret;
    secret.refuse_reading("/project/baselines/perfspec.json", read_outcome::unreadable, "Permission denied");
    CHECK_THAT(error_of(secret), StartsWith("/project/baselines/perfspec.json: Permission denied, expected"));
    scripted_file_system huge;
    huge.put("/project/baselines/perfspec.json", std::string(project_file::max_bytes + 1, ' '));
    CHECK_THAT(error_of(huge), ContainsSubstring("has more than 1048576 bytes"));
}

namespace {

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
    CHECK(committed_folder(all_paths(), project_files()) == "elsewhere");
}

TEST_CASE("committed_folder is the compiled-in one where there is no option", "[baseline][unit]") {
    auto paths = all_paths();
    paths.baseline_dir.clear();
    CHECK(committed_folder(paths, project_files()) == "/project/baselines");
    scripted_file_system before_the_first_recording;
    before_the_first_recording.put_folder("/project");
    CHECK(committed_folder(paths, before_the_first_recording) == paths.project_baselines);
    paths.project_baselines = "/project/baselines/";
    CHECK(committed_folder(paths, before_the_first_recording) == paths.project_baselines);
}

TEST_CASE("committed_folder is the nearest one upwards where the compiled-in project is gone", "[baseline][unit]") {
    auto paths = all_paths();
    paths.baseline_dir.clear();
    paths.working_directory = "/runner/checkout/build/tests";
    scripted_file_system files;
    files.put_folder("/runner/checkout/baselines");
    files.put_folder("/runner/baselines");
    files.put_folder("/baselines");
    CHECK(committed_folder(paths, files) == "/runner/checkout/baselines");
    paths.working_directory = "/";
    CHECK(committed_folder(paths, files) == "/baselines");
    paths.working_directory = "/runner/";
    CHECK(committed_folder(paths, files) == "/runner/baselines");
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
    CHECK_THROWS_RECORDED(std::exception, committed_folder(paths, scripted_file_system()));
    CHECK_THROWS_RECORDED(std::exception, committed_folder({}, scripted_file_system()));
}

TEST_CASE("local_folder is in the build folder, else beside the executable", "[baseline][unit]") {
    auto paths = all_paths();
    CHECK(local_folder(paths, project_files()) == "/project/build/perfspec-baselines");
    CHECK_RECORDED(local_folder(paths, scripted_file_system()));  // moved to another machine
    paths.executable = "/vision_test";
    CHECK(local_folder(paths, scripted_file_system()) == "/perfspec-baselines");
}

TEST_CASE("local_folder says when neither is known", "[baseline][unit]") {
    CHECK_THROWS_RECORDED(std::exception, local_folder({}, scripted_file_system()));
}

}  // namespace

}  // namespace perfspec
