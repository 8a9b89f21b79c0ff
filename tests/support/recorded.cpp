// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <support/recorded.hpp>

#include <recorded/recorded.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>

namespace perfspec::testing {

void check_recorded(std::string_view label, std::string_view text, const char* test_file) {
    const std::string file = test_file;
    const std::string in_tests = file.substr(file.rfind("/tests/") + 7);  // the path may be relative to a build folder
    const std::string path = PERFSPEC_TESTS "/" + in_tests.substr(0, in_tests.rfind('.')) + ".txt";
    const std::string test = Catch::getResultCapture().getCurrentTestName();
    const comparison_result result = compare_recorded_part(path, test + ": " + std::string(label), text);
    INFO(result.difference);
    CHECK(result.same);
}

void check_recorded(std::string_view label, const std::vector<std::string>& texts, const char* test_file) {
    std::string all;
    for (const std::string& text : texts) all += "- " + text + "\n";
    check_recorded(label, all, test_file);
}

}  // namespace perfspec::testing
