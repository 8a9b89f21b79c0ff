// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

// Outputs in files, so that a review sees what users will see. Record them again with PERFSPEC_TEST_RECORD=1 ctest -L
// recorded, review the difference, and commit it with the change that caused it.

namespace perfspec::testing {

/// The part of an output that two runs of a build share: measured values, counts, dates, seeds and bars become marks.
/// Folders of absolute paths and the line of disturbances are removed.
[[nodiscard]] std::string neutralized(std::string_view output);

/// The output with perfspec's lines joined. Catch2's console reporter breaks them at column 80, so the places depend on
/// their values. A continuation has the indentation of the verdict. Blanks at a break are lost.
[[nodiscard]] std::string unbroken(std::string_view output);

/// Whether blanks within lines count. They do not in joined lines, nor in columns that values widen.
enum class blanks : unsigned char { compared, ignored };

/// The text without its blanks; line breaks stay.
[[nodiscard]] std::string without_blanks(std::string_view text);

/// Whether the text equals the file; otherwise where they differ. With PERFSPEC_TEST_RECORD=1 writes the file, and is
/// true.
struct comparison_result {
    bool same{};
    std::string difference;
};
[[nodiscard]] comparison_result compare_recorded(const std::string& path, std::string_view text,
                                                 blanks between_words = blanks::compared);

/// The same for a part of a file that begins with "=== NAME" in a line of its own.
[[nodiscard]] comparison_result compare_recorded_part(const std::string& path, const std::string& name,
                                                      std::string_view text);

}  // namespace perfspec::testing
