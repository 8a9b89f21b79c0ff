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
    struct row {
        verdict v;
        bool failed;
        const char* begins;
    };
    const auto expected = GENERATE(values<row>({
        {verdict::violated, true, "::error file=sort_test.cpp,line=12,title=perfspec%3A violated::latency(f) < 3ms"},
        {verdict::violated, false, "::warning file=sort_test.cpp,line=12,title=perfspec%3A violated::latency(f) < 3ms"},
        {verdict::invalid, true, "::error file=sort_test.cpp,line=12,title=perfspec%3A invalid::latency(f) < 3ms"},
        {verdict::undecided, false,
         "::warning file=sort_test.cpp,line=12,title=perfspec%3A undecided::latency(f) < 3ms"},
        {verdict::undecided, true, "::error file=sort_test.cpp,line=12,title=perfspec%3A undecided::latency(f) < 3ms"},
        {verdict::not_judged, false,
         "::warning file=sort_test.cpp,line=12,title=perfspec%3A not judged::latency(f) < 3ms"},
    }));
    CHECK(render_annotation(at_line(expected.v, expected.failed), "") == expected.begins);
}

TEST_CASE("an annotation names the test, and says how much changed", "[report][unit]") {
    record r = at_line(verdict::violated, true);
    r.test = "sort, large";
    r.estimate = estimate{3.3e6, 3.3e6, 3.2e6, 3.4e6, 0.99};
    r.bound = 3e6;
    r.comparison = "<";
    CHECK_THAT(render_annotation(r, ""),
               StartsWith("::error file=sort_test.cpp,line=12,title=perfspec%3A sort%2C large violated::"
                          "latency(f) < 3ms%0A10 %25 above the bound: 3.300 ms, at most 3.000 ms allowed%0A"));
}

TEST_CASE("what holds, or was not judged on request, has no annotation", "[report][unit]") {
    CHECK(render_annotation(at_line(verdict::holds, false), "").empty());
    record r = at_line(verdict::not_judged, false);
    r.on_request = true;
    CHECK(render_annotation(r, "").empty());
}

TEST_CASE("an annotation reports the measured value, the bound, and what to type, each on a line of its own",
          "[report][unit]") {
    const std::string text = render_annotation(testing::stored_ratio(), "");
    CHECK_THAT(
        text,
        ContainsSubstring(
            "::speedup(model, inductor) > 0.97 * baseline()%0A9.2 %25 below the baseline: 1.290, was 1.420; at least 1.380 needed%0A"
            "measured 1.290 (1.270 .. 1.310)%0Abound > 1.380 = "));
    CHECK_THAT(text, ContainsSubstring(
                         "%0Aagain:   ctest --test-dir build -R 'resnet50 inference'%0Aaccept:  PERFSPEC_UPDATE"));
    CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("an annotation escapes what workflow commands take for their own", "[report][unit]") {
    record r = at_line(verdict::invalid, true);
    r.file = "a,b:c%d\ne.cpp";
    r.claim = "100% :: of, it\r\n::error::injected";
    r.reason = "second\nline";
    CHECK(render_annotation(r, "") == "::error file=a%2Cb%3Ac%25d e.cpp,line=12,title=perfspec%3A invalid::"
                                      "100%25 :: of, it\\x0d ::error::injected%0Asecond line");
}

TEST_CASE("an annotation names files from the checkout on", "[report][unit]") {
    record r = at_line(verdict::invalid, true);
    r.file = "/checkout/tests/sort_test.cpp";
    CHECK_THAT(render_annotation(r, "/checkout"), StartsWith("::error file=tests/sort_test.cpp,line=12,"));
    CHECK_THAT(render_annotation(r, "/checkout/"), StartsWith("::error file=tests/sort_test.cpp,line=12,"));
    CHECK_THAT(render_annotation(r, "/check"), StartsWith("::error file=/checkout/tests/sort_test.cpp,line=12,"));
    CHECK_THAT(render_annotation(r, ""), StartsWith("::error file=/checkout/tests/sort_test.cpp,line=12,"));
    r.file.clear();
    CHECK_THAT(render_annotation(r, "/checkout"), StartsWith("::error title=perfspec%3A invalid::"));
}

}  // namespace perfspec
