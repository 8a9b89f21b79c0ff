// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// The position of an assertion, which keys are made of, after events as Catch2 sends them to its listeners.
#include <perfspec/catch2/host-inl.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using names = std::vector<std::string>;

/// A host in a first pass of a test case. Catch2 gives its name to the first section, too.
struct entered_host {
    catch2_host host;
    entered_host() {
        host.enter_test_case("parsing", "parse_test.cpp:7");
        enter_pass();
    }
    void enter_pass() {
        host.enter_pass();
        host.enter_section("parsing");
    }
    void leave_pass() {
        host.leave_section();
        host.leave_pass();
    }
    /// A whole pass through sections, outermost first.
    void pass_through(const names& sections) {
        enter_pass();
        for (const std::string& section : sections) host.enter_section(section);
        for (std::size_t n = 0; n < sections.size(); ++n) host.leave_section();
        leave_pass();
    }
};

}  // namespace

TEST_CASE("the position has the test case and the sections around, outermost first", "[catch2][unit]") {
    entered_host in;
    in.host.enter_section("numbers");
    in.host.enter_section("small");
    const test_position where = in.host.position();
    CHECK(where.test == "parsing");
    CHECK(where.declared_at == "parse_test.cpp:7");
    CHECK(where.sections == names{"numbers", "small"});
}

TEST_CASE("the position after a section does not have it", "[catch2][unit]") {
    entered_host in;
    in.host.enter_section("numbers");
    in.host.enter_section("small");
    in.host.leave_section();
    CHECK(in.host.position().sections == names{"numbers"});
    in.host.leave_section();
    CHECK(in.host.position().sections.empty());
}

TEST_CASE("a pass that was left in the middle leaves no section for the next one", "[catch2][unit]") {
    entered_host in;
    in.host.enter_section("numbers");
    in.host.leave_pass();
    in.enter_pass();
    in.host.enter_section("names");
    CHECK(in.host.position().sections == names{"names"});
}

TEST_CASE("each pass has a number of its own", "[catch2][unit]") {
    entered_host in;
    const std::uint64_t first = in.host.position().pass;
    in.leave_pass();
    in.enter_pass();
    CHECK(in.host.position().pass == first + 1);
}

TEST_CASE("a failure lasts until the end of its pass", "[catch2][unit]") {
    entered_host in;
    in.host.note_failed_assertion();
    CHECK(in.host.position().failed_before);
    in.leave_pass();
    in.enter_pass();
    CHECK_FALSE(in.host.position().failed_before);
}

TEST_CASE("a second end of a pass has another value of a generator", "[catch2][unit]") {
    entered_host in;
    CHECK_FALSE(in.host.position().generated);
    in.leave_pass();
    in.enter_pass();
    CHECK(in.host.position().generated);
}

TEST_CASE("a second visit to the place around two sections is for the second of them", "[catch2][unit]") {
    entered_host in;
    in.pass_through({"numbers"});
    in.enter_pass();
    CHECK_FALSE(in.host.position().generated);
    in.host.enter_section("names");
    CHECK_FALSE(in.host.position().generated);
}

TEST_CASE("around sections, a generator is known once two passes ended at one place", "[catch2][unit]") {
    entered_host in;
    in.pass_through({"numbers"});
    in.pass_through({"names"});
    in.pass_through({"numbers"});
    in.enter_pass();
    CHECK(in.host.position().generated);
    in.host.enter_section("names");
    CHECK(in.host.position().generated);
}

TEST_CASE("another test case has passed nowhere", "[catch2][unit]") {
    entered_host in;
    in.pass_through({});
    in.host.enter_test_case("printing", "print_test.cpp:7");
    in.enter_pass();
    CHECK_FALSE(in.host.position().generated);
}

TEST_CASE("test_spec_for escapes what Catch2 would take for syntax", "[catch2][unit]") {
    const auto [name, spec] = GENERATE(table<const char*, const char*>({
        {"plain name", "plain name"},
        {"a, b", "a\\, b"},
        {"[tag]", "\\[tag\\]"},
        {"back\\slash", "back\\\\slash"},
        {"\"quoted\"", "\\\"quoted\\\""},
        {"~tilde~", "\\~tilde~"},
        {"-dash-", "\\-dash-"},
        {"exclude: [x]", "*xclude: \\[x\\]"},
        {"EXCLUDE: x", "EXCLUDE: x"},
        {"not exclude:", "not exclude:"},
        {"star*", "star*"},
        {"it's 100 %; $x", "it's 100 %; $x"},
    }));
    CHECK(test_spec_for(name) == spec);
}

TEST_CASE("quiet_arguments reach a section and report nothing", "[catch2][unit]") {
    const std::vector<std::string> plain{"sorting",    "--reporter", "compact::out=/dev/null",
                                         "--rng-seed", "7",          "--allow-running-no-tests"};
    CHECK(quiet_arguments("sorting", {}, 7) == plain);
    auto with_sections = plain;
    with_sections.insert(with_sections.end(),
                         {"--section=large", "--section=-x = \"y\"", "--section=blanks", "--section="});
    CHECK(quiet_arguments("sorting", {"large", "-x = \"y\"", "\n blanks\t ", " "}, 7) == with_sections);
}

}  // namespace perfspec
