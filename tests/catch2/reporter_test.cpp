// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A violated claim, and one that does not fail, in the output of Catch2's reporters.
#include "host_program.hpp"

#include <perfspec/report/console/console.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec {
namespace {

using namespace testing;

std::string without_escapes_of_xml(std::string text) {
    constexpr std::pair<std::string_view, char> escapes[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
    for (const auto& [escape, meant] : escapes)
        for (std::size_t at = text.find(escape); at != std::string::npos; at = text.find(escape, at + 1))
            text.replace(at, escape.size(), 1, meant);
    return text;
}

/// TeamCity escapes special characters by a bar, and line ends by |n.
std::string without_escapes_of_teamcity(std::string_view text) {
    std::string meant;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '|' || i + 1 == text.size()) meant += text[i];
        else if (text[++i] == 'n') meant += '\n';
        else meant += text[i];
    }
    return meant;
}

/// The result of a violated claim in a file of results.
record violated_result(const std::string& lines) {
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);) {
        const json_line read = read_json_line(line);
        if (read.kind == json_line_kind::result) return read.about;
    }
    throw std::runtime_error("no result: " + lines);
}

}  // namespace

TEST_CASE("one violated claim reaches every reporter that has a place for messages with every line",
          "[catch2][measuring]") {
    const scratch_folder folder;
    std::vector<std::string> arguments{"--perf-output", folder / "results.jsonl"};
    const std::vector<std::string> reporters{"console", "compact", "xml", "junit", "tap", "sonarqube", "teamcity"};
    for (const std::string& name : reporters)
        arguments.insert(arguments.end(), {"--reporter", name + "::out=" + (folder / name)});
    const ended_program e = run_host_program("violated check", arguments);
    INFO(e.text());
    const std::string message = render_console(violated_result(text_of_file(folder / "results.jsonl")),
                                               {.commands = console_commands::left_out});
    for (const std::string& name : reporters) {
        const std::string output =
            squeezed(name == "teamcity" ? without_escapes_of_teamcity(text_of_file(folder / name))
                                        : without_escapes_of_xml(text_of_file(folder / name)));
        std::istringstream lines(message.substr(message.find('\n') + 1));  // the headline is the reporter's own
        std::size_t count = 0;
        for (std::string line; std::getline(lines, line); ++count) {
            INFO(name << " lacks: " << line);
            CHECK(output.find(squeezed(line)) != std::string::npos);
        }
        CHECK(count >= 5);
    }
}

TEST_CASE("reporters show a violated claim with what they have a place for", "[catch2][measuring]") {
    const auto [reporter, output] = GENERATE(table<const char*, std::vector<std::string>>({
        {"console",
         {"PERF_CHECK( speedup(fast, slow) > 2, margin(1_pct) )", "host_program.cpp:36: FAILED", "violated",
          "evidence"}},
        {"compact", {"host_program.cpp:36: failed: speedup(fast, slow) > 2, margin(1_pct) for: violated", "evidence"}},
        {"xml",
         {"type=\"PERF_CHECK\"", "host_program.cpp\" line=\"36\"", "speedup(fast, slow) > 2, margin(1_pct)", "violated",
          "evidence"}},
        {"junit",
         {"type=\"PERF_CHECK\"", "message=\"speedup(fast, slow) > 2, margin(1_pct)\"", "host_program.cpp:36",
          "violated", "evidence"}},
        {"tap", {"not ok 1 - speedup(fast, slow) > 2, margin(1_pct) for: violated", "evidence"}},
        {"json", {"\"line\": 36", "\"status\": false"}},
        {"sonarqube",
         {"PERF_CHECK(speedup(fast, slow) > 2, margin(1_pct))", "host_program.cpp:36", "violated", "evidence"}},
        {"teamcity",
         {"PERF_CHECK( speedup(fast, slow) > 2, margin(1_pct) )", "host_program.cpp:36", "violated", "evidence"}},
        {"automake", {":test-result: FAIL violated check"}},
    }));
    const ended_program e = run_host_program("violated check", {"--reporter", reporter});
    INFO(e.text());
    CHECK(e.code == 42);
    for (const std::string& part : output) CHECK_THAT(e.out, ContainsSubstring(part));
}

TEST_CASE("reporters that write for machines have standard output for themselves", "[catch2][measuring]") {
    const char* reporter = GENERATE("compact", "xml", "junit", "tap", "json", "sonarqube", "teamcity", "automake");
    const ended_program e = run_host_program("violated check", {"--reporter", reporter});
    INFO(e.text());
    CHECK_THAT(e.out, !ContainsSubstring("perfspec: 1 claim"));
    CHECK_THAT(e.err, ContainsSubstring("perfspec: 1 claim: 1 violated"));
}

TEST_CASE("a JUnit file reports claims that do not fail in its system-out", "[catch2][measuring]") {
    const auto [test_case, output] = GENERATE(table<const char*, const char*>({
        {"violated warn", "PERF_WARN( speedup(fast, slow) > 2 )"},
        {"undecided", "do not show whether the claim holds or is violated"},
    }));
    const ended_program e = run_host_program(test_case, {"--reporter", "junit"});
    INFO(e.text());
    const auto begin = e.out.find("<system-out>");
    REQUIRE(begin != std::string::npos);
    CHECK_THAT(e.out.substr(begin, e.out.find("</system-out>") - begin), ContainsSubstring(output));
    CHECK_THAT(run_host_program(test_case).out, !ContainsSubstring("<system-out>"));
}

TEST_CASE("a reporter's file is written by the first process alone", "[catch2][measuring]") {
    const scratch_folder folder;
    const std::string file = folder / "junit.xml";
    const ended_program e =
        run_host_program("violated check", {"--reporter", "junit::out=" + file, "--reporter", "console"});
    INFO(e.text());
    const std::string text = text_of_file(file);
    CHECK_THAT(text, ContainsSubstring("tests=\"2\""));
    CHECK_THAT(squeezed(text), ContainsSubstring("freshprocess"));
    CHECK_THAT(e.out, ContainsSubstring("perfspec: 1 claim: 1 violated"));
}

}  // namespace perfspec
