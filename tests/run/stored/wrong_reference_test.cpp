// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A reference build that is none: another program, or this one itself.
#include "../two_builds.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <support/captured_stream.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace perfspec {
namespace {

using namespace testing;

/// Of the notes on what disturbed a claim, those on the bytes of the builds.
std::ptrdiff_t notes_on_bytes(const record& r) {
    return std::ranges::count(
        r.disturbed.notes,
        "the reference build (/reference/sort_test) has the same bytes as this program: every difference is chance");
}

}  // namespace

TEST_CASE("a reference build of another suite is invalid, and names both", "[run][unit]") {
    const std::string another =
        "the reference build (/reference/sort_test): it is another program: its suite is \"map_test\", and this one's is "
        "\"sort_test\"; name a build of this program, and where it is one, give both one suite: "
        "perfspec_discover_tests(… SUITE name)";
    two_builds program;
    SECTION("where it lacks the claim") {
        program.reference.instead = says("", {"unreached suite=map_test key=mapping%20/%20latency(map)", ended(0)});
    }
    SECTION("where it has a claim of this name, and both projects told their suites") {
        program.context().set_project({.suite = "sort_test", .baselines = {}, .build = {}, .prefix = {}});
        program.reference.hello = "hello protocol=3 perfspec=0.1.0 unit=ns work=0 suite=map_test key=";
    }
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.failed);
    CHECK(r.reason == another);
    CHECK(program.launcher.living == 0);
}

TEST_CASE("a claim that a reference build of this suite lacks is new", "[run][unit]") {
    two_builds program;
    program.reference.instead = says("", {"unreached suite=sort_test key=sorting%20/%20latency(map)", ended(0)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::not_judged);
    CHECK(r.baseline.value().action == baseline_action::is_new);
}

TEST_CASE("a reference build that is this program itself is invalid, and nothing is started", "[run][unit]") {
    two_builds program;
    program.variables["PERFSPEC_AGAINST"] = program.start.executable;
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.failed);
    CHECK(
        r.reason ==
        "the reference build is this program itself (/build/sort_test): name another build of it; to compare this one with itself on "
        "purpose, name a copy of it");
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a reference build whose subject is the same file in another language is invalid", "[run][unit]") {
    const std::string same =
        "both builds run the same code: \"eager\" of /source/models.py, so nothing is compared; give the reference "
        "build a checkout of its own: git worktree add ../reference, and build it there";
    const std::string hello = "hello protocol=3 perfspec=0.1.0 unit=ns work=0 ";
    const std::string in_head = "runs=\"eager\"%20of%20/source/models.py";
    const auto reason_where_reference_says = [&](const std::string& runs, std::ptrdiff_t samples) {
        two_builds program;
        program.head.hello = hello + in_head + " key=";
        program.reference.hello = hello + runs + " key=";
        const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
        CHECK(program.count("head run iterations=3 warm=no") >= samples);
        return r.reason;
    };
    CHECK(reason_where_reference_says(in_head, 0) == same);
    CHECK(reason_where_reference_says("runs=\"eager\"%20of%20/reference/models.py", 7).empty());
    CHECK(reason_where_reference_says("commit=", 7).empty());  // it was in C++ there, or of an older perfspec
    SECTION("one build after the other, too") {
        two_builds program;
        program.key = "sorting / p90(latency(sort))";
        program.head.hello = program.reference.hello = hello + in_head + " key=";
        CHECK(program.evaluate(p90(latency(program.sort)) < 1.05 * baseline()).reason == same);
    }
}

TEST_CASE("a reference build with the same bytes is compared, and the verdict says so", "[run][unit]") {
    two_builds program;
    program.files.put("/build/sort_test", "ELF");
    program.files.put("/reference/sort_test", "ELF");
    program.head.call_ns = always(1e4);  // too short to be announced
    program.reference.call_ns = always(1e4);
    const captured_stream console;
    program.console = console.file();
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(program.evaluate(latency(program.sort) < 1.1 * baseline()).verdict == verdict::holds);
    const std::string once =
        "perfspec: the reference build (/reference/sort_test) has the same bytes as this program: every difference is chance\n";
    CHECK(console.text() == once);
    CHECK(r.verdict == verdict::holds);
    CHECK(notes_on_bytes(r) == 1);
    two_builds changed;
    changed.files.put("/build/sort_test", "ELF");
    changed.files.put("/reference/sort_test", "ELF, slower");
    CHECK(notes_on_bytes(changed.evaluate(latency(changed.sort) < 1.05 * baseline())) == 0);
}

}  // namespace perfspec
