// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// One violated claim in all outputs of the tool. tests/report/record_fields_test.cpp tests that JSON lines have every
// field, tests/catch2/reporter_test.cpp the outputs of Catch2's reporters.
#include "scripted_tool.hpp"

#include <support/test.hpp>

#include <fmt/format.h>

namespace perfspec {
namespace {

using namespace testing;

struct sink {
    std::string name;
    std::vector<std::string> arguments;  ///< the text is on standard output, or in the file "out"
    std::string left_out;                ///< the parts that the format lacks
};

record violated_claim() {
    record r = stored_result("sorting / latency(sort)", 1.375e6, verdict::violated, 2);
    r.bound = 1.0625e6;
    r.bound_text = "1.06 x 1.002 ms, baseline of 10 processes";
    r.baseline->median = 1.002e6;
    r.baseline->values = {1.002e6};
    r.baseline->now = {1.375e6};
    r.commands = {{"again", "ctest -R '^sorting$'"}};
    return r;
}

/// A part of a claim that every output must have, and its spellings: for people, in base units, in seconds, and
/// escaped.
struct part {
    std::string_view name;
    std::vector<std::string_view> spellings;
};

const std::vector<part> parts{
    {"verdict", {"violated"}},
    {"test", {"sorting"}},
    {"claim",
     {"latency(sort) < 1.06 * baseline()", "latency(sort) &lt; 1.06 * baseline()",
      R"(latency(sort) \u003c 1.06 * baseline())"}},
    {"value", {"1.375 ms", "1375000", "1.375e+06", "0.001375"}},
    {"bound", {"1.062 ms", "1062500", "1.0625e+06", "0.0010625", "at most 1.06"}},
    {"place",
     {"sort_test.cpp:12", R"(sort_test.cpp","line":12)", "sort_test.cpp,12", "sort_test.cpp,line=12",
      R"(sort_test.cpp" line="12)"}},
    {"command", {"ctest -R '^sorting$'", "ctest -R &apos;^sorting$&apos;"}},
};

/// The names of the parts that a text lacks: "place, command".
std::string lacking(std::string_view text) {
    std::string names;
    for (const part& p : parts) {
        if (std::ranges::any_of(p.spellings, [&](std::string_view one) { return text.find(one) != text.npos; }))
            continue;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
    }
    return names;
}

std::string written_to(const sink& s) {
    scripted_tool tool;
    tool.put_results("r.jsonl", {line_of(violated_claim())});
    const auto end = tool.run(s.arguments);
    return std::ranges::find(s.arguments, "out") == s.arguments.end() ? end.out : tool.files.text("out");
}

}  // namespace

TEST_CASE("one violated claim reaches every sink with its verdict, test, claim, value, bound, place and command",
          "[ci][unit]") {
    const auto s = GENERATE(values<sink>({
        {"console", {"report", "r.jsonl"}, ""},
        {"verbose console", {"report", "r.jsonl", "--verbose"}, ""},
        {"Markdown", {"report", "r.jsonl", "--markdown", "out"}, ""},
        {"annotations", {"report", "r.jsonl", "--quiet", "--annotations"}, ""},
        {"page", {"report", "r.jsonl", "--html", "out"}, ""},
        {"page of a history", {"history", "r.jsonl", "--html", "out"}, "place, command"},
        {"merged results", {"merge", "r.jsonl", "-o", "out"}, ""},
        {"CSV", {"export", "r.jsonl", "--format", "csv", "-o", "out"}, "command"},
        {"JUnit", {"export", "r.jsonl", "--format", "junit", "-o", "out"}, ""},
        {"PyTorch", {"export", "r.jsonl", "--format", "pytorch", "-o", "out"}, "place, command"},
    }));
    INFO(s.name);
    CHECK(lacking(written_to(s)) == s.left_out);
}

TEST_CASE("a sink that loses a part is found", "[ci][unit]") {
    CHECK(lacking("sorting: latency(sort) < 1.06 * baseline() is violated: 1.375 ms at sort_test.cpp:12") ==
          "bound, command");
}

}  // namespace perfspec
