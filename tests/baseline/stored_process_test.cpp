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
    entry.processes = {process_of(value)};
    CAPTURE(unit, value);
    CHECK(fault_of(entry).has_value() == fault);
}

TEST_CASE("fault_of knows every base unit", "[baseline][unit]") {
    using enum dimension;
    const auto d = GENERATE(time, ratio, count, bytes, item_rate, byte_rate, flop_rate);
    auto entry = entry_of("k");
    entry.unit = base_unit(d);
    entry.processes = {process_of(-1)};
    CHECK(fault_of(entry));
}

TEST_CASE("fault_of names the field, what was found, and a legal value", "[baseline][unit]") {
    CHECK_FALSE(fault_of(entry_of("k")));
    std::string faults;
    const auto with = [&](void (*change)(baseline_entry&)) {
        baseline_entry entry = entry_of("k");
        change(entry);
        faults += fault_of(entry).value() + "\n";
    };
    with([](baseline_entry& e) { e.processes[3].value = -3; });
    with([](baseline_entry& e) { e.processes[3].q1 = 2000; });
    with([](baseline_entry& e) { e.processes[3].p90 = 999; });
    with([](baseline_entry& e) { e.processes[3].p99 = 999; });
    with([](baseline_entry& e) { e.processes[3].samples = 0; });
    with([](baseline_entry& e) { e.processes[3].iterations = 0; });
    with([](baseline_entry& e) { e.processes[3].time = "yesterday"; });
    with([](baseline_entry& e) { e.processes.clear(); });
    with([](baseline_entry& e) { e.processes = processes_of(std::vector<double>(41, 1)); });
    with([](baseline_entry& e) { e.processes[3].processor_ns = -1.0; });
    with([](baseline_entry& e) { e.unit = ""; });
    with([](baseline_entry& e) { e.key = "caf\xe9"; });
    CHECK_RECORDED(faults);
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
    entry.processes[0].time = when;
    CAPTURE(when);
    CHECK(fault_of(entry).has_value() == fault);
}

}  // namespace

