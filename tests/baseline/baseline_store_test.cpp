// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "entries.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>

#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const baseline_address where{"b", "epyc-4c", "", "vision_test"};
const update_request at_five_percent{baseline_update::moved, {0.05}, noisy_processes::refuse};
const std::string path = "b/epyc-4c/vision_test.json";

std::string file_with(const std::vector<baseline_entry>& entries) {
    baseline_file file{where.hardware, where.variant, where.suite, {}};
    for (const auto& entry : entries) file.insert_or_replace(entry);
    return render_baseline_file(file);
}

bool wrote(const scripted_file_system& files) {
    return std::ranges::any_of(files.done, [](const std::string& what) { return what.starts_with("write "); });
}

TEST_CASE("path_of puts hardware, variant and suite below the folder", "[baseline][unit]") {
    CHECK(path_of(where) == path);
    CHECK(path_of({"/b/", "epyc-4c", "gcc-13", "vision_test"}) == "/b/epyc-4c/gcc-13/vision_test.json");
    CHECK(path_of({"b", "../../etc", "a/b", "\"\n\U0001F680"}) == "b/%2E.%2F..%2Fetc/a%2Fb/%22%0A%F0%9F%9A%80.json");
    CHECK(path_of({"b", "h", "", ""}) == "b/h/%empty.json");
    CHECK(path_of({"b", "h", "vision_test.json", "vision_test"}) == "b/h/vision_test%2Ejson/vision_test.json");
}

TEST_CASE("baseline_store needs a folder", "[baseline][unit]") {
    scripted_file_system files;
    CHECK_THROWS_RECORDED(std::exception, baseline_store(files, {"", "h", "", "s"}));
}

TEST_CASE("baseline_store distinguishes why it finds nothing", "[baseline][unit]") {
    scripted_file_system files;
    const baseline_store store(files, where);
    CHECK(store.find("k").outcome == lookup_outcome::no_hardware);

    files.put_folder("b/xeon-2c");
    CHECK(store.find("k").outcome == lookup_outcome::no_hardware);

    files.put_folder("b/epyc-4c");
    CHECK(store.find("k").outcome == lookup_outcome::no_file);

    files.put(path, file_with({entry_of("other")}));
    CHECK(store.find("k").outcome == lookup_outcome::no_entry);

    files.put(path, file_with({entry_of("k"), entry_of("other")}));
    CHECK(store.find("k").outcome == lookup_outcome::found);
    CHECK(store.find("k").entry == entry_of("k"));
}

TEST_CASE("baseline_store distinguishes unreadable from corrupt files, and says what to do", "[baseline][unit]") {
    scripted_file_system files;
    const baseline_store store(files, where);
    files.refuse_reading(path, read_outcome::unreadable, "Permission denied");
    CHECK(store.find("k").outcome == lookup_outcome::unreadable);
    CHECK_RECORDED(store.find("k").reason);

    files.refuse_reading(path, read_outcome::too_large, "has more than 536870912 bytes");
    CHECK(store.find("k").outcome == lookup_outcome::unreadable);
    CHECK_THAT(store.find("k").reason, ContainsSubstring("has more than 536870912 bytes"));
}

TEST_CASE("baseline_store refuses the file of another address", "[baseline][unit]") {
    const auto [address, message] = GENERATE(table<baseline_address, std::string>({
        {{"b", "xeon-2c", "", "vision_test"}, "\"hardware\" is \"epyc-4c\", expected \"xeon-2c\""},
        {{"b", "epyc-4c", "clang", "vision_test"}, "\"build_variant\" is \"\", expected \"clang\""},
        {{"b", "epyc-4c", "", "audio_test"}, "\"suite\" is \"vision_test\", expected \"audio_test\""},
    }));
    scripted_file_system files;
    files.put(path_of(address), file_with({entry_of("k")}));
    const auto found = baseline_store(files, address).find("k");
    CHECK(found.outcome == lookup_outcome::corrupt);
    CHECK_THAT(found.reason,
               StartsWith(path_of(address) + ": " + message) && ContainsSubstring("move the file to where it belongs"));
}

