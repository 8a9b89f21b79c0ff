// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Your own main, which offers perfspec's options as well as Catch2's: try --help, or --perf-margin 1% --perf-seed 42.

#include <perfspec/catch2.hpp>

#include <catch2/catch_session.hpp>

#include <string>
#include <vector>

int main(int argc, char** argv) {
    Catch::Session session;
    perfspec::add_options(session);
    if (const int rc = session.applyCommandLine(argc, argv); rc != 0) return rc;
    return perfspec::exit_code(session.run());
}

TEST_CASE("reserve spares reallocations", "[perf]") {
    auto growing = perfspec::subject("growing", [] {
        std::vector<int> v;
        for (int i = 0; i < 1000; ++i) v.push_back(i);
        return v;
    });
    auto reserved = perfspec::subject("reserved", [] {
        std::vector<int> v;
        v.reserve(1000);
        for (int i = 0; i < 1000; ++i) v.push_back(i);
        return v;
    });

    // Options at the call win over the command line, which wins over the environment (PERFSPEC_MARGIN=1%).
    PERF_CHECK(speedup(growing, reserved) >= 0.9, margin(1_pct), false_failure(1e-4));
}
