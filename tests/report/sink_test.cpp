// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/json_lines.hpp>

#include <perfspec/quantity/text.hpp>
#include <report/example_records.hpp>
#include <support/scripted_file_system.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace perfspec {
namespace {

struct no_sink {};
static_assert(!Sink<no_sink>);
static_assert(Sink<decltype([](const record&) {})>);

}  // namespace

TEST_CASE("jsonl_sink appends a start and a result as a line each", "[report][unit]") {
    scripted_file_system files;
    jsonl_sink sink(files, "out/results.jsonl");
    sink.started(testing::violated_ratio());
    sink(testing::violated_ratio());
    CHECK(files.done.size() == 2);
    CHECK(files.text("out/results.jsonl") ==
          to_started_line(testing::violated_ratio()) + "\n" + to_json_line(testing::violated_ratio()) + "\n");
}

TEST_CASE("jsonl_sink names the file that it cannot write, and a remedy", "[report][unit]") {
    scripted_file_system files;
    files.refuse_writes_below("/readonly");
    jsonl_sink sink(files, "/readonly/results.jsonl");
    CHECK_THROWS_MATCHES(
        sink(testing::violated_ratio()), input_error,
        Catch::Matchers::MessageMatches(
            Catch::Matchers::StartsWith("/readonly/results.jsonl: ") &&
            Catch::Matchers::EndsWith("; name a file that can be written, such as --perf-output=results.jsonl")));
}

}  // namespace perfspec
