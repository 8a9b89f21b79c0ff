// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "entries.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("fault_of takes what each unit can be", "[baseline][unit]") {
    const auto [unit, value, fault] = GENERATE(table<const char*, double, bool>({
        {"ns", 1, false},
        {"ns", 1e-300, false},
        {"ns", 0, true},
        {"ns", -1, true},
        {"ns", infinity, true},
        {"ratio", 0.5, false},
        {"ratio", 0, true},
        {"count", 0, false},
        {"count", -1, true},
        {"bytes", 0, false},
        {"bytes", -1, true},
        {"items/s", 0, true},
        {"bytes/s", 0, true},
        {"flop/s", 0, true},
        {"tokens/s", -3, false},
        {"tokens/s", 0, false},
        {"tokens/s", infinity, true},
        {"ns", std::nan(""), true},
        {"count", std::nan(""), true},
    }));
    auto entry = entry_of("k");
    entry.unit = unit;
    entry.launches = {launch_of(value)};
    CAPTURE(unit, value);
    CHECK(fault_of(entry).has_value() == fault);
}

TEST_CASE("fault_of knows every base unit", "[baseline][unit]") {
    using enum dimension;
    const auto d = GENERATE(time, ratio, count, bytes, item_rate, byte_rate, flop_rate);
    auto entry = entry_of("k");
    entry.unit = base_unit(d);
    entry.launches = {launch_of(-1)};
    CHECK(fault_of(entry));
}

TEST_CASE("fault_of names the field, what was found, and a legal value", "[baseline][unit]") {
    auto entry = entry_of("k");
    auto& launch = entry.launches[3];
    CHECK_FALSE(fault_of(entry));
    SECTION("value") {
        launch.value = -3;
        CHECK(fault_of(entry) == "\"value\" is -3, expected a number above 0");
    }
    SECTION("quantiles") {
        launch.q1 = 2000;
        CHECK(
            fault_of(entry) ==
            "\"q1\", \"q3\", \"p90\", \"p99\" are 2000, 1000, 1000, 1000, expected ascending quantiles such as 3, 4, 5, 6");
    }
    SECTION("upper quantiles") {
        launch.p90 = 999;
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("are 1000, 1000, 999, 1000"));
    }
    SECTION("tail") {
        launch.p99 = 999;
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("are 1000, 1000, 1000, 999"));
    }
    SECTION("samples") {
        launch.samples = 0;
        CHECK(fault_of(entry) == "\"samples\" is 0, expected a number of samples such as 300");
    }
    SECTION("iterations") {
        launch.iterations = 0;
        CHECK(fault_of(entry) == "\"iterations\" is 0, expected the iterations of a sample such as 1");
    }
    SECTION("when") {
        launch.when = "yesterday";
        CHECK(fault_of(entry) == "\"when\" is \"yesterday\", expected a time in UTC such as \"2026-11-18T09:12:44Z\"");
    }
    SECTION("no launches") {
        entry.launches.clear();
        CHECK(fault_of(entry) == "there are no launches, expected a session of 1 to 40");
    }
    SECTION("41 launches") {
        entry.launches = launches_of(std::vector<double>(41, 1));
        CHECK(fault_of(entry) == "there are 41 launches in 1 sessions, expected at most 40 of each of at most 10");
    }
    SECTION("the processor's time") {
        launch.processor_ns = -1.0;
        CHECK(fault_of(entry) == "\"processor_ns\" is -1, expected nanoseconds such as 812000");
    }
    SECTION("unit") {
        entry.unit = "";
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("expected a unit such as \"ns\""));
    }
    SECTION("key") {
        entry.key = "caf\xe9";
        CHECK_THAT(fault_of(entry).value(), ContainsSubstring("the key is not UTF-8"));
    }
}

TEST_CASE("fault_of takes the times that a clock shows", "[baseline][unit]") {
    const auto [when, fault] = GENERATE(table<const char*, bool>({
        {"2026-11-18T09:12:44Z", false},
        {"2026-11-18T09:12:44", true},
        {"2026-11-18 09:12:44Z", true},
        {"2026-13-18T09:12:44Z", true},
        {"2026-00-18T09:12:44Z", true},
        {"2026-11-32T09:12:44Z", true},
        {"2026-11-18T24:12:44Z", true},
        {"2026-11-18T09:60:44Z", true},
        {"2026-11-18T09:12:61Z", true},
        {"2026-11-18T09:12:44.5Z", true},
        {"", true},
        {"2026-11-18T09:12:44+01:00", true},
    }));
    auto entry = entry_of("k");
    entry.launches[0].when = when;
    CAPTURE(when);
    CHECK(fault_of(entry).has_value() == fault);
}

}  // namespace

