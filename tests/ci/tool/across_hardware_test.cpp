// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

record measured_on(const std::string& hardware, const std::string& key, double value) {
    record r = stored_result(key, value, verdict::holds, 2);
    r.hardware_key = hardware;
    r.baseline->machine.compiler = "g++ 12.2.0";
    return r;
}

record on_a(const std::string& key, double value) { return measured_on("old-cpu-4c", key, value); }
record on_b(const std::string& key, double value) { return measured_on("new-cpu-8c", key, value); }

tool::program_end across(const std::vector<record>& a, const std::vector<record>& b,
                         const std::vector<std::string>& more = {}) {
    scripted_tool tool;
    for (const auto& [path, records] : {std::pair("a.jsonl", &a), std::pair("b.jsonl", &b)})
        tool.put_records(path, *records);
    std::vector<std::string> arguments{"compare", "--across-hardware", "a.jsonl", "b.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tool.run(arguments);
}

}  // namespace

TEST_CASE("compare --across-hardware shows how many times better the second machine is, key by key", "[ci][unit]") {
    record rate_a = on_a("rate", 2e6);
    record rate_b = on_b("rate", 6e6);
    for (record* r : {&rate_a, &rate_b}) {
        r->unit = dimension::item_rate;
        r->direction = better::more;
        r->query = "throughput(sort)";
    }
    const auto end = across({on_a("a", 4e6), on_a("b", 1e6), on_a("gone", 1e6), rate_a},
                            {on_b("a", 1e6), on_b("b", 1e6), on_b("come", 2e6), rate_b});
    CHECK(end.code == 0);
    CHECK(end.out == "A is old-cpu-4c, B is new-cpu-8c\n"
                     "  key   A                B                B is better by  interval\n"
                     "  a     4.000 ms         1.000 ms         4.000x          3.921x .. 4.081x   B better\n"
                     "  b     1.000 ms         1.000 ms         1.000x          0.9802x .. 1.020x\n"
                     "  rate  2.000 M items/s  6.000 M items/s  3.000x          2.941x .. 3.061x   B better\n"
                     "  only on A: gone: 1.000 ms\n"
                     "  only on B: come: 2.000 ms\n"
                     "B is better by\n"
                     "  latency in ns: 2.000x, geometric mean of 2 keys\n"
                     "  throughput in items/s: 3.000x, geometric mean of 1 key\n"
                     "3 keys compared\n");
}

TEST_CASE("compare --across-hardware says what else than the hardware differs", "[ci][unit]") {
    record a = on_a("a", 2e6);
    record b = on_b("a", 1e6);
    a.options = {{"iterations", "1"}, {"output", "a.jsonl"}};
    b.options = {{"iterations", "100"}, {"output", "b.jsonl"}};
    b.build = "not optimised";
    b.commit = "1111111";
    b.dirty = true;
    b.baseline->machine.compiler = "clang 14.0.6";
    a.baseline->machine.libraries = {{"LibTorch", "2.12.1"}};
    b.baseline->machine.libraries = {{"LibTorch", "2.13.0"}};
    CHECK_THAT(across({a}, {b}).out, EndsWith("1 key compared\n"
                                              "not only the hardware differs:\n"
                                              "  LibTorch: was 2.12.1, is 2.13.0 (1 key)\n"
                                              "  build: was none, is not optimised (1 key)\n"
                                              "  commit: was 9a8b7c6, is 1111111 with changes (1 key)\n"
                                              "  compiler: was g++ 12.2.0, is clang 14.0.6 (1 key)\n"
                                              "  option iterations: was 1, is 100 (1 key)\n"));
}

TEST_CASE("compare --across-hardware says where compiler and libraries are not known", "[ci][unit]") {
    record a = on_a("a", 2e6);
    a.baseline.reset();
    CHECK_THAT(
        across({a}, {on_b("a", 1e6)}).out,
        EndsWith(
            "1 key compared\ncompiler, flags and libraries of 1 key are not known: only claims on baseline() tell them\n"));
}

