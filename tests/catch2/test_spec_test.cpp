// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/catch2/test_spec-inl.hpp>

#include <support/test.hpp>

namespace perfspec {

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

TEST_CASE("quiet_arguments reach a section and report to nobody", "[catch2][unit]") {
    const std::vector<std::string> plain{"sorting",    "--reporter", "compact::out=/dev/null",
                                         "--rng-seed", "7",          "--allow-running-no-tests"};
    CHECK(quiet_arguments("sorting", {}, 7) == plain);
    auto with_sections = plain;
    with_sections.insert(with_sections.end(),
                         {"--section=large", "--section=-x = \"y\"", "--section=blanks", "--section="});
    CHECK(quiet_arguments("sorting", {"large", "-x = \"y\"", "\n blanks\t ", " "}, 7) == with_sections);
}

}  // namespace perfspec
