// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A program that is built with each kind of main. It asserts outside of test cases, too (PERFSPEC_TEST_WHERE says
// where), and its bodies end it.
#include "bodies.hpp"

#include <perfspec/catch2.hpp>

#include <catch2/catch_session.hpp>

#include <cstdlib>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace {

const perfspec::subject fast("fast", perfspec::testing::fast);
const perfspec::subject slow("slow", perfspec::testing::slow);

bool is_wanted(const char* where) {
    const char* wanted = std::getenv("PERFSPEC_TEST_WHERE");
    return wanted != nullptr && std::string(wanted) == where;
}

void assert_what_is_false() { PERF_CHECK(speedup(fast, slow) > 2); }

struct asserts_in_its_destructor {
    ~asserts_in_its_destructor() {
        if (is_wanted("destructor")) assert_what_is_false();
    }
};
const asserts_in_its_destructor at_the_end;

[[maybe_unused]] const bool before_main = [] {
    if (is_wanted("before main")) assert_what_is_false();
    return true;
}();

/// Ends like `end`, but after the calibration.
template <class End> auto after_some_calls(End end) {
    return [end, calls = 0]() mutable {
        if (++calls == 50 && !perfspec::in_child()) end();
        return perfspec::testing::slow();
    };
}

}  // namespace

TEST_CASE("holds") { PERF_CHECK(speedup(slow, fast) > 2); }
TEST_CASE("violated") { PERF_CHECK(speedup(fast, slow) > 2); }
TEST_CASE("nothing") { CHECK(true); }
TEST_CASE("body calls exit") {
    PERF_CHECK(latency(after_some_calls([] { std::exit(0); })) < 1us);
}
TEST_CASE("body calls quick_exit") {
    PERF_CHECK(latency(after_some_calls([] { std::quick_exit(0); })) < 1us);
}
TEST_CASE("body forks a process that calls exit") {
    PERF_CHECK(latency(after_some_calls([] {
                   const pid_t forked = ::fork();
                   if (forked == 0) std::exit(3);
                   int status = 0;
                   ::waitpid(forked, &status, 0);
                   REQUIRE(WIFEXITED(status));
                   REQUIRE(WEXITSTATUS(status) == 3);
               })) < 10s);
}
TEST_CASE("exit between claims") {
    PERF_CHECK(speedup(slow, fast) > 2);
    std::exit(3);
}

#if defined(PERFSPEC_TEST_OWN_MAIN)
int main(int argc, char** argv) {
    Catch::Session session;
    perfspec::add_options(session);
    if (const int rc = session.applyCommandLine(argc, argv); rc != 0) return rc;
    if (is_wanted("before the run")) assert_what_is_false();
    if (is_wanted("evaluated") &&
        !perfspec::evaluate(perfspec::speedup(perfspec::subject("fast", perfspec::testing::fast),
                                              perfspec::subject("slow", perfspec::testing::slow)) > 2)
             .failed)
        return 1;
    const int of_run = session.run();
    if (is_wanted("after the run")) assert_what_is_false();
    const int code = PERFSPEC_TEST_EXIT_CODE(of_run);
    if (is_wanted("after the exit code")) assert_what_is_false();
    return code;
}
#endif
