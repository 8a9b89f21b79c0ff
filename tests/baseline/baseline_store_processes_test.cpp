// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The store on real files: what parallel, killed and forbidden updates leave behind.

#include "children.hpp"
#include "entries.hpp"
#include "support/temporary_folder.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <support/test.hpp>

#include <random>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec {
namespace {

using namespace testing;

const update_request everything{baseline_update::all, {}, noisy_processes::record};

baseline_address in(const temporary_folder& folder, const std::string& suite = "suite") {
    return {folder / "baselines", "epyc-4c", "", suite};
}

TEST_CASE("baseline_store loses no entry of 16 processes", "[baseline][process]") {
    constexpr std::size_t processes = 16;
    constexpr std::size_t keys = 3;
    const temporary_folder folder;
    std::vector<pid_t> children;
    for (std::size_t child = 0; child < processes; ++child) {
        children.push_back(start_child([&] {
            posix_file_system files;
            baseline_store store(files, in(folder));
            for (std::size_t key = 0; key < keys; ++key)
                store.update(entry_of(std::to_string(child) + " / " + std::to_string(key)), everything);
        }));
    }
    for (const pid_t child : children) CHECK(wait_for_child(child) == 0);
    posix_file_system files;
    const baseline_store store(files, in(folder));
    CHECK(store.load().file.entries.size() == processes * keys);
    CHECK(names_in(folder / "baselines/epyc-4c") ==
          std::vector<std::string>{"suite.json"});  // no lock, no temporary file
}

const std::vector<double> old_values(10, 1000);
const std::vector<double> new_values(10, 2000);

/// Updates one key for ever, from the old values to the new ones and back. Writes a byte to the pipe after each update.
pid_t start_restless_writer(const baseline_address& where, int pipe_end) {
    return start_child([&] {
        posix_file_system files;
        baseline_store store(files, where);
        for (bool odd = true;; odd = !odd) {
            store.update(entry_of("k", odd ? new_values : old_values), everything);
            if (::write(pipe_end, "u", 1) != 1) throw std::runtime_error("the test is gone");
        }
    });
}

/// Lets `finished` updates end, then kills the writer in the next one: after a part of the time that the last one took.
void kill_during_an_update(pid_t writer, int pipe_end, int finished, double part) {
    using clock = std::chrono::steady_clock;
    auto began = clock::now();
    clock::duration last{};
    for (int i = 0; i < finished; ++i) {
        char done = 0;
        REQUIRE(::read(pipe_end, &done, 1) == 1);
        last = clock::now() - std::exchange(began, clock::now());
    }
    std::this_thread::sleep_for(part * last);
    REQUIRE(::kill(writer, SIGKILL) == 0);
    REQUIRE(wait_for_child(writer) == -1);
}

TEST_CASE("baseline_store killed at any moment leaves the old file or the new one", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system files;
    baseline_store store(files, in(folder));
    baseline_file bystanders{"epyc-4c", "", "suite", {}};
    for (int i = 0; i < 20; ++i) bystanders.insert_or_replace(entry_of("bystander " + std::to_string(i)));
    files.create_folders(folder / "baselines/epyc-4c");
    files.write_atomically(store.path(), render_baseline_file(bystanders));
    std::mt19937_64 random{9};
    std::uniform_real_distribution<double> part(0, 1);
    for (int round = 0; round < 200; ++round) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        const pid_t writer = start_restless_writer(in(folder), ends[1]);
        kill_during_an_update(writer, ends[0], 1 + round % 2, part(random));
        ::close(ends[0]);
        ::close(ends[1]);

        const auto after = store.load();
        CAPTURE(round, after.reason);
        REQUIRE(after.outcome == lookup_outcome::found);
        REQUIRE(after.file.entries.size() == 21);
        const auto values = values_of(after.file.find("k")->processes);
        REQUIRE((values == old_values || values == new_values));
    }
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
    std::filesystem::resize_file(store.path(), baseline_file::max_bytes + 1);  // a hole: no disk is used
    const auto found = store.find("k");
    CHECK(found.outcome == lookup_outcome::unreadable);
    CHECK_THAT(found.reason, ContainsSubstring("has more than 536870912 bytes"));
}

TEST_CASE("baseline_store says which folder it may not write", "[baseline][process]") {
    posix_file_system files;
    baseline_store nowhere(files, {"/proc/baselines", "epyc-4c", "", "suite"});  // not even root creates folders there
    CHECK_THROWS_RECORDED(std::exception, nowhere.update(entry_of("k"), everything));
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
