// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/annotation.hpp>

#include <report/example_records.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

record at_line(verdict v, bool failed) {
    record r;
    r.verdict = v;
    r.failed = failed;
    r.claim = "latency(f) < 3ms";
    r.file = "sort_test.cpp";
    r.line = 12;
    return r;
}

}  // namespace

TEST_CASE("an annotation is an error where the test fails, else a warning", "[report][unit]") {
    const std::vector<std::pair<verdict, bool>> claims{{verdict::violated, true},  {verdict::violated, false},
                                                       {verdict::error, true},     {verdict::undecided, false},
                                                       {verdict::undecided, true}, {verdict::skipped, false}};
    std::string lines;
    for (const auto& [v, failed] : claims) lines += render_annotation(at_line(v, failed), "") + "\n";
    CHECK_RECORDED(lines);
}

TEST_CASE("an annotation names the test, and says how much changed", "[report][unit]") {
    record r = at_line(verdict::violated, true);
    r.test = "sort, large";
    r.estimate = estimate{3.3e6, 3.2e6, 3.4e6, 0.99};
    r.bound = 3e6;
    r.comparison = "<";
    CHECK_THAT(render_annotation(r, ""),
               StartsWith("::error file=sort_test.cpp,line=12,title=perfspec%3A sort%2C large violated::"
                          "latency(f) < 3ms%0A10 %25 above the bound: 3.300 ms, at most 3.000 ms allowed%0A"));
}

TEST_CASE("what holds, or was skipped on request, has no annotation", "[report][unit]") {
    CHECK(render_annotation(at_line(verdict::holds, false), "").empty());
    record r = at_line(verdict::skipped, false);
    r.on_request = true;
    CHECK(render_annotation(r, "").empty());
}

TEST_CASE("an annotation reports the measured value, the bound, and what to type, each on a line of its own",
          "[report][unit]") {
    const std::string text = render_annotation(testing::stored_ratio(), "");
    CHECK_RECORDED(text);
    CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("an annotation escapes what workflow commands take for their own", "[report][unit]") {
    record r = at_line(verdict::error, true);
    r.file = "a,b:c%d\ne.cpp";
    r.claim = "100% :: of, it\r\n::error::injected";
    r.reason = "second\nline";
    CHECK_RECORDED(render_annotation(r, ""));
}

TEST_CASE("an annotation names files from the checkout on", "[report][unit]") {
    record r = at_line(verdict::error, true);
    r.file = "/checkout/tests/sort_test.cpp";
    CHECK_THAT(render_annotation(r, "/checkout"), StartsWith("::error file=tests/sort_test.cpp,line=12,"));
    CHECK_THAT(render_annotation(r, "/checkout/"), StartsWith("::error file=tests/sort_test.cpp,line=12,"));
    CHECK_THAT(render_annotation(r, "/check"), StartsWith("::error file=/checkout/tests/sort_test.cpp,line=12,"));
    CHECK_THAT(render_annotation(r, ""), StartsWith("::error file=/checkout/tests/sort_test.cpp,line=12,"));
    r.file.clear();
    CHECK_THAT(render_annotation(r, "/checkout"), StartsWith("::error title=perfspec%3A error::"));
}

}  // namespace perfspec
