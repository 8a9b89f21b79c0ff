// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/claim/record_of.hpp>
#include <perfspec/report/waived.hpp>

#include <perfspec/plan/plan.hpp>
#include <perfspec/report/console/console_text.hpp>

#include "../scripted_run.hpp"

namespace perfspec {
namespace {

using namespace testing;

const waiver fifth{.key = "k",
                   .reason = "known",
                   .owner = "#123",
                   .ceiling = "20%",
                   .until = "2027-01-31",
                   .place = "b/perfspec.json:7"};

waiver with_ceiling(const char* ceiling) {
    waiver w = fifth;
    w.ceiling = ceiling;
    return w;
}

record violated(double value, const char* comparison, double bound, dimension unit = dimension::ratio) {
    record r;
    r.time = "2027-01-31T23:59:59Z";
    r.verdict = verdict::violated;
    r.failed = true;
    r.unit = unit;
    r.estimate = estimate{value, value, value, 0.95};
    r.comparison = comparison;
    r.bound = bound;
    return r;
}

std::optional<waiver_effect> effect_on(record r, const waiver& w) {
    r = detail::waived(std::move(r), w);
    CHECK(r.failed == (r.waiver ? r.waiver->effect != waiver_effect::waived : true));
    return r.waiver ? std::optional(r.waiver->effect) : std::nullopt;
}

}  // namespace

TEST_CASE("a waiver covers values up to its ceiling, on the worse side of each comparison", "[run][unit]") {
    using enum waiver_effect;
    const auto [value, comparison, bound, ceiling, effect] =
        GENERATE(table<double, const char*, double, const char*, waiver_effect>({
            {1.2, "<", 1.0, "20%", waived},
            {1.21, "<", 1.0, "20%", too_far},
            {1.5, "<=", 1.0, "1.5", waived},
            {1.51, "<=", 1.0, "1.5", too_far},
            {0.8, ">", 1.0, "25%", waived},
            {0.79, ">", 1.0, "25%", too_far},
            {0.5, ">=", 1.0, "0.5", waived},
            {0.49, ">=", 1.0, "0.5", too_far},
            {0.5, ">", 1.0, "0", too_far},    // a ceiling that no value is beyond
            {1.1, "<", 1.0, "0.9", too_far},  // within the bound: it widens nothing
            {0.9, ">", 1.0, "1.1", too_far},
            {6.0, "==", 5.0, "20%", waived},
            {6.1, "==", 5.0, "20%", too_far},
            {4.5, "==", 5.0, "20%", waived},
            {4.0, "==", 5.0, "20%", too_far},
            {7.0, "==", 5.0, "7", waived},
            {4.0, "==", 5.0, "7", too_far},
            {3.0, "<=", 0.0, "3", waived},
            {3.0, "==", 0.0, "2", too_far},
            {3.0, "<=", 0.0, "1000%", too_far},
            {-0.9, "<", -1.0, "25%", waived},
            {-0.7, "<", -1.0, "25%", too_far},
            {std::numeric_limits<double>::quiet_NaN(), "<", 1.0, "1000%", too_far},
            {std::numeric_limits<double>::infinity(), "<", 1.0, "1000%", too_far},
            {std::numeric_limits<double>::infinity(), "<", 1.0, "1e300", too_far},
        }));
    CAPTURE(value, comparison, bound, ceiling);
    CHECK(effect_on(violated(value, comparison, bound), with_ceiling(ceiling)) == effect);
}

TEST_CASE("a waiver widens both ends of a tolerance", "[run][unit]") {
    const auto effect = [](double value, const char* ceiling) {
        record r = violated(value, "==", 1.0);
        r.tolerated = tolerated_range{0.9, 1.1};
        return effect_on(r, with_ceiling(ceiling));
    };
    CHECK(effect(1.31, "20%") == waiver_effect::waived);
    CHECK(effect(1.33, "20%") == waiver_effect::too_far);
    CHECK(effect(0.76, "20%") == waiver_effect::waived);
    CHECK(effect(0.74, "20%") == waiver_effect::too_far);
    CHECK(effect(2.0, "2") == waiver_effect::waived);
    CHECK(effect(0.8, "2") == waiver_effect::too_far);
}

TEST_CASE("a waiver counts on its last day, and not after it", "[run][unit]") {
    record r = violated(1.1, "<", 1.0);
    CHECK(effect_on(r, fifth) == waiver_effect::waived);
    r.time = "2027-02-01T00:00:00Z";
    CHECK(effect_on(r, fifth) == waiver_effect::expired);
    r = detail::waived(std::move(r), fifth);
    CHECK(r.advice == std::vector<std::string>{"its waiver ended on 2027-01-31: known (#123); b/perfspec.json:7"});
}

TEST_CASE("a ceiling in another unit than the claim's covers nothing, and says why", "[run][unit]") {
    record time = violated(1.1e6, "<", 1.0e6, dimension::time);
    CHECK(effect_on(time, with_ceiling("2ms")) == waiver_effect::waived);
    CHECK(effect_on(time, with_ceiling("1.05ms")) == waiver_effect::too_far);
    time = detail::waived(std::move(time), with_ceiling("2e6"));
    CHECK(time.failed);
    CHECK_RECORDED(time.advice);
    record ratio = violated(1.1, "<", 1.0);
    ratio = detail::waived(std::move(ratio), with_ceiling("2ms"));
    CHECK(ratio.failed);
    CHECK_RECORDED(ratio.advice);
}

TEST_CASE("a waiver covers what is undecided and would fail or skip, and nothing else that is not violated",
          "[run][unit]") {
    record r = violated(1.1, "<", 1.0);
    r.verdict = verdict::undecided;
    CHECK(effect_on(r, fifth) == waiver_effect::waived);
    r.failed = false;
    CHECK(detail::skips_test(r));
    CHECK_FALSE(detail::skips_test(detail::waived(r, fifth)));
    r.estimate->low = 0.9;
    CHECK_FALSE(detail::waived(r, fifth).waiver);
    r.failed = true;
    r.verdict = verdict::error;
    CHECK_FALSE(effect_on(r, fifth));
    r.verdict = verdict::violated;
    r.verified.emplace();
    CHECK_FALSE(effect_on(r, fifth));
    r = violated(1.1, "", 1.0);
    r.bound.reset();
    CHECK(effect_on(r, fifth) == waiver_effect::too_far);
}

TEST_CASE("a claim that holds says that its waiver is not needed", "[run][unit]") {
    record r = violated(0.9, "<", 1.0);
    r.verdict = verdict::holds;
    r.failed = false;
    r = detail::waived(std::move(r), fifth);
    CHECK_FALSE(r.failed);
    CHECK(r.waiver.value().effect == waiver_effect::not_needed);
    CHECK_RECORDED(r.notes);
}

TEST_CASE("a waived claim is violated and fails no test, and the first waiver with its key counts", "[run][unit]") {
    const std::string of_all = R"xx(", "until": "2199-01-31", "reason": "known", "owner": ")xx";
    scripted_run program;
    program.files.put("/project/baselines/perfspec.json",
                      "{\"waivers\": [\n{\"key\": \"sorting / other\", \"ceiling\": \"900%" + of_all +
                          "#1\"},\n{\"key\": \"sorting / *\", \"ceiling\": \"900%" + of_all +
                          "#2\"},\n{\"key\": \"sort*\", \"ceiling\": \"1%" + of_all + "#3\"}]}");
    const record r = program.evaluate(latency(program.takes("sort", 2ms)) < 1ms, {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK_FALSE(r.failed);
    CHECK(r.waiver.value().owner == "#2");
    CHECK(r.waiver.value().place == "/project/baselines/perfspec.json:3");
    CHECK(program.context().summary().find("1 violated; 1 waived; measuring took") != std::string::npos);
}

TEST_CASE("a waiver covers a speedup whose outputs agree, and no claim on outputs", "[run][unit]") {
    record slow = violated(0.9, ">", 1.0);
    slow.verified = verification{verification_code::pass, "within", {}, {}, {}};
    CHECK(effect_on(slow, fifth) == waiver_effect::waived);
    record wrong = slow;
    wrong.verified->code = verification_code::fail;
    wrong.estimate.reset();
    CHECK(effect_on(wrong, fifth) == std::nullopt);
}

}  // namespace perfspec
