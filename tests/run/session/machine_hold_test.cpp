// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The machine's lock around what an assertion measures, here or in fresh processes.
#include "../scripted_run.hpp"

#include <perfspec/measure/machine/machine_lock.hpp>

#include <support/temporary_folder.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;

/// The lock as another program sees and takes it.
class other_program {
public:
    explicit other_program(const std::string& file) : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT, 0666)) {}
    other_program(const other_program&) = delete;
    other_program& operator=(const other_program&) = delete;
    ~other_program() { ::close(descriptor_); }

    [[nodiscard]] bool takes_lock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }
    void gives_back() const { ::flock(descriptor_, LOCK_UN); }

private:
    int descriptor_;
};

}  // namespace

TEST_CASE("a process holds the machine's lock for the fresh process that it starts", "[run][unit]") {
    const temporary_folder folder;
    const other_program other(machine_lock_file(folder.path().c_str()));
    int started = 0;
    scripted_run program([&](const child_command&) {
        ++started;
        CHECK_FALSE(other.takes_lock());
        return launch_of(2.0);
    });
    program.variables["TMPDIR"] = folder.path();
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    static_cast<void>(program.context().facts_of(program.wall));  // while that clock still ticks
    const auto a = program.takes("a", 1ms);
    REQUIRE(program.evaluate(speedup(a, program.takes("b", 1ms)) > 1.9, {launches(7)}).verdict == verdict::holds);
    CHECK(started == 7);
    CHECK(other.takes_lock());
}

TEST_CASE("a claim waits once for a holder that never lets go, says so, and does not count it as its own time",
          "[run][unit]") {
    const temporary_folder folder;
    const other_program other(machine_lock_file(folder.path().c_str()));
    REQUIRE(other.takes_lock());
    scripted_run program(launches_of(2.0, 7));
    program.variables["TMPDIR"] = folder.path();
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    static_cast<void>(program.context().facts_of(program.wall));  // while that clock still ticks
    const auto a = program.takes("a", 1ms);
    const record r = program.evaluate(speedup(a, program.takes("b", 1ms)) > 1.9, {launches(7)});
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.evidence.seconds, WithinRel(7 * 0.25, 1e-9));
    CHECK(program.wall.now() > std::chrono::nanoseconds(300s).count());
    CHECK(program.wall.now() < std::chrono::nanoseconds(301s).count());
    REQUIRE(r.disturbed.notes.size() == 2);
    CHECK_THAT(r.disturbed.notes[0],
               ContainsSubstring("another measurement was running") && ContainsSubstring("for 300 s"));
    CHECK_THAT(r.disturbed.notes[1],
               ContainsSubstring("and this program, which had waited before, measured at the same time"));

    const std::int64_t before = program.wall.now();
    const record own = program.evaluate(latency(a) < 1s, {budget(1s)});
    INFO(own.reason);
    CHECK(own.verdict == verdict::holds);
    CHECK(program.wall.now() - before < std::chrono::nanoseconds(2s).count());
    CHECK(own.evidence.seconds < 2.0);
}

TEST_CASE("the first claim to wait does not count it as its own time either", "[run][unit]") {
    const temporary_folder folder;
    const other_program other(machine_lock_file(folder.path().c_str()));
    REQUIRE(other.takes_lock());
    scripted_run program({confirms(verdict::violated)});
    program.variables["TMPDIR"] = folder.path();
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    static_cast<void>(program.context().facts_of(program.wall));
    const record r = program.evaluate(latency(program.takes("a", 1ms)) < 1us, {budget(1s)});
    INFO(r.reason);
    CHECK(r.verdict == verdict::violated);
    CHECK(program.wall.now() > std::chrono::nanoseconds(300s).count());
    CHECK(r.evidence.seconds < 2.0);
}

}  // namespace perfspec
