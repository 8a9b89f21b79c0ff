// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/baseline/fingerprint/linked_library.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace perfspec {
namespace {

const register_library made_up{"made up", [] { return std::string("1.2"); }};
const register_library of_device{"of a device", [] { return std::string("3.4"); }, library_use::on_device};
const register_library absent{"absent", [] { return std::string(); }};

/// "none" for a library that is not among them.
std::string version(const std::vector<versioned_library>& libraries, const std::string& name) {
    const auto found = std::ranges::find(libraries, name, &versioned_library::name);
    return found == libraries.end() ? "none" : found->version;
}

}  // namespace

TEST_CASE("linked_libraries has those that adapters registered, and the language's", "[baseline][unit]") {
    const auto found = linked_libraries(library_use::always);
    CHECK(version(found, "made up") == "1.2");
    CHECK(version(found, "absent") == "none");
    CHECK(version(found, "of a device") == "none");
#if defined(__GLIBCXX__)
    CHECK(version(found, "libstdc++").starts_with(std::to_string(_GLIBCXX_RELEASE)));
#endif
#if defined(__GLIBC__)
    CHECK(version(found, "glibc").starts_with("2."));
#endif
}

TEST_CASE("linked_libraries of a claim on a device has those that matter there", "[baseline][unit]") {
    const auto found = linked_libraries(library_use::on_device);
    CHECK(version(found, "made up") == "1.2");
    CHECK(version(found, "of a device") == "3.4");
}

}  // namespace perfspec
