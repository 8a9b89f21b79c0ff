// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Subjects in another language: worker.js speaks the protocol of include/perfspec/python/PROTOCOL.md in some 70 lines.
// Where there is no node, the claims are skipped, and ctest says Skipped.

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

TEST_CASE("a copy is sorted no slower by hand than by toSorted", "[perf]") {
    const perfspec::worker_subjects js({"node", "worker.js"});

    PERF_REQUIRE(speedup(js("toSorted"), js("copy and sort")) > 0.5);
    PERF_CHECK(latency(js("copy and sort")) < 1s);
}

TEST_CASE("not to sort is faster, and wrong: outputs are not compared on purpose", "[perf]") {
    const perfspec::worker_subjects js({"node", "worker.js"});

    PERF_CHECK(speedup(js("copy and sort"), js("unsorted").unverified()) > 1.2);
}
