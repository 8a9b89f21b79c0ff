// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The store on real files: what parallel, killed and forbidden updates leave behind.

#include "children.hpp"
#include "entries.hpp"
#include "temporary_folder.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/stat.h>
#include <time.h>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

const update_request everything{baseline_update::all, {}, noisy_launches::record};

baseline_address in(const temporary_folder& folder, const std::string& suite = "suite") {
    return {folder / "baselines", "epyc-4c", "", suite};
}

TEST_CASE("baseline_store loses no entry of 16 processes", "[baseline][process]") {
    constexpr int processes = 16;
    constexpr int keys = 3;
    const temporary_folder folder;
    std::vector<pid_t> children;
    for (int child = 0; child < processes; ++child) {
        children.push_back(start_child([&] {
            posix_file_system files;
            baseline_store store(files, in(folder));
            for (int key = 0; key < keys; ++key) store.update(entry_of(std::to_string(child) + " / " + std::to_string(key)), everything);
        }));
    }
    for (const pid_t child : children) CHECK(wait_for_child(child) == 0);
    posix_file_system files;
    const baseline_store store(files, in(folder));
    CHECK(store.load().file.entries.size() == processes * keys);
    CHECK(names_in(folder / "baselines/epyc-4c") == std::vector<std::string>{"suite.json"});  // no lock, no temporary file
}

void sleep_for(std::int64_t nanoseconds) {
    const timespec length{0, static_cast<long>(nanoseconds)};
    ::nanosleep(&length, nullptr);
}

TEST_CASE("baseline_store killed at any moment leaves the old file or the new one", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system files;
    baseline_store store(files, in(folder));
    const std::vector<double> old_values(10, 1000);
    const std::vector<double> new_values(10, 2000);
    baseline_file bystanders{"epyc-4c", "", "suite", {}};
    for (int i = 0; i < 200; ++i) bystanders.insert_or_replace(entry_of("bystander " + std::to_string(i)));
    files.create_folders(folder / "baselines/epyc-4c");
    files.write_atomically(store.path(), render_baseline_file(bystanders));
    store.update(entry_of("k", old_values), everything);
    std::mt19937_64 random{9};
    int new_ones = 0;
    for (int round = 0; round < 50; ++round) {
        const pid_t child = start_child([&] {
            posix_file_system own;
            baseline_store theirs(own, in(folder));
            for (;;) {
                theirs.update(entry_of("k", new_values), everything);
                theirs.update(entry_of("k", old_values), everything);
            }
        });
        sleep_for(static_cast<std::int64_t>(random() % 60'000'000));
        ::kill(child, SIGKILL);
        REQUIRE(wait_for_child(child) == -1);

        const auto after = store.load();
        CAPTURE(after.reason);
        REQUIRE(after.outcome == lookup_outcome::found);
        REQUIRE(after.file.entries.size() == 201);
        const auto values = values_of(after.file.find("k")->launches);
        REQUIRE((values == old_values || values == new_values));
        new_ones += values == new_values ? 1 : 0;
    }
    CAPTURE(new_ones);
    store.update(entry_of("k", old_values), everything);  // what the killed ones left does not stand in the way
    CHECK(names_in(folder / "baselines/epyc-4c") == std::vector<std::string>{"suite.json"});
}

TEST_CASE("baseline_store works where a process was killed while writing", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system files;
    baseline_store store(files, in(folder));
    files.create_folders(folder / "baselines/epyc-4c");
    std::ofstream(folder / "baselines/epyc-4c/.suite.json.tmp") << "{\"schema_version\": 1, \"hard";
    CHECK(store.find("k").outcome == lookup_outcome::no_file);
    store.update(entry_of("k"), everything);
    CHECK(names_in(folder / "baselines/epyc-4c") == std::vector<std::string>{"suite.json"});
}

TEST_CASE("baseline_store keeps hostile names in its folder", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system files;
    const std::vector<std::string> names{"../../escaped",
                                         "/tmp/escaped",
                                         "..",
                                         ".",
                                         "",
                                         "a\nb",
                                         "\"quoted\"",
                                         "\U0001F680",
                                         std::string(5000, 'x'),
                                         std::string("nul\0inside", 10),
                                         "-rf",
                                         "con.json"};
    for (const auto& name : names) {
        baseline_store store(files, {folder / "baselines", name, name, name});
        store.update(entry_of("../" + name), everything);
        CHECK(store.find("../" + name).outcome == lookup_outcome::found);
    }
    CHECK(names_in(folder.path()) == std::vector<std::string>{"baselines"});
    CHECK(names_in(folder / "baselines").size() == names.size());
}

TEST_CASE("baseline_store refuses a file above the limit without reading it", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system files;
    const baseline_store store(files, in(folder));
    files.create_folders(folder / "baselines/epyc-4c");
    std::ofstream(store.path()) << "{";
    std::filesystem::resize_file(store.path(), baseline_file::most_bytes + 1);  // a hole: no disk is used
    const auto found = store.find("k");
    CHECK(found.outcome == lookup_outcome::unreadable);
    CHECK_THAT(found.reason, ContainsSubstring("has more than 67108864 bytes"));
}

TEST_CASE("baseline_store says which folder it may not write", "[baseline][process]") {
    posix_file_system files;
    baseline_store nowhere(files, {"/proc/baselines", "epyc-4c", "", "suite"});  // nobody creates folders there, not even root
    CHECK_THROWS_WITH(nowhere.update(entry_of("k"), everything), ContainsSubstring("cannot update /proc/baselines/epyc-4c/suite.json: ") &&
                                                                     ContainsSubstring("mend \"/proc/baselines\""));
    if (::geteuid() == 0) SKIP("root writes into every folder of a disk");
    const temporary_folder folder;
    baseline_store store(files, in(folder));
    store.update(entry_of("a"), everything);
    REQUIRE(::chmod((folder / "baselines/epyc-4c").c_str(), 0555) == 0);
    CHECK_THROWS_WITH(store.update(entry_of("k"), everything), ContainsSubstring("Permission denied"));
    REQUIRE(::chmod((folder / "baselines/epyc-4c").c_str(), 0755) == 0);
}

}  // namespace
}  // namespace perfspec