namespace {

const std::string net_key = "training / latency(net)";

operator_profile two_operators() {
    return {"2 threads", {{"aten::conv2d", 523000, 9}, {"aten::\"relu\"", 1500.5, 4.5}}, 1200};
}

baseline_entry profiled_entry(operator_profile profile = two_operators()) {
    baseline_entry entry = entry_of(net_key);
    entry.operators = std::move(profile);
    return entry;
}
std::string text_of(const baseline_entry& entry) { return render_baseline_file({"epyc-4c", "", "nets", {entry}}); }

std::string with(const std::string& found, const std::string& instead) {
    std::string text = text_of(profiled_entry());
    const auto at = text.find(found);
    REQUIRE(at != std::string::npos);
    return text.replace(at, found.size(), instead);
}
std::string error_of(const std::string& text) {
    try {
        static_cast<void>(parse_baseline_file(text, "b/x.json"));
    } catch (const input_error& error) { return error.what(); }
    return "no error";
}

}  // namespace

TEST_CASE("an operator_profile is one line of its entry, and is read back", "[baseline][unit]") {
    const std::string text = text_of(profiled_entry());
    CHECK_THAT(
        text,
        ContainsSubstring(
            "\n      \"operators\": {\"settings\": \"2 threads\", \"longest\": {\"aten::conv2d\": {\"ns\": 523000, "
            "\"calls\": 9}, \"aten::\\\"relu\\\"\": {\"ns\": 1500.5, \"calls\": 4.5}}, \"others\": 1200},\n"
            "      \"sessions\": ["));
    const baseline_file read = parse_baseline_file(text, "x");
    CHECK(*read.find(net_key) == profiled_entry());
    CHECK(render_baseline_file(read) == text);
}

TEST_CASE(
    "an operator_profile has no members for what is unknown or 0, and an entry none for a subject without operators",
    "[baseline][unit]") {
    CHECK_THAT(text_of(profiled_entry({{}, {{"a", 0, 0}}, 0})),
               ContainsSubstring("\"operators\": {\"longest\": {\"a\": {\"ns\": 0, \"calls\": 0}}},"));
    const std::string without = text_of(entry_of(net_key));
    CHECK_THAT(without, !ContainsSubstring("operators"));
    CHECK_FALSE(parse_baseline_file(without, "x").find(net_key)->operators);
}

TEST_CASE("a damaged operator_profile is refused by its file, line and entry", "[baseline][unit]") {
    struct row {
        std::string found, instead, message;
    };
    const auto r = GENERATE(values<row>({
        {"523000", "-523000", "the operator \"aten::conv2d\" has \"ns\" -523000"},
        {"523000", "\"fast\"", "\"operators.longest.aten::conv2d.ns\" is \"fast\", expected a number such as 1.5"},
        {"523000", "null", "\"operators.longest.aten::conv2d.ns\" is null, expected a number such as 1.5"},
        {"523000", "NaN", "found \"NaN\", expected JSON such as \"unit\": \"ns\""},
        {"523000", "1e400", "\"1e400\" is larger than any measurement can be"},
        {"\"ns\": 523000, ", "", "\"ns\" is missing"},
        {", \"calls\": 9", "", "\"calls\" is missing"},
        {"\"calls\": 9", "\"calls\": -9",
         "the operator \"aten::conv2d\" has \"ns\" 523000 and \"calls\" -9, expected a name and numbers that are 0 or more"},
        {"\"calls\": 9", "\"calls\": 9, \"device\": 1",
         "\"device\" is unknown here, expected one of \"ns\", \"calls\""},
        {"{\"ns\": 523000, \"calls\": 9}", "523000",
         "\"operators.longest.aten::conv2d\" is 523000, expected an object"},
        {"\"aten::conv2d\"", "\"\"", "the operator \"\" has \"ns\" 523000"},
        {"\"aten::conv2d\"", "\"aten::\\\"relu\\\"\"", "\"aten::\"relu\"\" appears twice, first in line 11"},
        {"1200", "-1", "\"others\" is -1, expected a number that is 0 or more"},
        {"1200", "[]", "\"operators.others\" is a list, expected a number such as 1.5"},
        {"\"2 threads\"", "2", "\"operators.settings\" is 2, expected a text"},
        {"\"settings\"", "\"threads\"",
         "\"threads\" is unknown here, expected one of \"settings\", \"longest\", \"others\""},
        {"\"longest\": {", "\"longest\": {}, \"x\": {", "\"x\" is unknown here"},
        {"\"longest\": {", "\"longest\": 3, \"others\": {", "\"others\" appears twice"},
    }));
    const std::string message = error_of(with(r.found, r.instead));
    CAPTURE(message);
    const bool is_of_value = r.message.starts_with("the operator") || r.message.find("0 or more") != std::string::npos;
    CHECK_THAT(message, StartsWith((is_of_value ? "b/x.json:7: " : "b/x.json:11: ") + r.message));
    CHECK_THAT(message, ContainsSubstring("restore it from version control"));
    const bool is_json = !r.message.starts_with("found") && r.message.find("larger than") == std::string::npos &&
                         r.message.find("appears twice") == std::string::npos;
    if (is_json) CHECK_THAT(message, ContainsSubstring("\n  in the entry \"" + net_key + "\""));
}