namespace {

const std::string net_key = "training / latency(net)";

part_profile two_operators() {
    return {"2 threads", {{"aten::conv2d", 523000, 9}, {"aten::\"relu\"", 1500.5, 4.5}}, 1200};
}

baseline_entry profiled_entry(part_profile profile = two_operators()) {
    baseline_entry entry = entry_of(net_key);
    entry.profile = std::move(profile);
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

TEST_CASE("an part_profile is one line of its entry, and is read back", "[baseline][unit]") {
    const std::string text = text_of(profiled_entry());
    CHECK_RECORDED(text);
    const baseline_file read = parse_baseline_file(text, "x");
    CHECK(*read.find(net_key) == profiled_entry());
    CHECK(render_baseline_file(read) == text);
}

TEST_CASE("an part_profile has no members for what is unknown or 0, and an entry none for a subject without operators",
          "[baseline][unit]") {
    CHECK_RECORDED(text_of(profiled_entry({{}, {{"a", 0, 0}}, 0})));
    const std::string without = text_of(entry_of(net_key));
    CHECK_THAT(without, !ContainsSubstring("operators"));
    CHECK_FALSE(parse_baseline_file(without, "x").find(net_key)->profile);
}

TEST_CASE("a damaged part_profile is refused by its file, line and entry", "[baseline][unit]") {
    const std::vector<std::pair<std::string, std::string>> changes{{"523000", "-523000"},
                                                                   {"523000", "\"fast\""},
                                                                   {"523000", "null"},
                                                                   {"523000", "NaN"},
                                                                   {"523000", "1e400"},
                                                                   {"\"ns\": 523000, ", ""},
                                                                   {", \"calls\": 9", ""},
                                                                   {"\"calls\": 9", "\"calls\": -9"},
                                                                   {"\"calls\": 9", "\"calls\": 9, \"device\": 1"},
                                                                   {"{\"ns\": 523000, \"calls\": 9}", "523000"},
                                                                   {"\"aten::conv2d\"", "\"\""},
                                                                   {"\"aten::conv2d\"", "\"aten::\\\"relu\\\"\""},
                                                                   {"1200", "-1"},
                                                                   {"1200", "[]"},
                                                                   {"\"2 threads\"", "2"},
                                                                   {"\"settings\"", "\"threads\""},
                                                                   {"\"longest\": {", "\"longest\": {}, \"x\": {"},
                                                                   {"\"longest\": {", "\"longest\": 3, \"others\": {"}};
    std::string faults;
    for (const auto& [found, instead] : changes) faults += error_of(with(found, instead)) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("an part_profile has 1 to 32 operators", "[baseline][unit]") {
    std::string many;
    for (int i = 0; i < 10'000; ++i) many += "\"op " + std::to_string(i) + "\": {\"ns\": 1, \"calls\": 1}, ";
    CHECK_RECORDED(error_of(with("\"longest\": {", "\"longest\": {" + many)));
    CHECK_RECORDED(error_of(
        with("\"longest\": {\"aten::conv2d\": {\"ns\": 523000, \"calls\": 9}, \"aten::\\\"relu\\\"\": {\"ns\": 1500.5, "
             "\"calls\": 4.5}}",
             "\"longest\": {}")));
    part_profile full;
    while (full.longest.size() < 32) full.longest.push_back({"op " + std::to_string(full.longest.size()), 1, 1});
    CHECK(error_of(text_of(profiled_entry(full))) == "no error");
}

TEST_CASE("an unreadable part_profile is not stored", "[baseline][unit]") {
    const auto [wrong, message] = GENERATE(table<profiled_part, std::string>({
        {{"", 1, 1}, "the operator \"\" has"},
        {{"caf\xe9", 1, 1}, "the operator \"caf\\xe9\" has"},
        {{"a", std::numeric_limits<double>::quiet_NaN(), 1},
         "the operator \"a\" has \"ns\" nan and \"calls\" 1, expected a name and numbers that are 0 or more"},
        {{"a", -1, 1}, "the operator \"a\" has \"ns\" -1"},
        {{"a", 1, std::numeric_limits<double>::infinity()}, "the operator \"a\" has \"ns\" 1 and \"calls\" inf"},
    }));
    part_profile profile = two_operators();
    profile.longest.push_back(wrong);
    CHECK_THAT(fault_of(profiled_entry(profile)).value_or("none"), StartsWith(message));
    CHECK_THROWS_WITH(text_of(profiled_entry(profile)), ContainsSubstring(message));
}

TEST_CASE("an part_profile is rounded to three digits where it is stored", "[baseline][unit]") {
    const part_profile exact{"", {{"a", 523456.7, 9}, {"b", 0, 1}, {"c", 1.2345, 4.5}}, 1239};
    CHECK(rounded_profile(exact) == part_profile{"", {{"a", 523000, 9}, {"b", 0, 1}, {"c", 1.23, 4.5}}, 1240});

    scripted_file_system files;
    baseline_store store(files, {"/b", "epyc-4c", "", "nets"});
    store.update(profiled_entry(exact), {});
    CHECK(store.find(net_key).entry->profile == rounded_profile(exact));
}

TEST_CASE("baseline_store replaces an part_profile with its processes, and keeps it where a further session has none",
          "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, {"/b", "epyc-4c", "", "nets"});
    store.update(profiled_entry(), {});
    const auto update = [&](baseline_update mode, std::optional<part_profile> operators, const std::string& session) {
        baseline_entry next = entry_of(net_key);
        for (stored_process& l : next.processes) l.recording_session = session;
        next.profile = std::move(operators);
        return store.update(next, {.mode = mode}).after->profile;
    };
    const part_profile other{"4 threads", {{"b", 7, 1}}, 0};
    CHECK(update(baseline_update::append, {}, "second") == rounded_profile(two_operators()));
    CHECK(update(baseline_update::append, other, "third") == other);
    CHECK(update(baseline_update::moved, two_operators(), "fourth") == other);
    CHECK(update(baseline_update::all, {}, "fifth") == std::nullopt);
}

}  // namespace perfspec
