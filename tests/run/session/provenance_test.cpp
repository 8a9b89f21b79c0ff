// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/measure/machine/machine_lock.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/temporary_folder.hpp>

#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec {
namespace {

using namespace testing;

const std::string first_commit(40, 'a');
const std::string second_commit(40, 'b');

/// The provenance of a program in /project/build.
provenance in(scripted_run& program) {
    program.start.working_directory = "/project/build";
    return read_provenance(program.context().system());
}

}  // namespace

TEST_CASE("provenance comes from the variables of CI systems", "[run][unit]") {
    const auto [variables, expected] = GENERATE(table<std::map<std::string, std::string>, provenance>({
        {{{"GITHUB_SHA", "c1"}, {"GITHUB_REF_NAME", "main"}, {"GITHUB_RUN_ID", "7"}}, {"c1", "main", "7", {}}},
        {{{"GITHUB_SHA", "c1"}, {"GITHUB_HEAD_REF", "topic"}, {"GITHUB_REF_NAME", "7/merge"}}, {"c1", "topic", "", {}}},
        {{{"GITHUB_SHA", "c1"}, {"GITHUB_HEAD_REF", ""}, {"GITHUB_REF_NAME", "main"}}, {"c1", "main", "", {}}},
        {{{"CI_COMMIT_SHA", "c2"}, {"CI_COMMIT_REF_NAME", "dev"}, {"CI_PIPELINE_ID", "8"}}, {"c2", "dev", "8", {}}},
        {{{"PERFSPEC_RUN_ID", "mine"}, {"GITHUB_RUN_ID", "7"}}, {"", "", "mine", {}}},
        {{{"GITHUB_RUN_ID", "7"}, {"GITHUB_RUN_ATTEMPT", "1"}}, {"", "", "7", {}}},
        {{{"GITHUB_RUN_ID", "7"}, {"GITHUB_RUN_ATTEMPT", "2"}}, {"", "", "7-2", {}}},
        {{{"PERFSPEC_RUN_ID", "mine"}, {"GITHUB_RUN_ID", "7"}, {"GITHUB_RUN_ATTEMPT", "2"}}, {"", "", "mine", {}}},
        {{}, {"", "", "", {}}},
    }));
    scripted_run program;
    program.variables = variables;
    const provenance p = in(program);
    CHECK(p.commit == expected.commit);
    CHECK(p.branch == expected.branch);
    CHECK(p.run_id == expected.run_id);
    CHECK_FALSE(p.host.empty());
    CHECK(program.launcher.commands().empty());
}

TEST_CASE(
    "starter_of is the process that starts all programs of a run, and of a program that is started in a terminal itself",
    "[run][unit]") {
    const auto stat = [](const std::string& name, int group, int session, int terminal, const std::string& start) {
        return "4711 (" + name + ") S 1 " + std::to_string(group) + " " + std::to_string(session) + " " +
               std::to_string(terminal) + " -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 " + start + " 1000 200\n";
    };
    const auto [parent, starter] = GENERATE_COPY(table<std::string, const char*>({
        {stat("ctest", 4711, 90, 34816, "1834512"), "4711 1834512"},
        {stat("a) S 9 9 9", 4711, 90, 0, "1834512"), "4711 1834512"},
        {stat("sh", 4711, 4711, 0, "1834512"),
         "4711 1834512"},  // of a service: it may start several programs of one run
        {stat("bash", 4711, 4711, 34816, "1834512"), "4999 1900000"},
        {"", "4711"},
    }));
    scripted_file_system files;
    if (!parent.empty()) files.put("/proc/4711/stat", parent);
    files.put("/proc/4999/stat", stat("sort_test", 4999, 4711, 34816, "1900000"));
    CHECK(starter_of(files, 4999, 4711) == starter);
}

