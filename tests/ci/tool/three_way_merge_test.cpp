// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;

/// Three versions of the suite "sorts", as Git hands them to a merge driver.
struct three_versions : scripted_tool {
    three_versions(const std::vector<baseline_entry>& base, const std::vector<baseline_entry>& ours,
                   const std::vector<baseline_entry>& theirs) {
        files.put("/project/base", render_baseline_file(file_of(base)));
        files.put("/project/ours", render_baseline_file(file_of(ours)));
        files.put("/project/theirs", render_baseline_file(file_of(theirs)));
    }
    tool::program_end merge() { return run({"baselines", "merge", "/project/base", "/project/ours", "/project/theirs"}); }
    [[nodiscard]] std::string merged() const { return files.text("/project/ours"); }
};

std::string text_of(const std::vector<baseline_entry>& entries) { return render_baseline_file(file_of(entries)); }

const baseline_entry a = entry_about("a", 1e6);
const baseline_entry b = entry_about("b", 1e6);
const baseline_entry slower_a = entry_about("a", 2e6);
const baseline_entry slower_b = entry_about("b", 2e6);

}  // namespace

TEST_CASE("baselines merge takes each entry from the side that recorded it", "[ci][unit]") {
    three_versions tool({a, b}, {slower_a, b}, {a, slower_b});
    const auto end = tool.merge();
    CHECK(end.code == 0);
    CHECK(end.out.empty());
    CHECK(tool.merged() == text_of({slower_a, slower_b}));
}

TEST_CASE("baselines merge keeps what both sides add, and drops what one side removed", "[ci][unit]") {
    three_versions added({a}, {a, entry_about("m", 1e6)}, {a, entry_about("n", 1e6)});
    CHECK(added.merge().code == 0);
    CHECK(added.merged() == text_of({a, entry_about("m", 1e6), entry_about("n", 1e6)}));

    three_versions removed({a, b}, {a, b}, {b});
    CHECK(removed.merge().code == 0);
    CHECK(removed.merged() == text_of({b}));
}

TEST_CASE("baselines merge takes an empty base for one without entries", "[ci][unit]") {
    three_versions tool({}, {a}, {b});
    tool.files.put("/project/base", "");
    CHECK(tool.merge().code == 0);
    CHECK(tool.merged() == text_of({a, b}));
}

TEST_CASE("baselines merge refuses an empty side, whose entries would all be lost", "[ci][unit]") {
    const std::string path = GENERATE("/project/ours", "/project/theirs");
    three_versions tool({a}, {a}, {a, b});
    const std::string ours = path == "/project/ours" ? "" : tool.files.text("/project/ours");
    tool.files.put(path, "");
    CHECK(tool.merge().code == 4);
    CHECK(tool.files.text("/project/ours") == ours);
}

TEST_CASE("baselines merge names what both sides recorded, keeps ours, and merges the rest", "[ci][unit]") {
    three_versions tool({a, b}, {slower_a, b}, {entry_about("a", 3e6), slower_b});
    const auto end = tool.merge();
    CHECK(end.code == 4);
    CHECK(end.out ==
          "sorts on test-cpu-4c: changed on both sides, and ours is kept:\n"
          "  a: recorded on both sides\n"
          "  neither is of the merged code: record them again, with PERFSPEC_UPDATE_BASELINES=all and ctest -R, or git add the file as it "
          "is\n");
    CHECK(tool.merged() == text_of({slower_a, slower_b}));

    three_versions same({a}, {slower_a}, {slower_a});
    CHECK(same.merge().code == 0);
    three_versions one_removed({a}, {}, {slower_a});
    const auto removed_here = one_removed.merge();
    CHECK(removed_here.code == 4);
    CHECK_THAT(removed_here.out, ContainsSubstring("\n  a: removed here, recorded there\n"));
    CHECK(one_removed.merged() == text_of({}));
    three_versions other_removed({a}, {slower_a}, {});
    CHECK_THAT(other_removed.merge().out, ContainsSubstring("\n  a: recorded here, removed there\n"));
    CHECK(other_removed.merged() == text_of({slower_a}));
}

TEST_CASE("baselines merge unites recording sessions that both sides added to one entry", "[ci][unit]") {
    const auto with = [](baseline_entry entry, const char* mark, const char* when) {
        for (stored_launch l : entry_about("a", 1.01e6).launches) {
            l.recording_session = mark;
            l.when = when;
            entry.launches.push_back(l);
        }
        return entry;
    };
    const baseline_entry ours = with(a, "ours", "2026-11-20T08:00:00Z");
    const baseline_entry theirs = with(a, "theirs", "2026-11-21T08:00:00Z");
    three_versions tool({a}, {ours}, {theirs});
    CHECK(tool.merge().code == 0);
    CHECK(tool.merged() == text_of({with(ours, "theirs", "2026-11-21T08:00:00Z")}));
    three_versions moved({a}, {slower_a}, {theirs});
    CHECK(moved.merge().code == 4);  // the side that recorded anew is of other code
}

TEST_CASE("baselines merge keeps the operators of the newer side, or of the side that has some", "[ci][unit]") {
    const auto with = [](const char* mark, const char* when, std::optional<operator_profile> operators) {
        baseline_entry entry = a;
        for (stored_launch l : entry_about("a", 1.01e6).launches) {
            l.recording_session = mark;
            l.when = when;
            entry.launches.push_back(l);
        }
        entry.operators = std::move(operators);
        return entry;
    };
    const operator_profile conv{"2 threads", {{"conv", 500, 1}}, 0}, relu{"2 threads", {{"relu", 500, 1}}, 0};
    const auto merged = [&](std::optional<operator_profile> ours, std::optional<operator_profile> theirs) {
        three_versions tool({a}, {with("ours", "2026-11-20T08:00:00Z", std::move(ours))},
                            {with("theirs", "2026-11-21T08:00:00Z", std::move(theirs))});
        CHECK(tool.merge().code == 0);
        return tool.stored("/project/ours").entries.at(0).operators;
    };
    CHECK(merged(conv, relu) == relu);
    CHECK(merged(conv, {}) == conv);
    CHECK(merged({}, relu) == relu);
}

TEST_CASE("baselines merge refuses versions of different files, and changes none", "[ci][unit]") {
    three_versions tool({a}, {a}, {a});
    auto other = file_of({a});
    other.suite = "searches";
    tool.files.put("/project/theirs", render_baseline_file(other));
    const std::string before = tool.files.text("/project/ours");
    const auto end = tool.merge();
    CHECK(end.code == 4);
    CHECK_THAT(end.err,
               ContainsSubstring(
                   "/project/ours is of sorts on test-cpu-4c and /project/theirs of searches on test-cpu-4c, expected three versions"));
    CHECK(tool.files.text("/project/ours") == before);
}

}  // namespace perfspec
