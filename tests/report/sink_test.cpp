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
TEST_CASE("append_result names the file that it cannot write, and a remedy", "[report][unit]") {
    scripted_file_system files;
    append_result(files, "out/results.jsonl", to_started_line(testing::violated_ratio()));
    append_result(files, "out/results.jsonl", to_json_line(testing::violated_ratio()));
    CHECK(files.text("out/results.jsonl") ==
          to_started_line(testing::violated_ratio()) + "\n" + to_json_line(testing::violated_ratio()) + "\n");
    files.refuse_writes_below("/readonly");
    CHECK_THROWS_MATCHES(
        append_result(files, "/readonly/results.jsonl", "{}"), input_error,
        Catch::Matchers::MessageMatches(
            Catch::Matchers::StartsWith("/readonly/results.jsonl: ") &&
            Catch::Matchers::EndsWith("; name a file that can be written, such as --perf-output=results.jsonl")));
}

}  // namespace perfspec
