// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/version.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

TEST_CASE("PERFSPEC_VERSION is the version of the library as a number", "[process][unit]") {
    const int version = PERFSPEC_VERSION;
    CHECK(std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
              std::to_string(version % 100) ==
          perfspec::library_version);
}
