// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <report/example_records.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

}  // namespace

TEST_CASE("render_summary leaves out what all keys begin with, and shows how far each is from its baseline",
          "[report][unit]") {
    record slower = testing::stored_ratio();
    slower.key = "vision / resnet50 / speedup(eager, inductor)";
    record faster = slower;
    faster.key = "vision / resnet50 / speedup(eager, traced)";
    faster.verdict = verdict::holds;
    faster.estimate->value = 3.0;
    CHECK_RECORDED(render_summary(std::vector<record>{slower, faster}, {}));
}

TEST_CASE("render_summary shows the query of every claim, also where all have the same", "[report][unit]") {
    record one = testing::stored_ratio();
    one.key = "resnet50 / speedup(eager, inductor) / dtype=bfloat16 / test=train";
    one.query = "speedup(eager, inductor)";
    one.metric = "speedup";
    one.names = {"eager", "inductor"};
    one.axes = {{"dtype", "bfloat16"}, {"test", "train"}};
    CHECK_RECORDED(render_summary(std::vector<record>{one}, {}));
    record other = one;
    other.key = "resnet50 / speedup(eager, inductor) / dtype=float32 / test=train";
    other.axes = {{"dtype", "float32"}, {"test", "train"}};
    CHECK_RECORDED(render_summary(std::vector<record>{one, other}, {}));
    one.key = "resnet50 / a name of its own / dtype=bfloat16 / test=train";
    check_recorded("2", render_summary(std::vector<record>{one}, {}));
}

TEST_CASE("render_summary names key and file of a failed claim in one piece, however long they are", "[report][unit]") {
    record r = testing::stored_ratio();
    r.key = std::string(100, 'k');
    r.baseline->file = std::string(100, 'f');
    CHECK_THAT(render_summary(std::vector<record>{r}, {}),
               ContainsSubstring("\n  " + r.key + "\n    file:    " + r.baseline->file + "\n    again:   ctest"));
}

TEST_CASE("render_summary colors the verdicts alone, and keeps the columns", "[report][unit]") {
    const std::vector<record> records{testing::violated_time()};
    CHECK_RECORDED(render_summary(records, {.color = console_color::always}));
}

TEST_CASE("render_summary counts every verdict and gives each reason once", "[report][unit]") {
    const std::vector<record> records{testing::skipped_build(), testing::skipped_build(),  testing::error_body(),
                                      testing::error_output(),  testing::undecided_rate(), testing::recorded_time(),
                                      testing::same_outputs()};
    const std::string text = render_summary(records, {});
    CHECK_RECORDED(text);
}

TEST_CASE("an undecided claim whose interval is beyond its bound looks violated", "[report][unit]") {
    const auto [comparison, low, high, beyond] =
        GENERATE(table<const char*, double, double, bool>({{"<", 3.01e6, 3.2e6, true},
                                                           {"<=", 3.0e6, 3.2e6, false},
                                                           {"<", 2.7e6, 2.9e6, false},
                                                           {">", 2.7e6, 2.9e6, true},
                                                           {">=", 3.01e6, 3.2e6, false},
                                                           {"==", 3.01e6, 3.2e6, false},
                                                           {"==", 3.2e6, 3.3e6, true},
                                                           {"==", 2.7e6, 2.8e6, true}}));
    record open = testing::violated_time();
    open.verdict = verdict::undecided;
    open.failed = false;
    open.comparison = comparison;
    open.estimate = estimate{low, low, high, 0.95};
    if (open.comparison == "==") open.tolerated = tolerated_range{2.9e6, 3.1e6};
    CHECK(detail::looks_violated(open) == beyond);
    CHECK(detail::skips_test(open) == beyond);
    const std::string text = render_summary(std::vector{open}, {});
    CHECK_THAT(text, ContainsSubstring(beyond ? "\n  looks violated  " : "\n  undecided  "));
    CHECK_THAT(text, ContainsSubstring(beyond ? ": 1 looks violated;" : ": 1 undecided;"));
    for (const auto& [macro, undecided] :
         {std::pair("PERF_WARN", "warn"), {"perf.warn", "warn"}, {"PERF_CHECK", "pass"}, {"evaluate", "warn"}}) {
        open.macro = macro;
        open.options = {{"undecided", undecided}};
        CHECK_FALSE(detail::skips_test(open));
    }
    open.baseline.emplace().drift = 0.2;  // by which the machine may move the value
    CHECK_FALSE(detail::looks_violated(open));
}

TEST_CASE("render_summary counts what an update did to baselines", "[report][unit]") {
    std::vector<record> records;
    using enum baseline_action;
    for (const baseline_action action : {recorded, recorded, updated, appended, kept, would_be_recorded, refused}) {
        record r = testing::stored_ratio();
        r.verdict = action == refused ? verdict::error : verdict::skipped;
        r.reason = "because";
        r.baseline->action = action;
        records.push_back(std::move(r));
    }
    const std::string text = render_summary(records, {});
    CHECK_RECORDED(text);
}

TEST_CASE("render_summary is one line when quiet, and nothing without records", "[report][unit]") {
    const std::vector<record> records{testing::violated_ratio()};
    CHECK_RECORDED(render_summary(records, {.verbosity = console_verbosity::quiet}));
    CHECK(render_summary({}, {}).empty());
}

TEST_CASE("render_summary shortens a long table unless verbose", "[report][unit]") {
    const std::vector<record> records(25, testing::holding_ratio());
    CHECK_RECORDED(render_summary(records, {}));
    CHECK_RECORDED(render_summary(records, {.verbosity = console_verbosity::verbose}));
    CHECK_THAT(render_summary(records, {}), StartsWith("perfspec: the claims closest"));
}

}  // namespace perfspec
