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

TEST_CASE("compare --across-hardware puts keys of two machines together, as compare does those of one", "[ci][unit]") {
    const auto end = across({on_a("a", 4e6), on_a("b", 1e6), on_a("gone", 1e6)},
                            {on_b("a", 1e6), on_b("b", 1e6), on_b("come", 2e6)});
    CHECK(end.code == 0);
    CHECK(end.out == "old is old-cpu-4c, new is new-cpu-8c\n"
                     "  key  old       new       change  interval\n"
                     "  a    4.000 ms  1.000 ms  -75 %   -75 % .. -74 %  better\n"
                     "  b    1.000 ms  1.000 ms  +0 %    -2 % .. +2 %\n"
                     "  only in old: gone: 1.000 ms (sorts)\n"
                     "  only in new: come: 2.000 ms (sorts)\n"
                     "geometric means, above 1 where new is better\n"
                     "  latency in ns: 2.000x of 2 keys\n"
                     "2 keys compared: 0 worse, 1 better, 1 without a clear difference\n");
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
    CHECK_THAT(across({a}, {b}).out, EndsWith("difference\n"
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
            "difference\ncompiler, flags and libraries of 1 key are not known: only claims on baseline() tell them\n"));
}

TEST_CASE("compare --across-hardware says how many claims failed on a machine", "[ci][unit]") {
    record invalid = on_b("wrong", 1e3);
    invalid.verdict = verdict::invalid;
    invalid.failed = true;
    const auto end = across({on_a("wrong", 1e6)}, {invalid});
    CHECK(end.code == 0);
    CHECK_THAT(
        end.out,
        EndsWith("1 claim failed on new: see what perfspec report says of its results before you compare speeds\n"));
}

TEST_CASE("compare --across-hardware exits with 4 where nothing was compared", "[ci][unit]") {
    record nothing = on_b("a", 1e6);
    nothing.estimate.reset();
    const auto end = across({on_a("a", 1e6)}, {nothing});
    CHECK(end.code == 4);
    CHECK_THAT(
        end.out,
        ContainsSubstring("  no value in new: a: holds") &&
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
        ContainsSubstring("OLD has results of 2 machines, expected one: new-cpu-8c; old-cpu-4c; give a file for each"));
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
        ContainsSubstring("old is old-cpu-4c, new is new-cpu-8c\n") &&
            EndsWith("difference\n2 results of any hardware left out: no machine changes a count of the program\n"));
    const auto alone = across({anywhere}, {on_b("a", 1e6)});
    CHECK(alone.code == 4);
    CHECK_THAT(
        alone.err,
        ContainsSubstring("OLD has no results that hardware changes, expected those of one machine, such as times"));
}

TEST_CASE("compare --across-hardware takes a build variant as part of the machine", "[ci][unit]") {
    record gcc_a = on_a("a", 4e6);
    record clang_a = on_a("a", 2e6);
    record clang_b = on_b("a", 1e6);
    gcc_a.build_variant = "gcc";
    clang_a.build_variant = clang_b.build_variant = "clang";
    CHECK_THAT(across({gcc_a}, {clang_b}).out,
               ContainsSubstring("old is old-cpu-4c, variant gcc, new is new-cpu-8c, variant clang\n"));
    CHECK(across({gcc_a, clang_a}, {clang_b}).code == 4);
}

}  // namespace perfspec
