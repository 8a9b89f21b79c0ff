// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/plan.hpp>

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>
#include <support/scripted_environment.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using testing::scripted_environment;

plan from_environment(const scripted_environment& env) { return resolve({}, {}, env); }

using variables = std::map<std::string, std::string>;

std::string fault_of(const variables& set) {
    return testing::message_of<input_error>([&] { from_environment(scripted_environment(set)); });
}

}  // namespace

TEST_CASE("resolve without anything gives the defaults", "[plan][unit]") {
    const plan p = from_environment({});
    CHECK(p.budget == 1s);
    CHECK_FALSE(p.has_hard_budget());
    CHECK(p.ci == ci_rules::off);
    CHECK(p.key.empty());
}

TEST_CASE("resolve prefers the call, then the command line, then the environment", "[plan][unit]") {
    const scripted_environment env{{"PERFSPEC_BUDGET", "1s"}, {"PERFSPEC_MARGIN", "1%"}, {"PERFSPEC_ROUNDS", "111"}};
    const option_values line{{option_id::budget, "2s"}, {option_id::margin, "2%"}};
    const std::vector<option> call{budget(3s), key("sort")};
    const plan p = resolve(call, line, env);
    CHECK(p.budget == 3s);
    CHECK(p.cap == 120s);
    CHECK(p.margin == 0.02);
    CHECK(p.rounds == 111);
    CHECK(p.key == "sort");
}

TEST_CASE("resolve prefers everything to the project file, and the project file to the defaults", "[plan][unit]") {
    const std::vector<project_option> file{{option_id::budget, "9s", "b/perfspec.json:2"},
                                           {option_id::margin, "9%", "b/perfspec.json:3"},
                                           {option_id::rounds, "999", "b/perfspec.json:4"},
                                           {option_id::cap, "9s", "b/perfspec.json:5"},
                                           {option_id::ci, "off", "b/perfspec.json:6"}};
    const scripted_environment env{{"PERFSPEC_ROUNDS", "111"}, {"CI", "1"}};
    const option_values line{{option_id::margin, "2%"}};
    const std::vector<option> call{budget(3s)};
    const plan p = resolve(call, line, env, file);
    CHECK(p.budget == 3s);
    CHECK(p.margin == 0.02);
    CHECK(p.rounds == 111);
    CHECK(p.cap == 9s);
    CHECK(p.ci == ci_rules::off);
    using origins = std::vector<std::pair<std::string, std::string>>;
    CHECK(option_origins(call, line, env, file) == origins{{"budget", "call"},
                                                           {"cap", "b/perfspec.json:5"},
                                                           {"margin", "command line"},
                                                           {"rounds", "environment"},
                                                           {"ci", "b/perfspec.json:6"}});
    CHECK(option_origins({}, {}, env) == origins{{"rounds", "environment"}, {"ci", "CI"}});
    CHECK(option_origins({}, {}, scripted_environment{{"PERFSPEC_SEED", ""}}).empty());
}

TEST_CASE("resolve refuses an invalid filter of axes", "[plan][unit]") {
    CHECK(from_environment({{"PERFSPEC_ONLY", "batch=8,batch=16"}}).only == "batch=8,batch=16");
    CHECK_RECORDED(fault_of(variables{{"PERFSPEC_ONLY", "batch"}}));
}

TEST_CASE("resolve takes settings of subjects", "[plan][unit]") {
    const auto* const legal =
        GENERATE("device=cuda:1,dtype=bfloat16,batch=8,threads=2", "dtype=float64", "batch=1048576,threads=1024",
                 "device=cpu", "device=cuda", "device=cuda:0", "device=cuda:15", "device=xpu:1", "device=mps");
    CHECK(from_environment({{"PERFSPEC_WITH", legal}}).with == legal);
    CHECK(from_environment({}).with.empty());
}

