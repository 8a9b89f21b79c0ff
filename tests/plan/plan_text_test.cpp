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
    p.cap = 17s;
    p.confirm = confirmation::off;
    p.false_failure = 1.0 / 3;
    p.false_pass = 0.1 + 0.2;
    p.margin = 1e-17;
    p.rounds = 77;
    p.iterations = 4294967295u;
    p.processes = 7;
    p.seed = 18446744073709551615u;
    p.undecided = undecided_effect::fail;
    p.ci = ci_rules::on;
    p.update = baseline_update::append;
    p.record_anyway = true;
    p.baseline_dir = "a; b = 100%\n\"c\"\x01\xc3\xa9";
    p.build_variant = "gcc-12,-O3";
    p.mode = evaluation_mode::verify;
    p.output = "out dir/results.jsonl";
    p.verbosity = console_verbosity::verbose;
    p.key = "sort %3B 1M";
    return p;
}

}  // namespace

TEST_CASE("message_of and read_plan give the same plan back, exactly", "[plan][unit]") {
    const plan sent = GENERATE(plan{}, unusual_plan());
    const plan received = read_plan(message_of(sent));
    for (const option_description& row : option_table()) {
        INFO(row.name);
        CHECK(row.read(received) == row.read(sent));
    }
}

TEST_CASE("message_of names every option once", "[plan][unit]") {
    const plan_message message = message_of(unusual_plan());
    CHECK(message.set.front() == std::pair<std::string, std::string>{"budget", "1234567891ns"});
    CHECK(message.set[1] == std::pair<std::string, std::string>{"cap", "17s"});
    auto all = message.set;
    all.insert(all.end(), message.defaults.begin(), message.defaults.end());
    CHECK(std::ranges::is_permutation(all, plan_options(unusual_plan())));
}

TEST_CASE("read_plan passes over an option that it lacks where the sender did not set it", "[plan][unit]") {
    CHECK(message_of(plan{}).set.empty());
    CHECK(message_of(plan{}).defaults.front() == std::pair<std::string, std::string>{"budget", "1s"});
    const plan received =
        read_plan({.set = {{"cap", "17s"}}, .defaults = {{"option_of_tomorrow", "auto"}, {"margin", "0.01"}}});
    CHECK(received.cap == 17s);
    CHECK(received.margin == 0.01);  // sent even if it is the default of this build
    CHECK_THROWS_RECORDED(input_error, read_plan({.set = {{"option_of_tomorrow", "5"}}}));
}

TEST_CASE("a budget is at most the cap, and whichever is set later moves the other", "[plan][unit]") {
    const auto limits = [](const plan& p) { return std::pair{p.budget, p.cap}; };
    CHECK(limits(read_plan({.set = {{"budget", "5s"}}})) ==
          std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>{5s, 120s});
    CHECK(limits(read_plan({.set = {{"cap", "100ms"}}})) ==
          std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>{100ms, 100ms});
    CHECK(limits(read_plan({.set = {{"budget", "200s"}}})) ==
          std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>{200s, 200s});
    CHECK(read_plan({.set = {{"budget", "200s"}}}).has_hard_budget());
    CHECK_FALSE(read_plan({}).has_hard_budget());
}

TEST_CASE("read_plan refuses what perfspec did not write", "[plan][unit]") {
    const std::vector<std::pair<std::string, std::string>> wrong{{"budget", ""}, {"speed", "1"},     {"", ""},
                                                                 {"\x1b", "1"},  {"rounds", "\x1b"}, {"rounds", "abc"},
                                                                 {"rounds", "5"}};
    std::string faults;
    for (const auto& each : wrong)
        faults += testing::message_of<input_error>([&] { static_cast<void>(read_plan({.set = {each}})); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("plan_options gives pairs that can be given again", "[plan][unit]") {
    plan p;
    p.update = baseline_update::moved;
    const auto pairs = plan_options(p);
    REQUIRE(pairs.size() == option_table().size());
    CHECK(pairs.front() == std::pair<std::string, std::string>{"budget", "1s"});
    std::string text;
    for (const auto& [name, value] : pairs) text.append(name).append("=").append(value).append(" ");
    CHECK_RECORDED(text);
}

TEST_CASE("a damaged value of a plan is read or refused", "[plan][unit]") {
    const auto seen = testing::parse_damaged("1500ms+", [](const std::string& text) {
        return plan_options(read_plan({.set = {{"budget", text}}}))[0].second;
    });
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
