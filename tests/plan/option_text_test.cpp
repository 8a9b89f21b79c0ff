// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/plan/option_table.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace std::chrono_literals;

option_value parsed(option_id id, const char* text) { return parse_option(describe(id), text, "given", "legal"); }

/// The text of the input_error, or "accepted".
template <class F> std::string complaint(F f) {
    try {
        static_cast<void>(f());
    } catch (const input_error& e) { return e.what(); }
    return "accepted";
}

}  // namespace

TEST_CASE("parse_option reads every kind of value", "[plan][unit]") {
    CHECK(parsed(option_id::budget, "10s") == option_value{std::chrono::nanoseconds{10s}});
    CHECK(parsed(option_id::cap, "2min") == option_value{std::chrono::nanoseconds{120s}});
    CHECK(parsed(option_id::cap, "1.5 ms") == option_value{std::chrono::nanoseconds{1500us}});
    CHECK(parsed(option_id::margin, "1%") == option_value{0.01});
    CHECK(parsed(option_id::margin, "0") == option_value{0.0});
    CHECK(parsed(option_id::false_failure, "0.5") == option_value{0.5});
    CHECK(parsed(option_id::rounds, "10") == option_value{std::uint64_t{10}});
    CHECK(parsed(option_id::seed, "18446744073709551615") == option_value{std::numeric_limits<std::uint64_t>::max()});
    CHECK(parsed(option_id::iterations, "auto") == option_value{});
    CHECK(parsed(option_id::confirm, "off") == option_value{std::uint64_t{0}});
    CHECK(parsed(option_id::confirm, "1") == option_value{std::uint64_t{1}});
    CHECK(parsed(option_id::baseline_dir, "") == option_value{std::string{}});
}

TEST_CASE("parse_option reads every spelling of update_baselines", "[plan][unit]") {
    const auto [text, meant] = GENERATE(table<const char*, baseline_update>({
        {"1", baseline_update::moved},
        {"moved", baseline_update::moved},
        {"missing", baseline_update::missing},
        {"append", baseline_update::append},
        {"all", baseline_update::all},
        {"0", baseline_update::none},
        {"none", baseline_update::none},
    }));
    CHECK(parsed(option_id::update_baselines, text) == option_value{static_cast<std::uint64_t>(meant)});
}

