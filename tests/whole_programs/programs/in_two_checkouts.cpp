// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on subjects in Python against another checkout. CMake copies this file and its in_two_checkouts.py to two
// folders, with changes of the latter alone.
#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

namespace {

const perfspec::python_subjects py("in_two_checkouts.py");

}  // namespace

TEST_CASE("slower in Python") { PERF_CHECK(latency(py("changed")) < 1.25 * baseline()); }
TEST_CASE("unchanged in Python") { PERF_CHECK(latency(py("unchanged")) < 2 * baseline()); }  // true