TEST_CASE("an operator_profile has 1 to 32 operators", "[baseline][unit]") {
    std::string many;
    for (int i = 0; i < 10'000; ++i) many += "\"op " + std::to_string(i) + "\": {\"ns\": 1, \"calls\": 1}, ";
    CHECK_THAT(error_of(with("\"longest\": {", "\"longest\": {" + many)),
               StartsWith("b/x.json:7: \"longest\" has 10002 operators, expected 1 to 32"));
    CHECK_THAT(
        error_of(with(
            "\"longest\": {\"aten::conv2d\": {\"ns\": 523000, \"calls\": 9}, \"aten::\\\"relu\\\"\": {\"ns\": 1500.5, "
            "\"calls\": 4.5}}",
            "\"longest\": {}")),
        StartsWith("b/x.json:7: \"longest\" has 0 operators, expected 1 to 32"));
    operator_profile full;
    while (full.longest.size() < 32) full.longest.push_back({"op " + std::to_string(full.longest.size()), 1, 1});
    CHECK(error_of(text_of(profiled_entry(full))) == "no error");
}

TEST_CASE("an unreadable operator_profile is not stored", "[baseline][unit]") {
    const auto [wrong, message] = GENERATE(table<profiled_operator, std::string>({
        {{"", 1, 1}, "the operator \"\" has"},
        {{"caf\xe9", 1, 1}, "the operator \"caf\\xe9\" has"},
        {{"a", std::numeric_limits<double>::quiet_NaN(), 1},
         "the operator \"a\" has \"ns\" nan and \"calls\" 1, expected a name and numbers that are 0 or more"},
        {{"a", -1, 1}, "the operator \"a\" has \"ns\" -1"},
        {{"a", 1, std::numeric_limits<double>::infinity()}, "the operator \"a\" has \"ns\" 1 and \"calls\" inf"},
    }));
    operator_profile profile = two_operators();
    profile.longest.push_back(wrong);
    CHECK_THAT(fault_of(profiled_entry(profile)).value_or("none"), StartsWith(message));
    CHECK_THROWS_WITH(text_of(profiled_entry(profile)), ContainsSubstring(message));
}

TEST_CASE("an operator_profile is rounded to three digits where it is stored", "[baseline][unit]") {
    const operator_profile exact{"", {{"a", 523456.7, 9}, {"b", 0, 1}, {"c", 1.2345, 4.5}}, 1239};
    CHECK(rounded_profile(exact) == operator_profile{"", {{"a", 523000, 9}, {"b", 0, 1}, {"c", 1.23, 4.5}}, 1240});

    scripted_file_system files;
    baseline_store store(files, {"/b", "epyc-4c", "", "nets"});
    store.update(profiled_entry(exact), {});
    CHECK(store.find(net_key).entry->operators == rounded_profile(exact));
}

TEST_CASE(
    "baseline_store replaces an operator_profile with its launches, and keeps it where a further session has none",
    "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, {"/b", "epyc-4c", "", "nets"});
    store.update(profiled_entry(), {});
    const auto update = [&](baseline_update mode, std::optional<operator_profile> operators,
                            const std::string& session) {
        baseline_entry next = entry_of(net_key);
        for (stored_launch& l : next.launches) l.recording_session = session;
        next.operators = std::move(operators);
        return store.update(next, {.mode = mode}).after->operators;
    };
    const operator_profile other{"4 threads", {{"b", 7, 1}}, 0};
    CHECK(update(baseline_update::append, {}, "second") == rounded_profile(two_operators()));
    CHECK(update(baseline_update::append, other, "third") == other);
    CHECK(update(baseline_update::moved, two_operators(), "fourth") == other);
    CHECK(update(baseline_update::all, {}, "fifth") == std::nullopt);
}

}  // namespace perfspec
