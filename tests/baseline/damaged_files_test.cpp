// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Readers of damaged files either refuse them, or read what they then write in only one way.
#include "support/damaged_text.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/baseline/project_file.hpp>

#include "entries.hpp"

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

TEST_CASE("a damaged baseline file is read or refused, never half read", "[baseline][unit]") {
    baseline_entry entry = entry_of("sort / latency(f)", {1.5e6, 1.6e6, 1.7e6});
    entry.profile = part_profile{"2 threads", {{"aten::conv2d", 523000, 9}, {"aten::relu", 12.5, 4}}, 1200};
    const baseline_file good{"epyc-4c", "gcc-12", "sorting", {entry}};
    const damage_report report = parse_damaged(render_baseline_file(good), [](const std::string& text) {
        return render_baseline_file(parse_baseline_file(text, "sorting.json"));
    });
    CHECK(report.fault == "");
    CHECK(report.refused > 1000);
    CHECK(report.accepted > 20);
}

TEST_CASE("a damaged file of golden outputs is read or refused, never half read", "[baseline][unit]") {
    const golden_file good{
        "epyc-4c",
        "",
        "vision",
        {{"alexnet / same_output(a, b)", "LibTorch 2.13.0", "2026-11-18T09:12:44Z", "3f2c1ab", {"output 1: 01"}}}};
    const damage_report report = parse_damaged(render_golden_file(good), [](const std::string& text) {
        return render_golden_file(parse_golden_file(text, "vision.golden"));
    });
    CHECK(report.fault == "");
    CHECK(report.refused > 1000);
    CHECK(report.accepted > 20);
}

TEST_CASE("a damaged project file is read or refused", "[baseline][unit]") {
    const std::string good = R"({"margin": "1%", "rounds": 500, "undecided": "fail", "budget": "2s"})";
    const damage_report report = parse_damaged(good, [&](const std::string& text) {
        static_cast<void>(parse_project_file(text, "perfspec.json"));
        return good;
    });
    CHECK(report.fault == "");
    CHECK(report.refused > 1000);
    CHECK(report.accepted > 20);
}

}  // namespace

}  // namespace perfspec
