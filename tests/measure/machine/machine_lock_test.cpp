// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/machine/machine_lock.hpp>

#include "support/captured_stream.hpp"
#include "support/scripted_clock.hpp"

#include <support/test.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace perfspec::testing;
using perfspec::machine_lock;

namespace {

class folder {
public:
    folder() : path_(std::filesystem::temp_directory_path() / ("perfspec-lock-" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string file() const { return perfspec::machine_lock_file(path_); }
    [[nodiscard]] std::string text() const {
        std::ostringstream all;
        all << std::ifstream(file()).rdbuf();
        return all.str();
    }

private:
    std::filesystem::path path_;
};

/// Runs an action of the test once, while it sleeps.
class acting_sleeper final : public perfspec::sleeper {
public:
    acting_sleeper(stepped_clock& time, void (*act)(void*), void* argument)
        : time_(time), act_(act), argument_(argument) {}
    void sleep(std::int64_t ns) override {
        time_.advance(std::chrono::nanoseconds(ns));
        if (auto* const act = std::exchange(act_, nullptr)) act(argument_);
    }

private:
    stepped_clock& time_;
    void (*act_)(void*);
    void* argument_;
};

}  // namespace

TEST_CASE("machine_lock_file lies in the folder for temporary files", "[measure][unit]") {
    CHECK(perfspec::machine_lock_file("") == "/tmp/perfspec-machine.lock");
    CHECK(perfspec::machine_lock_file("/scratch") == "/scratch/perfspec-machine.lock");
}

TEST_CASE("machine_lock holds a file that names the holder and that all users may lock", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    const mode_t mask = ::umask(077);
    {
        const machine_lock lock({f.file(), "vision_test"}, time, rest);
        CHECK(lock.held());
        CHECK(lock.note().empty());
        CHECK(f.text() == "process " + std::to_string(::getpid()) + " (vision_test)\n");
        struct stat s {};
        REQUIRE(::stat(f.file().c_str(), &s) == 0);
        CHECK((s.st_mode & 0777U) == 0666U);
    }
    ::umask(mask);
    CHECK(f.text().empty());
    CHECK(machine_lock({f.file(), "again"}, time, rest).held());
    CHECK(rest.slept().empty());
}

TEST_CASE("machine_lock replaces the name that a killed holder left", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    std::ofstream(f.file()) << "process 123456789 (a test with a rather long name, which was killed)\n";
    const machine_lock lock({f.file(), "x"}, time, rest);
    CHECK(f.text() == "process " + std::to_string(::getpid()) + " (x)\n");
}

TEST_CASE("machine_lock gives up after its time-out and says who holds the lock", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    const machine_lock first({f.file(), "vision_test"}, time, rest);
    const machine_lock second({f.file(), "kernel_test", 2s}, time, rest);
    CHECK_FALSE(second.held());
    CHECK(second.note() == "another measurement was running: process " + std::to_string(::getpid()) +
                               " (vision_test) held " + f.file() + ", and this one ran at the same time");
    CHECK(rest.slept() == std::vector<std::int64_t>(40, 50'000'000));
    CHECK(f.text() == "process " + std::to_string(::getpid()) + " (vision_test)\n");
}

TEST_CASE("machine_lock reports after two seconds for whom it waits", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    const machine_lock first({f.file(), "vision_test"}, time, rest);
    const auto told_in = [&](std::chrono::nanoseconds timeout) {
        const captured_stream console;
        const machine_lock second(
            {.file = f.file(), .program = "kernel_test", .timeout = timeout, .console = console.file()}, time, rest);
        return console.text();
    };
    CHECK(told_in(1950ms).empty());
    CHECK(told_in(30s) == "perfspec: waiting for another measurement to end: process " + std::to_string(::getpid()) +
                              " (vision_test) holds " + f.file() + ". After 30 s this one starts in any case\n");
    perfspec::lock_memory memory{.has_reported = true};
    const captured_stream console;
    const machine_lock again({f.file(), "kernel_test", 30s, &memory, console.file()}, time, rest);
    CHECK(console.text().empty());
}

TEST_CASE("machine_lock waits without a word where the console cannot be written", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    const machine_lock first({f.file(), "vision_test"}, time, rest);
    std::FILE* const console = std::fopen("/dev/null", "r");
    const machine_lock second({.file = f.file(), .program = "kernel_test", .timeout = 3s, .console = console}, time,
                              rest);
    std::fclose(console);
    CHECK_THAT(second.note(), Catch::Matchers::StartsWith("another measurement was running"));
}

TEST_CASE("machine_lock waits once for a holder that keeps the lock", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    perfspec::lock_memory memory;
    const auto note = [&] {
        return machine_lock({.file = f.file(), .program = "x", .memory = &memory}, time, rest).note();
    };
    {
        const machine_lock first({f.file(), "vision_test"}, time, rest);
        for (int i = 0; i < 2; ++i) {
            CHECK_THAT(note(), Catch::Matchers::EndsWith(", and this one ran at the same time"));
            CHECK(rest.slept().size() == 600);
        }
    }
    const machine_lock other({f.file(), "another_test"}, time, rest);
    CHECK_THAT(note(), Catch::Matchers::EndsWith(", and this one ran at the same time"));
    CHECK(rest.slept().size() == 1200);
}

TEST_CASE("machine_lock is free when its holder releases it, even if a forked process still has it open",
          "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    pid_t daemon = -1;
    {
        const machine_lock lock({f.file(), "prefork_test"}, time, rest);
        daemon = ::fork();
        if (daemon == 0) {
            for (;;) ::pause();
        }
    }
    CHECK(machine_lock({f.file(), "next", 0s}, time, rest).held());
    ::kill(daemon, SIGKILL);
    ::waitpid(daemon, nullptr, 0);
}

TEST_CASE("machine_lock is handed on in the order in which processes came", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    struct situation {
        std::string file;
        stepped_clock& time;
        stepped_sleeper& rest;
        std::unique_ptr<machine_lock> holder;
        bool later_is_held{};
    } s{f.file(), time, rest,
        std::make_unique<machine_lock>(perfspec::machine_lock_settings{f.file(), "holder"}, time, rest)};
    acting_sleeper meanwhile(
        time,
        [](void* to) {
            auto& now = *static_cast<situation*>(to);
            now.holder.reset();
            now.later_is_held = machine_lock({now.file, "holder again", 200ms}, now.time, now.rest).held();
        },
        &s);
    CHECK(machine_lock({f.file(), "waiting"}, time, meanwhile).held());
    CHECK_FALSE(s.later_is_held);
    CHECK(time.now() == 250'000'000);  // 200 ms of the later one, and one look
    CHECK(machine_lock({f.file(), "next", 0s}, time, rest).held());
}

TEST_CASE("machine_lock locks a new file when the old one was removed while it waited", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    auto first = std::make_unique<machine_lock>(perfspec::machine_lock_settings{f.file(), "first"}, time, rest);
    std::filesystem::remove(f.file());
    const machine_lock second({f.file(), "second"}, time, rest);
    CHECK(second.held());
    CHECK(f.text() == "process " + std::to_string(::getpid()) + " (second)\n");
    first.reset();
    CHECK(f.text() == "process " + std::to_string(::getpid()) + " (second)\n");
}

TEST_CASE("machine_lock that cannot be had is a note at once", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    const auto note_for = [&](const std::string& file) {
        const machine_lock lock({file, "x"}, time, rest);
        CHECK_FALSE(lock.held());
        CHECK(rest.slept().empty());
        return lock.note();
    };
    CHECK(note_for(f.file() + "/no/such/folder/x.lock") ==
          "the machine lock is not available, so another measurement may have run: " + f.file() +
              "/no/such/folder/x.lock: No such file or directory");
    std::filesystem::create_symlink("elsewhere", f.file());
    CHECK_THAT(note_for(f.file()), Catch::Matchers::ContainsSubstring("is not available"));
    std::filesystem::remove(f.file());
    REQUIRE(::mkfifo(f.file().c_str(), 0666) == 0);
    CHECK_THAT(note_for(f.file()), Catch::Matchers::EndsWith("is not a regular file with one name"));
}

TEST_CASE("machine_lock neither trusts nor empties what others wrote", "[measure][unit]") {
    const folder f;
    stepped_clock time;
    stepped_sleeper rest(time);
    std::ofstream(f.file()) << "\x1b[31mred";
    const int other = ::open(f.file().c_str(), O_RDWR);
    REQUIRE(::flock(other, LOCK_EX) == 0);
    const machine_lock lock({f.file(), "x", 0s}, time, rest);
    CHECK_THAT(lock.note(), Catch::Matchers::StartsWith("another measurement was running: an unknown process held"));
    CHECK(f.text() == "\x1b[31mred");
    ::close(other);
}
