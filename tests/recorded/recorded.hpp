// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

// Outputs that are kept in files, so that a review sees what users will. Record them anew with PERFSPEC_TEST_RECORD=1
// ctest -L recorded, look at the difference, and commit it with the change that caused it.

namespace perfspec::testing {

/// What two runs of the same build print alike: measured values, counts, dates, seeds and bars become marks, folders of
/// absolute paths go, and the line of disturbances, which a quiet machine does not print.
[[nodiscard]] std::string neutralised(std::string_view output);

/// The output with perfspec's lines whole. Catch2's console reporter breaks them at column 80, so that where depends on
/// the values in them; a continuation stands at the indentation of the verdict. Whether a blank stood at a break cannot
/// be told.
[[nodiscard]] std::string unbroken(std::string_view output);

/// Whether blanks within lines count. They do not in what was broken and joined, nor in columns that values widen.
enum class blanks : unsigned char { compared, ignored };

/// The text without its blanks; line breaks stay.
[[nodiscard]] std::string without_blanks(std::string_view text);

/// Whether the text is what the file holds; otherwise says where they differ. With PERFSPEC_TEST_RECORD=1 writes the
/// file, and is true.
struct comparison_result {
    bool same{};
    std::string difference;
};
[[nodiscard]] comparison_result compare_recorded(const std::string& path, std::string_view text,
                                                 blanks between_words = blanks::compared);

}  // namespace perfspec::testing
