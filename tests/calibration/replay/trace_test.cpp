// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "trace.hpp"

#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::input_error;
using perfspec::testing::settled;
using perfspec::testing::times_of_workload;
using perfspec::testing::trace;

namespace {

trace parse(const std::string& text) {
    std::istringstream in(text);
    return trace::parse(in, "t.csv");
}

}  // namespace

TEST_CASE("trace has the columns, words and times of its file", "[calibration][unit]") {
    const trace t = parse("launch,workload,wall_ns\r\n001,sort,1727057\r\n002,map,2.5e3\r\n");
    CHECK(t.columns() == std::vector<std::string>{"launch", "workload", "wall_ns"});
    CHECK(t.rows() == 2);
    CHECK(t.has("wall_ns"));
    CHECK_FALSE(t.has("wall"));
    CHECK(t.words("launch") == std::vector<std::string>{"001", "002"});
    CHECK(t.times("wall_ns") == std::vector<double>{1727057, 2500});
    CHECK(times_of_workload(t, "wall_ns", "map") == std::vector<double>{2500});
}

TEST_CASE("trace names file, line and column of what it cannot use", "[calibration][unit]") {
    struct row {
        std::string text, message;
    };
    const auto r = GENERATE(values<row>({
        {"", "t.csv:1: column 1: found the name \"\", needs a heading of column names such as wall_ns"},
        {"1005889\n1005840\n",
         "t.csv:1: column 1: found the name \"1005889\", needs a heading of column names such as wall_ns"},
        {"a_ns,a_ns\n1,2\n",
         "t.csv:1: column 2: found a second \"a_ns\", needs a heading of column names such as wall_ns"},
        {"cpu_ns\n5\n", "t.csv:1: column wall_ns: is not there, needs one of cpu_ns"},
        {"wall_ns\n",
         "t.csv:2: found no row after the heading \"wall_ns\", needs at least one, such as 1005889 for wall_ns"},
        {"round,wall_ns\n1,5\n2\n",
         "t.csv:3: column wall_ns: found no cell, needs 2 cells, one for each of round,wall_ns"},
        {"round,wall_ns\n1,5,6\n",
         "t.csv:2: column 3: found a cell without a name, needs 2 cells, one for each of round,wall_ns"},
        {"wall_ns\n5\nfast\n", "t.csv:3: column wall_ns: found \"fast\", needs nanoseconds above 0, such as 1005889"},
        {"wall_ns\n0\n", "t.csv:2: column wall_ns: found \"0\", needs nanoseconds above 0, such as 1005889"},
        {"wall_ns\nnan\n", "t.csv:2: column wall_ns: found \"nan\", needs nanoseconds above 0, such as 1005889"},
    }));
    CHECK_THROWS_MATCHES(parse(r.text).times("wall_ns"), input_error, Message(r.message));
}

TEST_CASE("trace names a file that cannot be read", "[calibration][unit]") {
    CHECK_THROWS_MATCHES(
        trace::read("no_such.csv"), input_error,
        Message("no_such.csv: cannot be read, needs a file of recorded times such as samples_q_arith.csv"));
    CHECK_THROWS_AS(trace::read(std::filesystem::temp_directory_path()), input_error);
}

TEST_CASE("trace names a workload that is not there, and an empty word", "[calibration][unit]") {
    CHECK_THROWS_MATCHES(times_of_workload(parse("workload,wall_ns\nsort,1\nmap,2\nmap,3\n"), "wall_ns", "mem"),
                         input_error, Message("t.csv: column workload: found no \"mem\", needs one of map, sort"));
    CHECK_THROWS_MATCHES(parse("launch,wall_ns\n001,1\n,2\n").words("launch"), input_error,
                         Message("t.csv:3: column launch: found nothing, needs a word such as arith or 001"));
}

TEST_CASE("settled leaves out the first twentieth", "[calibration][unit]") {
    std::vector<double> times(40, 1.0);
    times[0] = times[1] = 7;
    CHECK(settled(times) == std::vector<double>(38, 1.0));
    CHECK(settled({7}) == std::vector<double>{7});
}