TEST_CASE("provenance comes from the nearest .git folder, without a process", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/.git/HEAD", "ref: refs/heads/topic/fast\n");
    program.files.put("/project/.git/refs/heads/topic/fast", first_commit + "\n");
    const provenance p = in(program);
    CHECK(p.commit == first_commit);
    CHECK(p.branch == "topic/fast");
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("provenance knows packed references", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/.git/HEAD", "ref: refs/heads/main\n");
    program.files.put("/project/.git/packed-refs", "# pack-refs with: peeled\n" + second_commit +
                                                       " refs/heads/main-2\n" + first_commit + " refs/heads/main\n" +
                                                       second_commit + " refs/tags/v1\n");
    CHECK(in(program).commit == first_commit);
}

TEST_CASE("provenance of a detached head is its commit without a branch", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/.git/HEAD", first_commit + "\n");
    const provenance p = in(program);
    CHECK(p.commit == first_commit);
    CHECK(p.branch.empty());
}

TEST_CASE("provenance of a worktree is in the folder that it links", "[run][unit]") {
    const std::string link = GENERATE("gitdir: /main/.git/worktrees/w\n", "gitdir: ../main/.git/worktrees/w\n");
    scripted_run program;
    program.files.put("/project/.git", link);
    const std::string folder =
        link.find("..") == std::string::npos ? "/main/.git/worktrees/w" : "/project/../main/.git/worktrees/w";
    program.files.put(folder + "/HEAD", "ref: refs/heads/w\n");
    program.files.put(folder + "/commondir", "../..\n");
    program.files.put(folder + "/../../refs/heads/w", first_commit + "\n");
    const provenance p = in(program);
    CHECK(p.commit == first_commit);
    CHECK(p.branch == "w");
}

TEST_CASE("provenance prefers CI's variables to .git", "[run][unit]") {
    scripted_run program;
    program.variables = {{"GITHUB_SHA", "c1"}, {"GITHUB_REF_NAME", "main"}};
    program.files.put("/project/.git/HEAD", "ref: refs/heads/other\n");
    program.files.put("/project/.git/refs/heads/other", first_commit + "\n");
    const provenance p = in(program);
    CHECK(p.commit == "c1");
    CHECK(p.branch == "main");
}

TEST_CASE("provenance of a branch without a commit has none", "[run][unit]") {
    scripted_run program;
    program.files.put("/project/.git/HEAD", "ref: refs/heads/new\n");
    const provenance p = in(program);
    CHECK(p.commit.empty());
    CHECK(p.branch == "new");
}

TEST_CASE("has_uncommitted_changes is what git says", "[run][unit]") {
    const auto [end, changes] = GENERATE(table<child_end, std::optional<bool>>({
        {{.how = child_outcome::exited, .code = 0, .result = {}, .last_words = {}, .seconds = 0.1}, false},
        {{.how = child_outcome::exited, .code = 0, .result = {}, .last_words = " M sort.cpp\n", .seconds = 0.1}, true},
        {{.how = child_outcome::exited,
          .code = 128,
          .result = {},
          .last_words = "fatal: not a git repository",
          .seconds = 0.1},
         std::nullopt},
        {{.how = child_outcome::not_started, .code = 2, .result = {}, .last_words = {}, .seconds = 0.0}, std::nullopt},
    }));
    scripted_run program({end});
    CHECK(has_uncommitted_changes(program.context().system()) == changes);
    CHECK(program.launcher.commands().at(0).working_directory == "/project");
    CHECK_THAT(program.launcher.commands().at(0).arguments.at(1),
               ContainsSubstring("--no-optional-locks"));  // hands off the user's index
}

TEST_CASE("has_uncommitted_changes ignores the warnings of git", "[run][unit]") {
    const temporary_folder folder;
    const std::string git = folder.path() + "/git";
    std::ofstream(git) << "#!/bin/sh\necho 'warning: unable to access a configuration file' >&2\n";
    REQUIRE(::chmod(git.c_str(), 0755) == 0);
    scripted_run program([](const child_command& command) { return posix_launcher().run(command, {}); });
    program.start.working_directory = folder.path();
    program.start.environment = {{"PATH", folder.path() + ":/bin:/usr/bin"}};
    CHECK(has_uncommitted_changes(program.context().system()) == false);
    std::ofstream(git, std::ios::app) << "echo ' M sort.cpp'\n";
    CHECK(has_uncommitted_changes(program.context().system()) == true);
}

TEST_CASE("a record that is written says whether the working tree differs from its commit", "[run][unit]") {
    const child_end changed{
        .how = child_outcome::exited, .code = 0, .result = {}, .last_words = " M sort.cpp\n", .seconds = 0.1};
    scripted_run program({changed});  // one end: git runs once
    program.variables["PERFSPEC_OUTPUT"] = "/project/results.jsonl";
    program.files.put("/project/.git/HEAD", first_commit + "\n");
    CHECK(program.evaluate(latency(program.takes("sort", 1ms)) < 3ms).dirty);
    CHECK(program.evaluate(latency(program.takes("sort", 1ms)) < 4ms, {key("other")}).dirty);
    CHECK_THAT(program.files.text("/project/results.jsonl"), ContainsSubstring("\"dirty\":true"));
}

TEST_CASE("a record that is written names its file from the root on", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_OUTPUT"] = "../results.jsonl";
    program.start.working_directory = "/project/build";
    CHECK(program.evaluate(latency(program.takes("sort", 1ms)) < 3ms).verdict == verdict::holds);
    CHECK_THAT(program.files.text("/project/results.jsonl"),
               ContainsSubstring("\"output\":\"/project/results.jsonl\""));
    CHECK_THAT(program.context().summary(), EndsWith("perfspec: results are appended to /project/results.jsonl\n"));
}

TEST_CASE("results in a file that was named from the root on need no line of their own", "[run][unit]") {
    scripted_run program;
    program.variables["PERFSPEC_OUTPUT"] = "/project/results.jsonl";
    (void)program.evaluate(latency(program.takes("sort", 1ms)) < 3ms);
    CHECK_THAT(program.context().summary(), !ContainsSubstring("results.jsonl"));
}

TEST_CASE("git is not asked where no record is written, nor where no commit is known", "[run][unit]") {
    scripted_run quiet;
    quiet.files.put("/project/.git/HEAD", first_commit + "\n");
    CHECK_FALSE(quiet.evaluate(latency(quiet.takes("sort", 1ms)) < 3ms).dirty);
    scripted_run foreign;
    foreign.variables["PERFSPEC_OUTPUT"] = "/project/results.jsonl";
    CHECK_FALSE(foreign.evaluate(latency(foreign.takes("sort", 1ms)) < 3ms).dirty);
}

namespace {

/// Another program that checks and takes the lock.
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
    const other_program other(machine_lock_file(folder.path()));
    int started = 0;
    scripted_run program([&](const child_command&) {
        ++started;
        CHECK_FALSE(other.takes_lock());
        return process_of(2.0);
    });
    program.variables["TMPDIR"] = folder.path();
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    static_cast<void>(program.context().facts_of(program.wall));  // while that clock still ticks
    const auto a = program.takes("a", 1ms);
    REQUIRE(program.evaluate(speedup(a, program.takes("b", 1ms)) > 1.9, {processes(7)}).verdict == verdict::holds);
    CHECK(started == 7);
    CHECK(other.takes_lock());
}

TEST_CASE("a claim waits once for a holder that never lets go, says so, and does not count it as its own time",
          "[run][unit]") {
    const temporary_folder folder;
    const other_program other(machine_lock_file(folder.path()));
    REQUIRE(other.takes_lock());
    scripted_run program(processes_of(2.0, 7));
    program.variables["TMPDIR"] = folder.path();
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    static_cast<void>(program.context().facts_of(program.wall));  // while that clock still ticks
    const auto a = program.takes("a", 1ms);
    const record r = program.evaluate(speedup(a, program.takes("b", 1ms)) > 1.9, {processes(7)});
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.evidence.seconds, WithinRel(7 * 0.25, 1e-9));
    CHECK(program.wall.now() > std::chrono::nanoseconds(30s).count());
    CHECK(program.wall.now() < std::chrono::nanoseconds(31s).count());
    REQUIRE(r.disturbed.notes.size() == 1);
    CHECK_THAT(r.disturbed.notes[0], ContainsSubstring("another measurement was running"));

    const std::int64_t before = program.wall.now();
    const record own = program.evaluate(latency(a) < 1s, {budget(1s), cap(1s)});
    INFO(own.reason);
    CHECK(own.verdict == verdict::holds);
    CHECK(program.wall.now() - before < std::chrono::nanoseconds(2s).count());
    CHECK(own.evidence.seconds < 2.0);
}

TEST_CASE("the first claim to wait does not count it as its own time either", "[run][unit]") {
    const temporary_folder folder;
    const other_program other(machine_lock_file(folder.path()));
    REQUIRE(other.takes_lock());
    scripted_run program({confirms(verdict::violated)});
    program.variables["TMPDIR"] = folder.path();
    program.variables["PERFSPEC_VERBOSITY"] = "quiet";
    static_cast<void>(program.context().facts_of(program.wall));
    const record r = program.evaluate(latency(program.takes("a", 1ms)) < 1us, {budget(1s), cap(1s)});
    INFO(r.reason);
    CHECK(r.verdict == verdict::violated);
    CHECK(program.wall.now() > std::chrono::nanoseconds(30s).count());
    CHECK(r.evidence.seconds < 2.0);
}

}  // namespace perfspec