TEST_CASE("baseline_store looks every claim up in one reading", "[baseline][unit]") {
    scripted_file_system files;
    files.put(path, file_with({entry_of("k", {1, 1})}));
    const auto snapshot = baseline_store(files, where).load();
    files.put(path, file_with({entry_of("k", {2, 2})}));
    CHECK(snapshot.find("k").entry == entry_of("k", {1, 1}));
    CHECK(snapshot.find("none").outcome == lookup_outcome::no_entry);
}

TEST_CASE("baseline_store records, under the lock of the folder", "[baseline][unit]") {
    scripted_file_system files;
    const auto result = baseline_store(files, where).update(entry_of("k"), at_five_percent);
    CHECK(result.decision.action == update_action::record);
    CHECK_FALSE(result.before);
    CHECK(result.after == entry_of("k"));
    CHECK(files.text(path) == file_with({entry_of("k")}));
    CHECK(files.done == std::vector<std::string>{"create b/epyc-4c", "lock b/epyc-4c", "write " + path, "unlock"});
}

TEST_CASE("baseline_store rounds what it records", "[baseline][unit]") {
    scripted_file_system files;
    const auto result =
        baseline_store(files, where).update(entry_of("k", {3214567, 3226867, 3202267}), at_five_percent);
    CHECK(values_of(result.after->processes) == std::vector<double>{3215000, 3227000, 3202000});
}

TEST_CASE("baseline_store updates several entries in one writing, and none where one cannot be stored",
          "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, where);
    const auto noisy = entry_of("noisy", {500, 600, 700, 800, 900, 1100, 1300, 1500, 1700, 2000});
    const auto results =
        store.update_all(std::array{entry_update{entry_of("b"), at_five_percent}, entry_update{noisy, at_five_percent},
                                    entry_update{entry_of("a"), at_five_percent}});
    REQUIRE(results.size() == 3);
    CHECK(results[0].decision.action == update_action::record);
    CHECK(results[1].decision.action == update_action::refuse);
    CHECK(results[2].after == entry_of("a"));
    CHECK(files.text(path) == file_with({entry_of("a"), entry_of("b")}));
    CHECK(std::ranges::count(files.done, "write " + path) == 1);

    const std::string before = files.text(path);
    const update_request all{baseline_update::all, {}, noisy_processes::refuse};
    CHECK_THROWS_AS(store.update_all(std::array{entry_update{entry_of("a", std::vector<double>(10, 2000)), all},
                                                entry_update{entry_of("c", {}), all}}),
                    input_error);
    CHECK(files.text(path) == before);
}

TEST_CASE("baseline_store touches nothing where the rule keeps or refuses", "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, where);
    const auto noisy = entry_of("k", {500, 600, 700, 800, 900, 1100, 1300, 1500, 1700, 2000});
    CHECK(store.update(noisy, at_five_percent).decision.action == update_action::refuse);
    CHECK(files.done.empty());
    CHECK(store.find("k").outcome == lookup_outcome::no_hardware);  // no empty folder makes the hardware known

    files.put(path, file_with({entry_of("k")}));
    const auto kept = store.update(entry_of("k", std::vector<double>(10, 1010)), at_five_percent);
    CHECK(kept.decision.action == update_action::keep);
    CHECK(kept.after == entry_of("k"));
    CHECK_FALSE(wrote(files));
}

TEST_CASE("baseline_store leaves the other entries byte for byte", "[baseline][unit]") {
    scripted_file_system files;
    files.put(path, file_with({entry_of("a"), entry_of("k"), entry_of("z")}));
    baseline_store(files, where).update(entry_of("k", std::vector<double>(10, 2000)), at_five_percent);
    CHECK(files.text(path) == file_with({entry_of("a"), entry_of("k", std::vector<double>(10, 2000)), entry_of("z")}));
}

