// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/damaged_text.hpp"

#include <perfspec/plan/option_table.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// Every member differs from its default.
plan unusual_plan() {
    plan p;
    p.budget = 1234567891ns;
    p.has_hard_budget = true;
    p.cap = 17s;
    p.confirm = confirmation::off;
    p.false_failure = 1.0 / 3;
    p.false_pass = 0.1 + 0.2;
    p.margin = 1e-17;
    p.rounds = 77;
    p.iterations = 4294967295u;
    p.launches = 7;
    p.seed = 18446744073709551615u;
    p.undecided = undecided_effect::fail;
    p.policy = missing_baseline_policy::ci;
    p.update = baseline_update::append;
    p.force = true;
    p.baseline_dir = "a; b = 100%\n\"c\"\x01\xc3\xa9";
    p.build_variant = "gcc-12,-O3";
    p.mode = evaluation_mode::verify;
    p.output = "out dir/results.jsonl";
    p.verbosity = console_verbosity::verbose;
    p.key = "sort %3B 1M";
    return p;
}

}  // namespace

TEST_CASE("to_text and plan_from_text give the same plan back, exactly", "[plan][unit]") {
    const plan sent = GENERATE(plan{}, unusual_plan());
    const plan received = plan_from_text(to_text(sent));
    for (const option_description& row : option_table()) {
        INFO(row.name);
        CHECK(row.read(received) == row.read(sent));
    }
}

TEST_CASE("to_text names every option and fits in one line", "[plan][unit]") {
    const std::string text = to_text(unusual_plan());
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.starts_with("budget=1234567891ns;cap=17s;confirm=off;"));
    for (const option_description& row : option_table())
        CHECK(text.find(std::string(row.name) + "=") != std::string::npos);
}

TEST_CASE("plan_from_text passes over an option that it lacks where the sender did not set it", "[plan][unit]") {
    CHECK(to_text(plan{}).starts_with("?budget=1s+;?cap=120s;"));
    const plan received = plan_from_text("?option_of_tomorrow=auto;cap=17s;?margin=0.01");
    CHECK(received.cap == 17s);
    CHECK(received.margin == 0.01);  // sent even if it is the default of this build
    CHECK_THROWS_MATCHES(
        plan_from_text("option_of_tomorrow=5"), input_error,
        Catch::Matchers::Message(
            "plan: \"option_of_tomorrow=5\" is not an option of this build, such as budget=10s; both processes "
            "must be built with one perfspec"));
}

TEST_CASE("plan_from_text keeps a budget that may stretch apart from a given one", "[plan][unit]") {
    CHECK(plan_from_text("budget=5s+").has_hard_budget == false);
    CHECK(plan_from_text("budget=5s+").budget == 5s);
    CHECK(plan_from_text("budget=5s").has_hard_budget == true);
    CHECK(plan_from_text("").has_hard_budget == false);
}

TEST_CASE("plan_from_text refuses what perfspec did not write", "[plan][unit]") {
    std::string faults;
    for (const char* const text : {"budget", "speed=1", "cap=1s;;", "\x1b=1", "rounds=\x1b", "key=\x1b%", "rounds=abc",
                                   "rounds=5", "key=50%", "key=%4", "key=%GG"})
        faults += testing::message_of<input_error>([&] { static_cast<void>(plan_from_text(text)); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("plan_options gives pairs that can be given again", "[plan][unit]") {
    plan p;
    p.update = baseline_update::moved;
    const auto pairs = plan_options(p);
    REQUIRE(pairs.size() == option_table().size());
    CHECK(pairs.front() == std::pair<std::string, std::string>{"budget", "1s+"});
    std::string text;
    for (const auto& [name, value] : pairs) text.append(name).append("=").append(value).append(" ");
    CHECK_RECORDED(text);
}

TEST_CASE("a damaged plan of a child is read or refused", "[plan][unit]") {
    const auto seen =
        testing::parse_damaged(to_text(plan{}), [](const std::string& text) { return to_text(plan_from_text(text)); });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 20);
}

namespace {

std::string error_of(const waiver& w) {
    try {
        check_waiver(w, "here");
    } catch (const input_error& e) { return e.what(); }
    return "<taken>";
}

}  // namespace

TEST_CASE("check_waiver names what is wrong and shows a legal text", "[plan][unit]") {
    const std::vector<std::pair<const char*, const char*>> waivers{
        {"20%", "2027-01-31"},   {"150us", "2028-02-29"},    {"20%", "soon"},
        {"20%", "2027-13-01"},   {"20%", "2027-02-29"},      {"20%", "27-01-31"},
        {"20%", "2027-1a-31"},   {"0%", "2027-01-31"},       {"-5%", "2027-01-31"},
        {"1001%", "2027-01-31"}, {"nan", "2027-01-31"},      {"inf", "2027-01-31"},
        {"-3", "2027-01-31"},    {"3 apples", "2027-01-31"}, {"\x1b[31m", "2027-01-31"},
        {"20%", "\x1b[31m"}};
    std::string faults;
    for (const auto& [ceiling, until] : waivers) faults += error_of({.ceiling = ceiling, .until = until}) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("ceiling_of distinguishes percentages, times and numbers", "[plan][unit]") {
    const auto of = [](const char* ceiling) { return ceiling_of({.ceiling = ceiling, .until = "2027-01-31"}); };
    CHECK(of("20%").fraction == 0.2);
    CHECK_FALSE(of("20%").value);
    CHECK(of("50 pct").fraction == 0.5);
    CHECK(of("150us").value == 150e3);
    CHECK(of("150us").is_duration);
    CHECK(of("3").value == 3);
    CHECK_FALSE(of("3").is_duration);
    CHECK(of("0").value == 0);
}

TEST_CASE("a waiver covers the keys that its whole pattern is", "[plan][unit]") {
    const auto is_covered = [](const char* pattern, const char* key) { return covers({.key = pattern}, key); };
    CHECK(is_covered("sort / latency(a)", "sort / latency(a)"));
    CHECK_FALSE(is_covered("sort / latency(a)", "sort / latency(a) / n=8"));
    CHECK_FALSE(is_covered("latency(a)", "sort / latency(a)"));
    CHECK(is_covered("sort / *", "sort / latency(a)"));
    CHECK(is_covered("*latency(a)*", "sort / latency(a) / n=8"));
    CHECK(is_covered("*a*b*", "xxaxxaxbx"));
    CHECK_FALSE(is_covered("*a*b", "xxaxxbxa"));
    CHECK(is_covered("*b", "abab"));
    CHECK(is_covered("a*", "a"));
    CHECK_FALSE(is_covered("", "a"));
}

}  // namespace perfspec
