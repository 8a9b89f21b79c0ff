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

void across_ends(int code, const std::vector<record>& a, const std::vector<record>& b, const std::string& more = {},
                 const std::string& label = {}) {
    scripted_tool tool;
    for (const auto& [path, records] : {std::pair("a.jsonl", &a), std::pair("b.jsonl", &b)})
        tool.put_records(path, *records);
    tool.ends(code, "compare --across-hardware a.jsonl b.jsonl" + more, label, __FILE__);
}

}  // namespace

TEST_CASE("compare --across-hardware puts keys of two machines together, as compare does those of one", "[ci][unit]") {
    across_ends(0, {on_a("a", 4e6), on_a("b", 1e6), on_a("gone", 1e6)},
                {on_b("a", 1e6), on_b("b", 1e6), on_b("come", 2e6)});
}

TEST_CASE("compare --across-hardware says what else than the hardware differs", "[ci][unit]") {
    record a = on_a("a", 2e6);
    record b = on_b("a", 1e6);
    a.options = {{"iterations", "1"}, {"output", "a.jsonl"}};
    b.options = {{"iterations", "100"}, {"output", "b.jsonl"}};
    b.build = "not optimized";
    b.commit = "1111111";
    b.dirty = true;
    b.baseline->machine.compiler = "clang 14.0.6";
    a.baseline->machine.libraries = {{"LibTorch", "2.12.1"}};
    b.baseline->machine.libraries = {{"LibTorch", "2.13.0"}};
    across_ends(0, {a}, {b});
}

TEST_CASE("compare --across-hardware says where compiler and libraries are not known", "[ci][unit]") {
    record a = on_a("a", 2e6);
    a.baseline.reset();
    across_ends(0, {a}, {on_b("a", 1e6)});
}

TEST_CASE("compare --across-hardware says how many claims failed on a machine", "[ci][unit]") {
    record error = on_b("wrong", 1e3);
    error.verdict = verdict::error;
    error.failed = true;
    across_ends(0, {on_a("wrong", 1e6)}, {error});
}

TEST_CASE("compare --across-hardware exits with 4 where nothing was compared", "[ci][unit]") {
    record nothing = on_b("a", 1e6);
    nothing.estimate.reset();
    across_ends(4, {on_a("a", 1e6)}, {nothing});
}

TEST_CASE("compare --across-hardware wants one machine in each file, and two machines", "[ci][unit]") {
    across_ends(2, {on_a("a", 1e6)}, {on_a("a", 1e6)});
    across_ends(2, {on_a("a", 1e6), on_b("a", 1e6)}, {on_b("a", 1e6)}, {}, "two machines in one file");
    across_ends(2, {on_a("a", 1e6)}, {on_b("a", 1e6)}, " --change 5%");
}

TEST_CASE("compare --across-hardware leaves out counts that no hardware changes", "[ci][unit]") {
    const auto anywhere = measured_on("any-x86_64", "count", 5);
    across_ends(0, {on_a("a", 2e6), anywhere}, {anywhere, on_b("a", 1e6)});
    across_ends(2, {anywhere}, {on_b("a", 1e6)}, {}, "nothing else");
}

TEST_CASE("compare --across-hardware takes a build variant as part of the machine", "[ci][unit]") {
    record gcc_a = on_a("a", 4e6);
    record clang_a = on_a("a", 2e6);
    record clang_b = on_b("a", 1e6);
    gcc_a.build_variant = "gcc";
    clang_a.build_variant = clang_b.build_variant = "clang";
    across_ends(0, {gcc_a}, {clang_b});
    across_ends(2, {gcc_a, clang_a}, {clang_b}, {}, "two variants");
}

}  // namespace perfspec