TEST_CASE("baseline_store appends a session and keeps the digits of stored processes", "[baseline][unit]") {
    scripted_file_system files;
    std::vector<double> stored;
    for (int i = 0; i < 15; ++i) stored.push_back(1000.123456 + i);
    files.put(path, file_with({entry_of("k", stored)}));
    const std::vector<double> fresh(10,
                                    1010.123456);  // no spread of their own; together with the stored ones the MAD is 1
    baseline_entry measured = entry_of("k", fresh);
    for (stored_process& l : measured.processes) l.recording_session = "another day";
    const auto after = baseline_store(files, where).update(measured, {baseline_update::append, {}, {}}).after;
    REQUIRE(after->processes.size() == 25);
    CHECK(sessions_of(after->processes).size() == 2);
    CHECK(after->processes.front().value == 1000.123456);
    CHECK(after->processes.back().value == 1010.1);
}

TEST_CASE("baseline_store decides by the file as it is under the lock", "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, where);
    SECTION("another process recorded another key") {
        files.before_lock = [&] { files.put(path, file_with({entry_of("other")})); };
        store.update(entry_of("k"), at_five_percent);
        CHECK(files.text(path) == file_with({entry_of("k"), entry_of("other")}));
    }
    SECTION("another process recorded the same key") {
        files.before_lock = [&] { files.put(path, file_with({entry_of("k", std::vector<double>(10, 1001))})); };
        const auto result = store.update(entry_of("k"), {baseline_update::missing, {}, {}});
        CHECK(result.decision.action == update_action::keep);
        CHECK(result.before == entry_of("k", std::vector<double>(10, 1001)));
        CHECK(files.done == std::vector<std::string>{"create b/epyc-4c", "lock b/epyc-4c", "unlock"});
    }
    SECTION("another process left a broken file") {
        files.before_lock = [&] { files.put(path, "{"); };
        CHECK_THROWS_WITH(store.update(entry_of("k"), at_five_percent), StartsWith(path + ":1: the text ends here"));
        CHECK(files.text(path) == "{");
        CHECK(files.done.back() == "unlock");
    }
}

TEST_CASE("baseline_store updates no file that it cannot read", "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, where);
    files.put(path, "[]");
    CHECK_THROWS_WITH(store.update(entry_of("k"), at_five_percent), StartsWith(path + ":1: \"the file\" is a list"));
    files.refuse_reading(path, read_outcome::unreadable, "Permission denied");
    CHECK_THROWS_WITH(store.update(entry_of("k"), at_five_percent), StartsWith(path + ": Permission denied"));
    CHECK_FALSE(wrote(files));
}

TEST_CASE("baseline_store names the folder and the remedy where it cannot write", "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, where);
    SECTION("a folder that is not ours") {
        files.refuse_writes_below("b");
        CHECK_THROWS_RECORDED(std::exception, store.update(entry_of("k"), at_five_percent));
        CHECK_THROWS_AS(store.update(entry_of("k"), at_five_percent), unwritable_baselines);
    }
    SECTION("a folder that another process keeps") {
        files.hold_lock_elsewhere();
        check_recorded("2", message_of<std::exception>([&] { store.update(entry_of("k"), at_five_percent); }));
    }
}

TEST_CASE("baseline_store refuses invalid processes before it reads files", "[baseline][unit]") {
    scripted_file_system files;
    baseline_store store(files, where);
    CHECK_THROWS_RECORDED(std::exception, store.update(entry_of("k", {0}), at_five_percent));
    CHECK_THROWS_WITH(store.update(entry_of("k", {}), at_five_percent),
                      ContainsSubstring("the entry has no measurements"));
    CHECK(store.update(entry_of("k", std::vector<double>(45, 7)), at_five_percent).after->processes.size() == 40);
}

}  // namespace
}  // namespace perfspec
