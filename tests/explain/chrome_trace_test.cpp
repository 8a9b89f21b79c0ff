// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/traces.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace perfspec {
namespace {

// conv calls empty; another thread has a relu meanwhile.
const std::vector<operator_event> of_two_threads{
    {"empty", 1'002'500, 1'004'001, 77}, {"conv", 1'000'000, 1'100'000, 77}, {"relu", 1'050'000, 1'052'000, 5}};

}  // namespace

TEST_CASE("chrome_trace begins at the first call and numbers threads in the order of their first calls",
          "[report][unit]") {
    CHECK(chrome_trace("net", of_two_threads) == R"({"traceEvents":[
{"name":"process_name","ph":"M","pid":1,"args":{"name":"net"}},
{"name":"conv","ph":"X","ts":0.000,"dur":100.000,"pid":1,"tid":1},
{"name":"empty","ph":"X","ts":2.500,"dur":1.501,"pid":1,"tid":1},
{"name":"relu","ph":"X","ts":50.000,"dur":2.000,"pid":1,"tid":2}
]}
)");
}

TEST_CASE("chrome_trace puts a call before those that it called, also where both begin at once", "[report][unit]") {
    // Calls are recorded in the order in which they end, and a viewer nests them in the order of the file.
    const std::vector<operator_event> at_once{{"convolution", 5'000, 6'000, 1}, {"conv2d", 5'000, 7'000, 1}};
    const std::string trace = chrome_trace("net", at_once);
    CHECK(trace.find("conv2d") < trace.find("convolution"));
}

TEST_CASE("chrome_trace of no calls is a trace", "[report][unit]") {
    CHECK(
        chrome_trace("a \"net\"", {}) ==
        "{\"traceEvents\":[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"a \\\"net\\\"\"}}\n]}\n");
}

TEST_CASE("operator_table is sorted by self times", "[report][unit]") {
    CHECK(operator_table(of_two_threads) == "        self       total    calls   operator\n"
                                            "    98.50 us    100.0 us        1   conv\n"
                                            "    2.000 us    2.000 us        1   relu\n"
                                            "    1.501 us    1.501 us        1   empty\n");
}

}  // namespace perfspec
