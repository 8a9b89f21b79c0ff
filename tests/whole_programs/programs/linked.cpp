// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A violated claim in a program that is linked in each way there is. With WHOLE_OWN_MAIN it has a main of its own.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <catch2/catch_session.hpp>

#if WHOLE_OWN_MAIN == 1
int main(int argc, char** argv) {
    Catch::Session session;
    if (const int rc = session.applyCommandLine(argc, argv); rc != 0) return rc;
    return session.run();
}
#endif

TEST_CASE("violated") {
    const auto slow = perfspec::subject("slow", [] { return work(10); });
    PERF_CHECK(latency(slow) < 1us);
    PERF_CHECK(latency(slow) < 2us);
}
