// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "children.hpp"
#include "support/temporary_folder.hpp"

#include <perfspec/baseline/file_system.hpp>

#include <support/test.hpp>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace perfspec {
namespace {

using namespace testing;

constexpr std::size_t plenty = 1 << 20;

TEST_CASE("posix_file_system distinguishes one file from a copy of it and from another", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.write_atomically(folder / "a", std::string(200'000, 'a'));
    files.write_atomically(folder / "copy", std::string(200'000, 'a'));
    files.write_atomically(folder / "changed", std::string(199'999, 'a') + 'b');
    files.write_atomically(folder / "longer", std::string(200'001, 'a'));
    std::filesystem::create_symlink(folder / "a", folder / "link");
    CHECK(files.compare(folder / "a", folder / "a") == binary_identity::same_file);
    CHECK(files.compare(folder / "a", folder / "link") == binary_identity::same_file);
    CHECK(files.compare(folder / "a", folder / "copy") == binary_identity::same_bytes);
    for (const char* const other : {"changed", "longer", "nowhere", "."})
        CHECK(files.compare(folder / "a", folder / other) == binary_identity::different);
}

TEST_CASE("posix_file_system lists the names in a folder, sorted", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    for (const char* const name : {"b", "a", "c"}) files.write_atomically(folder / name, "");
    CHECK(files.names_in(folder.path()) == std::vector<std::string>{"a", "b", "c"});
    CHECK(files.names_in(folder / "a").empty());
    CHECK(files.names_in(folder / "nowhere").empty());
}

TEST_CASE("posix_file_system reads back what it wrote", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    const std::string text("a\0b\xff\n", 5);
    files.write_atomically(folder / "x.json", "old and longer");
    files.write_atomically(folder / "x.json", text);
    CHECK(files.read(folder / "x.json", plenty).text == text);
    CHECK(names_in(folder.path()) == std::vector<std::string>{"x.json"});
}

TEST_CASE("posix_file_system distinguishes the reasons for not reading", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.write_atomically(folder / "ten", "0123456789");
    const auto outcome = [&](const std::string& path, std::size_t maximum) {
        return files.read(path, maximum).outcome;
    };
    CHECK(outcome(folder / "ten", 10) == read_outcome::complete);
    CHECK(outcome(folder / "ten", 9) == read_outcome::too_large);
    CHECK(outcome(folder / "none", 10) == read_outcome::missing);
    CHECK(outcome(folder / "none/below", 10) == read_outcome::missing);
    CHECK(outcome(folder / "ten/below", 10) == read_outcome::missing);
    CHECK(outcome(folder.path(), 10) == read_outcome::unreadable);
    CHECK(outcome("/dev/zero", 10) == read_outcome::unreadable);
}

TEST_CASE("posix_file_system does not wait for a pipe", "[baseline][unit]") {
    const temporary_folder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(posix_file_system().read(folder / "pipe", plenty).reason == "Not a regular file");
}

TEST_CASE("posix_file_system reads files that do not report their size", "[baseline][unit]") {
    posix_file_system files;
    if (files.read("/proc/self/status", plenty).outcome == read_outcome::missing) SKIP("there is no /proc here");
    CHECK_THAT(files.read("/proc/self/status", plenty).text, StartsWith("Name:"));
    CHECK(files.read("/proc/self/status", 10).outcome == read_outcome::too_large);
}

TEST_CASE("posix_file_system does not read beyond the permissions", "[baseline][unit]") {
    if (::geteuid() == 0) SKIP("root reads everything");
    const temporary_folder folder;
    posix_file_system files;
    files.write_atomically(folder / "x", "text");
    REQUIRE(::chmod((folder / "x").c_str(), 0) == 0);
    CHECK(files.read(folder / "x", plenty).outcome == read_outcome::unreadable);
}

TEST_CASE("posix_file_system keeps the permissions of what it replaces", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.write_atomically(folder / "x", "old");
    REQUIRE(::chmod((folder / "x").c_str(), 0640) == 0);
    files.write_atomically(folder / "x", "new");
    struct stat facts {};
    REQUIRE(::stat((folder / "x").c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777U) == 0640U);
}

TEST_CASE("posix_file_system takes over the temporary file of a killed writer", "[baseline][unit]") {
    const temporary_folder folder;
    std::ofstream(folder / ".x.json.tmp") << "half a file, and longer than the whole one";
    posix_file_system().write_atomically(folder / "x.json", "whole");
    CHECK(posix_file_system().read(folder / "x.json", plenty).text == "whole");
    CHECK(names_in(folder.path()) == std::vector<std::string>{"x.json"});
}

TEST_CASE("posix_file_system never writes through a link that lies in the way", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.write_atomically(folder / "precious", "precious");
    std::filesystem::create_symlink(folder / "precious", folder / ".x.json.tmp");
    CHECK_THROWS_AS(files.write_atomically(folder / "x.json", "text"), file_error);
    CHECK(files.read(folder / "precious", plenty).text == "precious");
}

TEST_CASE("posix_file_system refuses to replace a symbolic link", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.write_atomically(folder / "real", "old");
    for (const char* const target : {"real", "nowhere"}) {
        const std::string link = folder / (std::string("to_") + target);
        std::filesystem::create_symlink(target, link);
        CHECK_THROWS_WITH(files.write_atomically(link, "new"),
                          ContainsSubstring("is a symbolic link, and an update would replace it"));
        CHECK(std::filesystem::is_symlink(link));
    }
    CHECK(files.read(folder / "real", plenty).text == "old");
}

TEST_CASE("posix_file_system locks a folder that a symbolic link names", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.create_folders(folder / "store");
    std::filesystem::create_symlink("store", folder / "link");
    const auto held = files.lock(folder / "link", 10s);
    CHECK_THROWS_AS(files.lock(folder / "store", 1ms), file_error);
}

TEST_CASE("posix_file_system leaves the old file where it cannot write the new one", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.create_folders(folder / "x.json");  // a folder cannot be replaced by a file
    CHECK_THROWS_WITH(files.write_atomically(folder / "x.json", "text"), ContainsSubstring("x.json: "));
    CHECK(names_in(folder.path()) == std::vector<std::string>{"x.json"});
}

TEST_CASE("posix_file_system says what it could not write, and why", "[baseline][unit]") {
    posix_file_system files;  // not even root creates files in /proc
    CHECK_THROWS_WITH(files.write_atomically("/proc/x.json", "text"), StartsWith("/proc/.x.json.tmp: "));
    CHECK_THROWS_WITH(files.create_folders("/proc/x/y"), StartsWith("/proc/x/y: "));
    CHECK_THROWS_WITH(files.append_line("/proc/x", "text"), StartsWith("/proc/x: "));
    CHECK_THROWS_WITH(files.lock("/proc/none/x", 1ms), StartsWith("/proc/none/x: "));
}

TEST_CASE("posix_file_system lets parallel writers of one file wait for each other", "[baseline][process]") {
    const temporary_folder folder;
    const std::string path = folder / "x";
    std::vector<pid_t> children;
    for (char name = 'a'; name < 'e'; ++name) {
        children.push_back(start_child([&] {
            for (int i = 0; i < 25; ++i) posix_file_system().write_atomically(path, std::string(20000, name));
        }));
    }
    for (const pid_t child : children) CHECK(wait_for_child(child) == 0);
    const auto text = posix_file_system().read(path, plenty).text;
    CHECK(text == std::string(20000, text.empty() ? '?' : text.front()));
    CHECK(names_in(folder.path()) == std::vector<std::string>{"x"});
}

TEST_CASE("posix_file_system appends whole lines", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.append_line(folder / "log", "one");
    files.append_line(folder / "log", "two");
    CHECK(files.read(folder / "log", plenty).text == "one\ntwo\n");
    CHECK_THROWS_WITH(files.append_line(folder / "log", "a\nb"), ContainsSubstring("contains a line break"));
}

TEST_CASE("posix_file_system begins a new line after one that was cut", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    std::ofstream(folder / "log") << "whole\nhalf";
    files.append_line(folder / "log", "one");
    files.append_line(folder / "log", "two");
    CHECK(files.read(folder / "log", plenty).text == "whole\nhalf\none\ntwo\n");
}

TEST_CASE("posix_file_system takes back what a full disk took of a line", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system().append_line(folder / "log", std::string(49, 'a'));
    const pid_t child = start_child([&] {
        const rlimit full{100, 100};
        ::setrlimit(RLIMIT_FSIZE, &full);
        ::signal(SIGXFSZ, SIG_IGN);
        posix_file_system().append_line(folder / "log", std::string(49, 'b'));
        try {
            posix_file_system().append_line(folder / "log", std::string(20, 'c'));
            ::_exit(2);
        } catch (const file_error&) {}
    });
    CHECK(wait_for_child(child) == 0);
    CHECK(posix_file_system().read(folder / "log", plenty).text ==
          std::string(49, 'a') + "\n" + std::string(49, 'b') + "\n");
    const pid_t half = start_child([&] {
        const rlimit full{110, 110};
        ::setrlimit(RLIMIT_FSIZE, &full);
        ::signal(SIGXFSZ, SIG_IGN);
        posix_file_system().append_line(folder / "log", std::string(20, 'd'));
    });
    CHECK(wait_for_child(half) == 1);
    CHECK(posix_file_system().read(folder / "log", plenty).text.size() == 100);
}

TEST_CASE("posix_file_system appends to no pipe, which would wait for a reader", "[baseline][unit]") {
    const temporary_folder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK_THROWS_WITH(
        posix_file_system().append_line(folder / "pipe", "text"),
        EndsWith("pipe: is not a regular file: write to one, such as results.jsonl, and copy it from there"));
}

TEST_CASE("posix_file_system waits for no reader of a pipe in the place of its temporary file", "[baseline][unit]") {
    const temporary_folder folder;
    REQUIRE(::mkfifo((folder / ".x.json.tmp").c_str(), 0600) == 0);
    CHECK_THROWS_AS(posix_file_system().write_atomically(folder / "x.json", "text"), file_error);
}

TEST_CASE("posix_file_system loses no line of another process where one is killed while it writes",
          "[baseline][process]") {
    const temporary_folder folder;
    constexpr std::size_t long_line = 1 << 20;
    for (int round = 0; round < 20; ++round) {
        const pid_t child = start_child([&] {
            for (;;) posix_file_system().append_line(folder / "log", std::string(long_line, 'k'));
        });
        while (std::filesystem::exists(folder / "log")
                   ? std::filesystem::file_size(folder / "log") < (round + 1) * long_line / 2
                   : true)
            std::this_thread::yield();
        ::kill(child, SIGKILL);
        CHECK(wait_for_child(child) == -1);
        posix_file_system().append_line(folder / "log", "survivor");
    }
    std::ifstream log(folder / "log");
    int survivors = 0;
    for (std::string line; std::getline(log, line);) {
        survivors += line == "survivor" ? 1 : 0;
        CHECK((line == "survivor" || line == std::string(line.size(), 'k')));
    }
    CHECK(survivors == 20);
}

TEST_CASE("posix_file_system says when a disk takes half a line", "[baseline][unit]") {
    if (posix_file_system().read("/dev/full", 1).outcome == read_outcome::missing) SKIP("there is no /dev/full here");
    CHECK_THROWS_WITH(posix_file_system().append_line("/dev/full", "text"), ContainsSubstring("No space left"));
}

TEST_CASE("posix_file_system does not mix the lines of parallel processes", "[baseline][unit]") {
    const temporary_folder folder;
    std::vector<pid_t> children;
    for (char name = 'a'; name < 'i'; ++name) {
        children.push_back(start_child([&] {
            for (int i = 0; i < 50; ++i) posix_file_system().append_line(folder / "log", std::string(5000, name));
        }));
    }
    for (const pid_t child : children) CHECK(wait_for_child(child) == 0);
    std::ifstream log(folder / "log");
    std::size_t whole = 0;
    for (std::string line; std::getline(log, line);) whole += line == std::string(5000, line.front()) ? 1 : 0;
    CHECK(whole == 400);
}

TEST_CASE("posix_file_system locks a folder for one holder at a time", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    {
        const auto held = files.lock(folder.path(), 1s);
        CHECK_THROWS_WITH(files.lock(folder.path(), 10ms),
                          ContainsSubstring("is locked by another process, which did not release it in time"));
        CHECK(names_in(folder.path()).empty());  // no lock file
    }
    CHECK_NOTHROW(files.lock(folder.path(), 10ms));
}

TEST_CASE("posix_file_system releases a lock that a forked process holds open, too", "[baseline][process]") {
    const temporary_folder folder;
    posix_file_system files;
    pid_t daemon = -1;
    {
        const auto held = files.lock(folder.path(), 1s);
        daemon = start_child([] { ::pause(); });
    }
    CHECK_NOTHROW(files.lock(folder.path(), 10ms));
    ::kill(daemon, SIGKILL);
    CHECK(wait_for_child(daemon) == -1);
}

TEST_CASE("posix_file_system locks the folder that the path names now", "[baseline][unit]") {
    const temporary_folder folder;
    posix_file_system files;
    files.create_folders(folder / "b");
    const auto old = files.lock(folder / "b", 1s);
    std::filesystem::rename(folder / "b", folder / "c");  // as a checkout of another branch does
    files.create_folders(folder / "b");
    CHECK_NOTHROW(files.lock(folder / "b", 10ms));
    CHECK_THROWS_AS(files.lock(folder / "c", 10ms), file_error);
}

}  // namespace
}  // namespace perfspec
