// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A violated claim outside of any test case, at the time that WHOLE_WHEN names. WHOLE_MAIN says whose main it is:
// perfspec's, Catch2's, or this file's.
#include "work.hpp"

#define WHOLE_PERFSPEC 0
#define WHOLE_CATCH2   1
#define WHOLE_OWN      2

#include <perfspec/catch2.hpp>

#include <catch2/catch_session.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

#include <cstdlib>
#include <string>

namespace {

bool is_time(const char* when) {
    const char* wanted = std::getenv("WHOLE_WHEN");
    return wanted != nullptr && wanted == std::string(when);
}

void claim() {
    const auto slow = perfspec::subject("slow", [] { return work(10); });
    PERF_CHECK(latency(slow) < 1us);
}

struct asserts_while_it_lives {
    asserts_while_it_lives() {
        if (is_time("constructor")) claim();
    }
    ~asserts_while_it_lives() {
        if (is_time("destructor")) claim();
    }
} lives_as_long_as_the_program;

struct asserts_at_the_end : Catch::EventListenerBase {
    using EventListenerBase::EventListenerBase;
    void testCaseEnded(const Catch::TestCaseStats&) override {
        if (is_time("test case ended")) claim();
    }
    void testRunEnded(const Catch::TestRunStats&) override {
        if (is_time("test run ended")) claim();
    }
};
CATCH_REGISTER_LISTENER(asserts_at_the_end)

}  // namespace

#if WHOLE_MAIN == WHOLE_OWN
int main(int argc, char** argv) {
    Catch::Session session;
    perfspec::add_options(session);
    if (const int rc = session.applyCommandLine(argc, argv); rc != 0) return rc;
    if (is_time("before")) claim();
    const int result = session.run();
    if (is_time("after")) claim();
    return perfspec::exit_code(result);
}
#endif

TEST_CASE("passes") { CHECK(work(1) == 1); }
TEST_CASE("asserts") {
    if (is_time("test")) claim();
    CHECK(work(1) == 1);
}
