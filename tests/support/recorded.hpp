// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Texts of unit tests: a_test.txt has those of a_test.cpp, so that a sentence stands once. The executable has the label
// "texts". After a change of a sentence: PERFSPEC_TEST_RECORD=1 ctest -L texts, and read the difference.
// An executable writes its files anew, so run it with all its cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfspec::testing {

/// Checks that this text is the part "<test case>: <label>" of the recorded file. A part that is missing fails.
void check_recorded(std::string_view label, std::string_view text, const char* test_file = __builtin_FILE());

/// The same for a list of texts.
void check_recorded(std::string_view label, const std::vector<std::string>& texts,
                    const char* test_file = __builtin_FILE());

/// What an exception of this type says that the function throws.
template <typename Exception, typename Function> [[nodiscard]] std::string message_of(Function&& function) {
    try {
        function();
    } catch (const Exception& e) { return e.what(); }
    return "(it threw nothing)";
}

}  // namespace perfspec::testing

/// Checks the text of an expression; its own text is the label.
#define CHECK_RECORDED(...) ::perfspec::testing::check_recorded(#__VA_ARGS__, __VA_ARGS__)

/// Checks the message of an exception of this type that an expression throws.
#define CHECK_THROWS_RECORDED(exception, ...) \
    ::perfspec::testing::check_recorded(      \
        #__VA_ARGS__, ::perfspec::testing::message_of<exception>([&] { static_cast<void>(__VA_ARGS__); }))