TEST_CASE("compare --across-hardware leaves invalid results and values without a ratio out of the means",
          "[ci][unit]") {
    record invalid = on_b("wrong", 1e3);
    invalid.verdict = verdict::invalid;
    invalid.failed = true;
    const auto end =
        across({on_a("a", 2e6), on_a("wrong", 1e6), on_a("zero", 0.0)}, {on_b("a", 1e6), invalid, on_b("zero", 0.0)});
    CHECK(end.code == 0);
    CHECK_THAT(
        end.out,
        ContainsSubstring("invalid on B") && ContainsSubstring("no ratio of this value") &&
            ContainsSubstring(
                "  latency in ns: 2.000x, geometric mean of 1 key\n1 key compared, 2 left out of the means\n") &&
            EndsWith("1 claim failed on B: see what perfspec report says of its results before you compare speeds\n"));
}

TEST_CASE("compare --across-hardware exits with 4 where nothing was compared", "[ci][unit]") {
    record nothing = on_b("a", 1e6);
    nothing.estimate.reset();
    const auto end = across({on_a("a", 1e6)}, {nothing});
    CHECK(end.code == 4);
    CHECK_THAT(
        end.out,
        ContainsSubstring("  only on A: a: 1.000 ms\n") &&
            EndsWith("nothing was compared: run the same tests on both machines, with the same device and settings\n"));
}

TEST_CASE("compare --across-hardware wants one machine in each file, and two machines", "[ci][unit]") {
    const auto same = across({on_a("a", 1e6)}, {on_a("a", 1e6)});
    CHECK(same.code == 4);
    CHECK_THAT(same.err,
               ContainsSubstring("both of \"old-cpu-4c\", expected two machines: leave --across-hardware out"));
    const auto several = across({on_a("a", 1e6), on_b("a", 1e6)}, {on_b("a", 1e6)});
    CHECK(several.code == 4);
    CHECK_THAT(
        several.err,
        ContainsSubstring("A has results of 2 machines, expected one: new-cpu-8c; old-cpu-4c; give a file for each"));
    const auto judged = across({on_a("a", 1e6)}, {on_b("a", 1e6)}, {"--change", "5%"});
    CHECK(judged.code == 4);
    CHECK_THAT(judged.err, ContainsSubstring("--change excludes --across-hardware"));
}

TEST_CASE("compare --across-hardware leaves out counts that no hardware changes", "[ci][unit]") {
    const auto anywhere = measured_on("any-x86_64", "count", 5);
    const auto end = across({on_a("a", 2e6), anywhere}, {anywhere, on_b("a", 1e6)});
    CHECK(end.code == 0);
    CHECK_THAT(
        end.out,
        ContainsSubstring("A is old-cpu-4c, B is new-cpu-8c\n") &&
            EndsWith(
                "1 key compared\n2 results of any hardware left out: no machine changes a count of the program\n"));
    const auto alone = across({anywhere}, {on_b("a", 1e6)});
    CHECK(alone.code == 4);
    CHECK_THAT(alone.err, ContainsSubstring(
                              "A has no results that hardware changes, expected those of one machine, such as times"));
}

TEST_CASE("compare --across-hardware takes a build variant as part of the machine", "[ci][unit]") {
    record gcc_a = on_a("a", 4e6);
    record clang_a = on_a("a", 2e6);
    record clang_b = on_b("a", 1e6);
    gcc_a.build_variant = "gcc";
    clang_a.build_variant = clang_b.build_variant = "clang";
    CHECK_THAT(across({gcc_a}, {clang_b}).out,
               ContainsSubstring("A is old-cpu-4c, variant gcc, B is new-cpu-8c, variant clang\n"));
    CHECK(across({gcc_a, clang_a}, {clang_b}).code == 4);
}

}  // namespace perfspec
