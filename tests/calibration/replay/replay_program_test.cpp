// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "replay_program.hpp"

#include <support/test.hpp>

#include <nlohmann/json.hpp>

using namespace perfspec::testing;
using perfspec::testing::replay_program;

namespace {

/// The first 1000 samples of a recording of a sort on an idle machine.
const std::string excerpt = PERFSPEC_TEST_SOURCE_DIR "/excerpt_q_sort.csv";

struct outcome {
    int exit_code;
    std::string out, err;
};

outcome run(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    const int exit_code = replay_program(arguments, out, err);
    return {exit_code, out.str(), err.str()};
}

nlohmann::json report(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--replays", "1000"});
    const outcome o = run(arguments);
    INFO(o.err);
    REQUIRE(o.exit_code == 0);
    CHECK(o.err.empty());
    return nlohmann::json::parse(o.out);
}

}  // namespace

TEST_CASE("perfspec_replay judges a recorded trace", "[calibration]") {
    const auto holding = report({"--trace", excerpt, "--claim", "paired", "--bound", "0.95"});
    CHECK(holding["confirmed"]["violated"] == 0.0);
    CHECK(holding["confirmed"]["holds"] > 0.98);
    CHECK(holding["pairs"]["holds"]["p50"] <= 12);
    CHECK(holding["pairs"]["violated"].is_null());
    CHECK(holding["milliseconds"]["all"]["p50"] < 40);

    const auto failing = report({"--trace", excerpt, "--claim", "paired", "--bound", "0.95", "--inject", "1.1"});
    CHECK(failing["confirmed"]["violated"] > 0.98);
    CHECK(failing["first_stage"]["violated"] >= failing["confirmed"]["violated"]);
}

TEST_CASE("perfspec_replay keeps its level on a recorded trace only by a coin for each pair", "[calibration]") {
    CHECK(report({"--trace", excerpt, "--claim", "paired", "--margin", "0"})["first_stage"]["violated"] < 0.05);
    CHECK(report({"--noise", "tick", "--claim", "paired"})["first_stage"]["violated"] < 0.05);
    CHECK(report({"--noise", "tick", "--claim", "paired", "--order", "fixed"})["first_stage"]["violated"] >
          0.4);  // negative control
}

TEST_CASE("perfspec_replay holds a strict claim on equal bodies at its rate only", "[calibration]") {
    const auto holds = [](const char* margin) -> double {
        return report({"--trace", excerpt, "--claim", "paired", "--margin", margin})["first_stage"]["holds"];
    };
    CHECK(holds("0") < 0.05);
    CHECK(holds("0.005") > 0.5);  // negative control: the claim with >=
}

TEST_CASE("perfspec_replay judges blocks of a recorded trace", "[calibration]") {
    const auto holding = report({"--trace", excerpt, "--claim", "absolute", "--bound", "1.1", "--budget-ms", "500"});
    CHECK(holding["confirmed"]["holds"] > 0.9);
    CHECK(holding["blocks"]["holds"]["p50"] == 10);
    CHECK(report({"--trace", excerpt, "--claim", "absolute", "--bound", "0.9", "--budget-ms",
                  "500"})["confirmed"]["violated"] > 0.9);
}

TEST_CASE("perfspec_replay counts notes on times of a recorded trace", "[calibration]") {
    const auto trend = [](const char* rise) {
        return report({"--trace", excerpt, "--claim", "trend", "--bound", "2", "--budget-pairs", "20", "--inject",
                       rise})["first_stage"]["violated"];
    };
    CHECK(trend("1") == 0.0);
    CHECK(trend("1.5") == 0.0);  // only twice the time is reported
    CHECK(trend("3") > 0.95);
}

TEST_CASE("perfspec_replay gives the same figures for the same seed", "[calibration]") {
    const std::vector<std::string> arguments{"--trace", excerpt, "--claim", "paired", "--replays", "50"};
    auto other = arguments;
    other.insert(other.end(), {"--seed", "21"});
    CHECK(run(arguments).out == run(arguments).out);
    CHECK(run(arguments).out != run(other).out);
}

TEST_CASE("perfspec_replay refuses wrong input with exit code 2 and nothing on standard output",
          "[calibration][unit]") {
    struct row {
        std::vector<std::string> arguments;
        std::string text;
    };
    const auto r = GENERATE(values<row>({
        {{}, "--claim is required"},
        {{"--claim", "sideways"}, "paired"},
        {{"--claim", "paired"}, "needs one such as --trace samples_q_arith.csv"},
        {{"--claim", "paired", "--processes", excerpt}, "needs --claim stored"},
        {{"--claim", "stored", "--trace", excerpt}, "--processes launches_q.csv"},
        {{"--claim", "absolute", "--noise", "tick"}, "needs --claim paired or p99"},
        {{"--claim", "p99", "--noise", "cauchy"}, "needs gauss, ar1, tick or bursts"},
        {{"--claim", "paired", "--trace", "no_such.csv"}, "no_such.csv: cannot be read"},
        {{"--claim", "paired", "--trace", excerpt, "--workload", "sort"}, ":1: column workload: is not there"},
        {{"--claim", "paired", "--trace", excerpt, "--bound", "-1"}, "--bound"},
        {{"--claim", "absolute", "--trace", excerpt, "--budget-ms", "5000"}, "needs 6250"},
    }));
    const outcome o = run(r.arguments);
    CHECK(o.exit_code == 2);
    CHECK(o.out.empty());
    CHECK_THAT(o.err, ContainsSubstring(r.text));
    CHECK(o.err.ends_with('\n'));
}