TEST_CASE("parse_option names what it found and a legal value", "[plan][unit]") {
    const std::vector<std::pair<option_id, const char*>> wrong{
        {option_id::budget, "abc"},      {option_id::budget, ""},        {option_id::budget, "0s"},
        {option_id::cap, "10s+"},        {option_id::margin, "much"},    {option_id::margin, "51%"},
        {option_id::false_failure, "0"}, {option_id::false_pass, "0.7"}, {option_id::rounds, "9"},
        {option_id::rounds, "many"},     {option_id::rounds, "1e3"},     {option_id::processes, "-1"},
        {option_id::processes, "41"},    {option_id::drift, "much"},     {option_id::seed, "18446744073709551616"},
        {option_id::mode, "fast"},       {option_id::mode, "\x1b[31m"},  {option_id::update_baselines, "yes"}};
    std::string faults;
    for (const auto& w : wrong) faults += complaint([&] { return parsed(w.first, w.second); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("parse_option keeps a margin from being negative", "[plan][unit]") {
    CHECK(complaint([] { return parsed(option_id::margin, "-1%"); }).starts_with("given: "));
}

TEST_CASE("option_text writes what parse_option reads back", "[plan][unit]") {
    const auto [id, value, text] = GENERATE(table<option_id, option_value, const char*>({
        {option_id::budget, std::chrono::nanoseconds{1s}, "1s"},
        {option_id::budget, std::chrono::nanoseconds{1500ms}, "1500ms"},
        {option_id::cap, std::chrono::nanoseconds{1}, "1ns"},
        {option_id::cap, std::chrono::nanoseconds{120s}, "120s"},
        {option_id::cap, std::chrono::nanoseconds{100us}, "100us"},
        {option_id::margin, 0.1 + 0.2, "0.30000000000000004"},
        {option_id::false_failure, 1e-3, "0.001"},
        {option_id::false_failure, 1e-9, "1e-09"},
        {option_id::seed, std::uint64_t{18446744073709551615u}, "18446744073709551615"},
        {option_id::seed, {}, "auto"},
        {option_id::undecided, std::uint64_t{2}, "fail"},
        {option_id::baseline_dir, std::string("a b;c"), "a b;c"},
    }));
    CHECK(option_text(describe(id), value) == text);
    if (id != option_id::margin) CHECK(parsed(id, text) == value);
}

TEST_CASE("call_value reads what the option functions make", "[plan][unit]") {
    CHECK(call_value(budget(10s)) == option_value{std::chrono::nanoseconds{10s}});
    CHECK(call_value(cap(1.5s)) == option_value{std::chrono::nanoseconds{1500ms}});
    CHECK(call_value(margin(1_pct)) == option_value{0.01});
    CHECK(call_value(margin(0_pct)) == option_value{0.0});
    CHECK(call_value(rounds(30)) == option_value{std::uint64_t{30}});
    CHECK(call_value(seed(4294967295u)) == option_value{std::uint64_t{4294967295u}});
    CHECK(call_value(confirm::off) == option_value{std::uint64_t{0}});
    CHECK(call_value(undecided::fail) == option_value{std::uint64_t{2}});
    CHECK(call_value(key("sort 1M")) == option_value{std::string("sort 1M")});
}

TEST_CASE("call_value names a bad option as its call spells it", "[plan][unit]") {
    std::string faults;
    for (const option& given :
         {budget(-1s), margin(pct(-1)), false_failure(0.7), false_pass(std::numeric_limits<double>::quiet_NaN()),
          rounds(9), iterations(0), option{option_id::undecided, 7.0}, key(nullptr), option{option_id::ci, 1.0}})
        faults += complaint([&] { return call_value(given); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("parse_axis_filter reads axes and their values", "[plan][unit]") {
    const auto [text, filter] = GENERATE(table<const char*, axis_filter>({
        {"", {}},
        {"batch=8", {{"batch", {"8"}}}},
        {"batch=8,batch=16", {{"batch", {"8", "16"}}}},
        {"batch=8,device=cpu", {{"batch", {"8"}}, {"device", {"cpu"}}}},
        {"flags=", {{"flags", {""}}}},
        {"flags=-O2=x", {{"flags", {"-O2=x"}}}},
        {R"(shape=1\,3\,224)", {{"shape", {"1,3,224"}}}},
        {R"(a\=b=c\\d)", {{"a=b", {R"(c\d)"}}}},
        {"batch= 8", {{"batch", {" 8"}}}},
    }));
    INFO(text);
    CHECK(parse_axis_filter(text) == filter);
}

TEST_CASE("parse_axis_filter refuses what names no axis", "[plan][unit]") {
    const auto* text = GENERATE("batch", "=8", "batch=8,", ",batch=8", "batch=8,,n=1", "batch=8,16", "batch=8\\", ",");
    INFO(text);
    CHECK_FALSE(parse_axis_filter(text));
}

TEST_CASE("leaves_out asks for every axis of the filter, with one of its values", "[plan][unit]") {
    const auto left_out = [](const char* only, const std::vector<std::pair<std::string, std::string>>& axes) {
        plan p;
        p.only = only;
        return leaves_out(p, axes);
    };
    const std::vector<std::pair<std::string, std::string>> axes{{"batch", "8"}, {"device", "cpu"}};
    CHECK_FALSE(left_out("", axes));
    CHECK_FALSE(left_out("batch=8", axes));
    CHECK_FALSE(left_out("batch=16,batch=8,device=cpu", axes));
    CHECK(left_out("batch=16", axes));
    CHECK(left_out("batch=8,device=cuda:0", axes));
    CHECK(left_out("n=8", axes));
    CHECK(left_out("batch=8", {}));
}

TEST_CASE("option_table describes every option_id once", "[plan][unit]") {
    std::set<option_id> described;
    for (const option_description& row : option_table()) CHECK(described.insert(row.id).second);
    for (auto id = static_cast<int>(option_id::none) + 1; id <= static_cast<int>(option_id::key); ++id) {
        CHECK(described.contains(static_cast<option_id>(id)));
    }
    CHECK(described.size() == static_cast<std::size_t>(option_id::key));
}

TEST_CASE("option_table's examples and bare values are legal", "[plan][unit]") {
    for (const option_description& row : option_table()) {
        INFO(row.name);
        CHECK_NOTHROW(parse_option(row, row.legal, row.name, row.legal));
        if (!row.bare.empty()) CHECK_NOTHROW(parse_option(row, row.bare, row.name, row.legal));
        CHECK_FALSE(row.help.empty());
    }
}

TEST_CASE("option_table's defaults are what a plan has, and lie in their ranges", "[plan][unit]") {
    for (const option_description& row : option_table()) {
        INFO(row.name);
        const std::string text = option_text(row, row.read(plan{}));
        CHECK(parse_option(row, text, row.name, row.legal) == row.read(plan{}));
    }
}

TEST_CASE("default_text says what help says of a default", "[plan][unit]") {
    CHECK(default_text(describe(option_id::cap)) == "120s");
    CHECK(default_text(describe(option_id::margin)) == "0.5%");
    CHECK(default_text(describe(option_id::false_failure)) == "0.001");
    CHECK(default_text(describe(option_id::rounds)) == "auto");
    CHECK(default_text(describe(option_id::mode)) == "measure");
    CHECK(default_text(describe(option_id::output)) == "none");
    for (const option_description& row : option_table()) {
        INFO(row.name);
        CHECK_FALSE(default_text(row).empty());
    }
}

TEST_CASE("option_table spells a name three ways", "[plan][unit]") {
    const auto& row = describe(option_id::false_failure);
    CHECK(row.name == "false_failure");
    CHECK(command_line_name(row) == "--perf-false-failure");
    CHECK(environment_name(row) == "PERFSPEC_FALSE_FAILURE");
    CHECK(find_option("false_failure") == &row);
    CHECK(find_option("false-failure") == nullptr);
    CHECK_THROWS_AS(describe(option_id::none), input_error);
}

}  // namespace perfspec
