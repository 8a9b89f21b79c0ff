// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

}  // namespace

TEST_CASE("the tool's help teaches with examples, for each command", "[ci][unit]") {
    const auto command = GENERATE(values<std::vector<std::string>>(
        {{}, {"accept"}, {"baselines", "list"}, {"baselines", "verify"}, {"compare"}, {"merge"}, {"report"}}));
    auto arguments = command;
    arguments.emplace_back("--help");
    scripted_tool tool;
    const auto end = tool.run(arguments);
    INFO(end.out);
    CHECK(end.code == 0);
    CHECK(end.err.empty());
    CHECK_THAT(end.out, ContainsSubstring("\nExamples:\n"));
    if (!command.empty()) CHECK_THAT(end.out, ContainsSubstring("perfspec " + command[0]));
}

TEST_CASE("the tool reports its version", "[ci][unit]") {
    scripted_tool tool;
    const auto end = tool.run({"--version"});
    CHECK(end.code == 0);
    CHECK_THAT(end.out, StartsWith("perfspec 0.") || StartsWith("perfspec 1."));
}

TEST_CASE("a command line that is wrong exits with 4, and says what is legal", "[ci][unit]") {
    const std::string words = GENERATE("", "acept", "accept", "accept r.jsonl --fliter x", "accept none.jsonl",
                                       "baselines", "merge r.jsonl", "merge r.jsonl -o x --shards 0",
                                       "report r.jsonl --max-undecided 110%", "compare r.jsonl r.jsonl --change much");
    scripted_tool tool;
    tool.files.put_folder("/project/baselines");
    tool.put_results("r.jsonl", {line_of(stored_result("a", 1e6, verdict::holds, 2))});
    CHECK(tool.ends(2, words).out.empty());
}

namespace {

struct tool_with_gpus : scripted_tool {
    tool_with_gpus() { gpus = &machine; }

    scripted_gpus driver{{{.uuid = 0xab}, {.name = "NVIDIA A100 MIG 1g.5gb", .uuid = 2}}};
    scripted_nvml nvml;
    gpu_machine machine{scripted_gpus::driver(), scripted_nvml::library()};
};

constexpr const char* resources =
    R"({"version": {"major": 1, "minor": 0}, "local": [{"gpus": [{"id": "gpu_abababab_abab_abab_abab_abababababab", "slots": 1}, )"
    R"({"id": "mig_02020202_0202_0202_0202_020202020202", "slots": 1}]}]})"
    "\n";

}  // namespace

TEST_CASE("doctor writes ctest's resource file, with each GPU by its unique name", "[ci][unit]") {
    tool_with_gpus tool;
    CHECK(tool.run({"doctor", "--ctest-resources", "-"}).out == resources);
    const auto end = tool.run({"doctor", "--ctest-resources", "/project/gpus.json"});
    CHECK(end.code == 0);
    CHECK(end.out.empty());
    CHECK(tool.files.text("/project/gpus.json") == resources);
}

TEST_CASE("doctor numbers GPUs whose driver reports no unique name", "[ci][unit]") {
    tool_with_gpus tool;
    tool.driver.query_error = 801;
    tool.ends(0, "doctor --ctest-resources -");
}

TEST_CASE("doctor writes no resource file where there is no GPU, and says so", "[ci][unit]") {
    tool_with_gpus tool;
    tool.driver.init_error = 100;
    tool.ends(2, "doctor --ctest-resources /project/gpus.json");
    CHECK_FALSE(tool.files.has("/project/gpus.json"));
}

TEST_CASE("doctor prints the report on this machine", "[ci][unit]") {
    tool_with_gpus tool;
    CHECK(tool.run({"doctor"}).out == "perfspec doctor: a report\n");
}

}  // namespace perfspec
