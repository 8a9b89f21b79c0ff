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
                                               {option_id::launches, "12", "b/perfspec.json:5"},
                                               {option_id::seed, "auto", "b/perfspec.json:6"},
                                               {option_id::undecided, "fail", "b/perfspec.json:6"}};
    CHECK(
        parse_project_file(
            "{\n  \"$schema\": \"perfspec.schema.json\",\n  \"margin\": \"1%\",\n  \"rounds\": 500,\n  \"launches\": \"12\",\n"
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
    const auto [text, error] = GENERATE(table<const char*, const char*>({
        {"{\n\"bugdet\": \"3s\"}",
         "b/perfspec.json:2: \"bugdet\" is not an option of perfspec; did you mean \"budget\": \"10s\"?"},
        {"{\"false-failure\": \"0.01\"}",
         "b/perfspec.json:1: \"false-failure\" is not an option of perfspec; did you mean \"false_failure\": \"0.001\"?"},
        {"{\"colour\": \"red\"}",
         "b/perfspec.json:1: \"colour\" is not an option of perfspec; the options are \"budget\", \"cap\", "},
        {"{\n\n\"budget\": \"soon\"}",
         "b/perfspec.json:3: \"budget\": \"soon\" is not a duration such as 10s, 250ms or 1.5us; write for example \"budget\": \"10s\""},
        {"{\"budget\": \"\"}", "b/perfspec.json:1: \"budget\": \"\" is not a duration"},
        {"{\"margin\": \"70%\"}",
         "b/perfspec.json:1: \"margin\": 0.7 is out of range, which is at least 0 and at most 0.5; write for example \"margin\": \"1%\""},
        {"{\"margin\": 0.01}", "b/perfspec.json:1: \"margin\" is 0.01; write for example \"margin\": \"1%\""},
        {"{\"margin\": \"nan\"}", "b/perfspec.json:1: \"margin\": \"nan\" is not a percentage"},
        {"{\"rounds\": 1}",
         "b/perfspec.json:1: \"rounds\": 1 is out of range, which is at least 10 and at most 1000000000; write for example \"rounds\": 100"},
        {"{\"rounds\": 10.5}", "b/perfspec.json:1: \"rounds\" is 10.5; write for example \"rounds\": 100"},
        {"{\"rounds\": -5}", "b/perfspec.json:1: \"rounds\" is -5; write for example \"rounds\": 100"},
        {"{\"confirm\": false}", "b/perfspec.json:1: \"confirm\" is false; write for example \"confirm\": \"off\""},
        {"{\"confirm\": null}", "b/perfspec.json:1: \"confirm\" is null; "},
        {"{\"confirm\": [\"off\"]}", "b/perfspec.json:1: \"confirm\" is a list; "},
        {"{\"confirm\": {\"value\": \"off\"}}", "b/perfspec.json:1: \"confirm\" is an object; "},
        {"{\"confirm\": \"no\"}",
         "b/perfspec.json:1: \"confirm\": \"no\" is not one of off, on, 0, 1; write for example \"confirm\": \"off\""},
        {"{\"baseline_dir\": \"x\"}",
         "b/perfspec.json:1: \"baseline_dir\" cannot be given here: it says where this file is; remove the line, and write "
         "--perf-baseline-dir=baselines or PERFSPEC_BASELINE_DIR=baselines"},
        {"{\"mode\": \"off\"}",
         "b/perfspec.json:1: \"mode\" cannot be given here: it is meant for one run, and every run reads this file; remove the line, and "
         "write "
         "--perf-mode=smoke or PERFSPEC_MODE=smoke"},
        {"{\"key\": \"x\"}",
         "b/perfspec.json:1: \"key\" cannot be given here: it belongs to one query; write key(\"...\") at its call; remove the line"},
        {"{\"margin\": \"1%\",\n\"margin\": \"2%\"}",
         "b/perfspec.json:2: \"margin\" appears twice, first in line 1, expected it once\n  correct the line"},
    }));
    CHECK_THAT(error_of(text), StartsWith(error));
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
    const auto [waiver, error] = GENERATE(table<const char*, const char*>({
        {R"("a")", "b/perfspec.json:1: \"waiver\" is \"a\", expected an object"},
        {R"({"key": "a"})", "b/perfspec.json:1: the waiver has no \"ceiling\"; write for example {\"key\": "},
        {R"({"key": " ", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
         "b/perfspec.json:1: the waiver has no \"key\""},
        {R"({"key": "a", "ceiling": "1%", "until": "2027-01-31", "reason": " ", "owner": "o"})",
         "b/perfspec.json:1: the waiver has no \"reason\""},
        {R"({"key": 3})", "b/perfspec.json:1: \"waiver.key\" is 3, expected a text"},
        {R"({"keys": "a"})", "b/perfspec.json:1: \"keys\" is unknown here, expected one of \"key\""},
        {R"({"key": "**", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
         "b/perfspec.json:1: the key \"**\" of the waiver matches every claim"},
        {R"({"key": "\u001b*", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
         "b/perfspec.json:1: the key \"\\x1b*\" of the waiver matches every claim"},
        {R"({"key": "* / *(ab*", "ceiling": "1%", "until": "2027-01-31", "reason": "r", "owner": "o"})",
         "b/perfspec.json:1: the key \"* / *(ab*\" of the waiver matches every claim, or nearly all"},
        {R"({"key": "a", "ceiling": "1%", "until": "2027-02-29", "reason": "r", "owner": "o"})",
         "b/perfspec.json:1: the waiver of \"a\": the last day \"2027-02-29\" is not a day; write for example \"2027-01-31\""},
    }));
    CHECK_THAT(error_of("{\"waivers\": [" + std::string(waiver) + "]}"), StartsWith(error));
    CHECK_THAT(error_of(R"({"waivers": {"key": "a"}})"),
               StartsWith("b/perfspec.json:1: \"waivers\" is an object, expected a list"));
}

TEST_CASE("parse_project_file refuses what is no JSON object", "[baseline][unit]") {
    const auto [text, error] = GENERATE(table<std::string, const char*>({
        {"", "b/perfspec.json:1: the text ends here, expected the rest of a project file"},
        {"{\"margin\": \"1%\",\n}",
         "b/perfspec.json:2: found \"}\" after a comma, expected no comma after the last value"},
        {"{\"margin\": NaN}", "b/perfspec.json:1: found \"NaN\", expected JSON such as \"margin\": \"1%\""},
        {"{\n\"rounds\": 1e999}", "b/perfspec.json:2: \"1e999\" is larger than any measurement"},
        {"{\"margin\": \"1%\"", "b/perfspec.json:1: the text ends here, expected the rest of a project file"},
        {"{\n// ours\n}", "b/perfspec.json:2: found"},
        {"[]", "b/perfspec.json:1: the file is not a JSON object, expected one such as {\"margin\": \"1%\"}"},
        {"\"margin\"", "b/perfspec.json:1: the file is not a JSON object"},
        {std::string(100000, '['), "b/perfspec.json:1: more than 8 levels of nesting, expected a project file"},
        {"{\"margin\": " + std::string(100000, '['),
         "b/perfspec.json:1: more than 8 levels of nesting, expected a project file"},
        {"\xff\xfe{", "b/perfspec.json:1: the text is in UTF-16: save it as UTF-8"},
        {"{\n<<<<<<< ours\n}", "b/perfspec.json:2: a merge conflict is here"},
        {"{\"margin\": \"\xff\"}", "b/perfspec.json:1: found"},
    }));
    CHECK_THAT(error_of(text), StartsWith(error) &&
                                   ContainsSubstring("\n  correct the line, or restore the file from version control"));
}

TEST_CASE("read_project_file reads the file in the folder of baselines", "[baseline][unit]") {
    scripted_file_system files;
    CHECK(read_project_file(files, "/project/baselines").options.empty());
    files.put("/project/baselines/perfspec.json", "{\"margin\": \"1%\"}");
    CHECK(read_project_file(files, "/project/baselines").options ==
          std::vector<project_option>{{option_id::margin, "1%", "/project/baselines/perfspec.json:1"}});
    CHECK(read_project_file(files, "/project/baselines/").options.front().place ==
          "/project/baselines/perfspec.json:1");
}

TEST_CASE("read_project_file stops at what cannot be read, and does not pass it over", "[baseline][unit]") {
    scripted_file_system files;
    files.put_folder("/project/baselines/perfspec.json");
    CHECK_THAT(
        error_of(files),
        StartsWith(
            "/project/baselines/perfspec.json: is a folder, expected a file of options such as {\"margin\": \"1%\"}"));
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
    CHECK(local_folder(paths, project_files()) == "/project/build/perfspec-baselines");
    CHECK(local_folder(paths, scripted_file_system())  // moved to another machine
          == "/project/build/bin/perfspec-baselines");
    paths.executable = "/vision_test";
    CHECK(local_folder(paths, scripted_file_system()) == "/perfspec-baselines");
}

TEST_CASE("local_folder says when neither is known", "[baseline][unit]") {
    CHECK_THROWS_WITH(local_folder({}, scripted_file_system()),
                      ContainsSubstring("no folder for this machine's baselines") &&
                          ContainsSubstring("PERFSPEC_BASELINE_DIR"));
}

}  // namespace

}  // namespace perfspec