TEST_CASE("resolve refuses settings that no subject can have", "[plan][unit]") {
    std::string faults;
    for (const char* const value : {"batch", "size=8", "batch=8,batch=16", "dtype=int8", "batch=0", "batch=1048577",
                                    "batch=many", "threads=1025", "device=gpu", "device="})
        faults += fault_of(variables{{"PERFSPEC_WITH", value}}) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("resolve takes devices by their kind, or with a number", "[plan][unit]") {
    const std::string wrong =
        GENERATE("cuda:", "cuda:01", "cuda:x", ":1", "cuda:1:1", "CUDA", "cuda:100", "cpu:0", "cpu:1", "mps:0");
    CHECK_THROWS_AS(from_environment({{"PERFSPEC_WITH", "device=" + wrong}}), input_error);
}

TEST_CASE("resolve lets the later of two equal options win", "[plan][unit]") {
    const std::vector<option> call{rounds(20), rounds(30)};
    CHECK(resolve(call, {{{option_id::mode, "off"}, {option_id::mode, "smoke"}}}, scripted_environment{}).rounds == 30);
    CHECK(resolve({}, {{{option_id::mode, "off"}, {option_id::mode, "smoke"}}}, scripted_environment{}).mode ==
          evaluation_mode::smoke);
}

TEST_CASE("resolve can return to an automatic choice", "[plan][unit]") {
    CHECK(resolve({}, {{{option_id::seed, "auto"}}}, scripted_environment{{"PERFSPEC_SEED", "7"}}).seed ==
          std::nullopt);
}

TEST_CASE("resolve refuses options that contradict each other", "[plan][unit]") {
    const std::vector<variables> pairs{
        {{"PERFSPEC_BASELINE_BUILD", "/reference/sort_test"}, {"PERFSPEC_UPDATE_BASELINES", "missing"}},
        {{"PERFSPEC_ALLOW_REGRESSION", "50%"}, {"PERFSPEC_UPDATE_BASELINES", "1"}},
        {{"PERFSPEC_ALLOW_REGRESSION", "50%"}, {"CI", "true"}},
    };
    std::string faults;
    for (const variables& both : pairs) {
        faults += fault_of(both) + "\n";
        CHECK_NOTHROW(
            resolve({}, {{{option_id::update_baselines, "none"}, {option_id::ci, "off"}}}, scripted_environment(both)));
    }
    CHECK_RECORDED(faults);
}

TEST_CASE("resolve takes the rules of CI where CI is set", "[plan][unit]") {
    const auto [value, rules] = GENERATE(table<const char*, ci_rules>({
        {"true", ci_rules::on},
        {"1", ci_rules::on},
        {"woodpecker", ci_rules::on},
        {"", ci_rules::off},
        {"false", ci_rules::off},
        {"0", ci_rules::off},
    }));
    CHECK(from_environment({{"CI", value}}).ci == rules);
    CHECK(from_environment({{"CI", value}, {"PERFSPEC_CI", "off"}}).ci == ci_rules::off);
    CHECK(from_environment({{"CI", value}, {"PERFSPEC_CI", "on"}}).ci == ci_rules::on);
}

TEST_CASE("resolve takes the rules of CI where a CI system is known that does not set CI, unless CI denies it",
          "[plan][unit]") {
    const char* const name = GENERATE("GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "TF_BUILD", "TEAMCITY_VERSION",
                                      "JENKINS_URL", "CODEBUILD_BUILD_ID");
    using origins = std::vector<std::pair<std::string, std::string>>;
    const scripted_environment env{{name, "True"}};
    CHECK(resolve({}, {}, env).ci == ci_rules::on);
    CHECK(option_origins({}, {}, env) == origins{{"ci", name}});
    CHECK(from_environment({{name, "false"}}).ci == ci_rules::off);
    CHECK(from_environment({{name, ""}}).ci == ci_rules::off);
    CHECK(from_environment({{name, "True"}, {"CI", "false"}}).ci == ci_rules::off);
}

TEST_CASE("resolve names an option of the environment that it cannot use", "[plan][unit]") {
    const std::vector<std::pair<std::string, std::string>> wrong{{"PERFSPEC_BUDGT", "10s"},
                                                                 {"PERFSPEC_UPDATE_BASELINE", "1"},
                                                                 {"PERFSPEC_BUDGET", "abc"},
                                                                 {"PERFSPEC_MARGIN", "60%"}};
    std::string faults;
    for (const auto& [name, value] : wrong) faults += fault_of(variables{{name, value}}) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("a variable that is near no option is noted, with the known names", "[plan][unit]") {
    CHECK_NOTHROW(from_environment({{"PERFSPEC_WHATEVER_ELSE", "1"}}));
    CHECK_THROWS_AS(from_environment({{"PERFSPEC_UPDATE", "1"}}), input_error);  // it begins one
    const auto notes =
        notes_on_variables(scripted_environment{{"PERFSPEC_WHATEVER_ELSE", "1"}, {"PERFSPEC_ROOT", "/x"}});
    REQUIRE(notes.size() == 1);
    CHECK_RECORDED(notes[0]);
}

TEST_CASE("resolve leaves variables that are no options alone", "[plan][unit]") {
    const auto* name =
        GENERATE("PERFSPEC_CHILD", "PERFSPEC_JUDGE", "PERFSPEC_PARENT", "PERFSPEC_PRESET", "PERFSPEC_TORCH_ROOT",
                 "PERFSPEC_PYTHON", "PERFSPEC_PYTHON_MODULE", "PERFSPEC_REQUIRE_GPU", "PERFSPEC_RUN_ID",
                 "PERFSPEC_TEST_ANYTHING", "PERFSPECIAL", "PATH");
    CHECK_NOTHROW(from_environment({{name, "anything"}}));
}

TEST_CASE("resolve takes a variable that is set to nothing as not set", "[plan][unit]") {
    CHECK(from_environment({{"PERFSPEC_BUDGET", ""}, {"PERFSPEC_BUDGT", ""}}).budget == 1s);
}

TEST_CASE("resolve refuses a bad value even where a better place overrides it", "[plan][unit]") {
    const std::vector<option> call{budget(3s)};
    CHECK_THROWS_AS(resolve(call, {}, scripted_environment{{"PERFSPEC_BUDGET", "abc"}}), input_error);
    CHECK_THROWS_AS(resolve(call, {{{option_id::budget, "abc"}}}, scripted_environment{}), input_error);
}

TEST_CASE("split_options takes the options of perfspec out of a command line", "[plan][unit]") {
    const std::vector<std::string> arguments{"a test",
                                             "--perf-budget",
                                             "10s",
                                             "-s",
                                             "--perf-mode=smoke",
                                             "--perf-margin:2%",
                                             "--perf-record-anyway",
                                             "--perf-update-baselines",
                                             "--perf-update-baselines=all",
                                             "--",
                                             "--perf-cap"};
    const split_command_line split = split_options(arguments);
    CHECK(split.others == std::vector<std::string>{"a test", "-s", "--", "--perf-cap"});
    CHECK(split.options == option_values{{option_id::budget, "10s"},
                                         {option_id::mode, "smoke"},
                                         {option_id::margin, "2%"},
                                         {option_id::record_anyway, "on"},
                                         {option_id::update_baselines, "moved"},
                                         {option_id::update_baselines, "all"}});
}

TEST_CASE("split_options names an argument that it cannot use", "[plan][unit]") {
    std::string faults;
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--perf-bugdet", "250ms"},
                                                                                       {"--perf-bugdet:3s"},
                                                                                       {"--perf-budget=abc"},
                                                                                       {"--perf-budget"},
                                                                                       {"--perf-budget="}})
        faults += testing::message_of<input_error>([&] { static_cast<void>(split_options(words)); }) + "\n";
    CHECK_RECORDED(faults);
}

}  // namespace perfspec
