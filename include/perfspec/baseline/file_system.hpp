// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

enum class read_outcome : std::uint8_t { complete, missing, unreadable, too_large };

/// How two paths compare: different files (or unreadable ones), two files with the same bytes, or one and the same
/// file.
enum class binary_identity : std::uint8_t { different, same_bytes, same_file };

/// The result of reading a file.
struct file_text {
    read_outcome outcome = read_outcome::missing;
    std::string text{};    ///< the whole file if the outcome is complete; otherwise empty
    std::string reason{};  ///< why the file could not be read, in the system's words; empty if complete
};

/// A file or folder that cannot be written, created or locked. The text is "path: reason"; the code that catches it
/// adds the remedy.
struct file_error : input_error {
    file_error(std::string_view where, std::string_view why);

    std::string path;
    std::string reason;
};

/// The interface for all work with files; tests script it (`tests/support/scripted_file_system.hpp`). Members that
/// change files throw file_error if they cannot.
class file_system {
public:
    virtual ~file_system() = default;

    /// Reads the whole file. A file of more than max_bytes is too_large; anything but a regular file is unreadable.
    [[nodiscard]] virtual file_text read(const std::string& path, std::size_t max_bytes) const = 0;

    [[nodiscard]] virtual bool is_folder(const std::string& path) const = 0;
    /// The names in a folder, sorted; none if the folder cannot be read.
    [[nodiscard]] virtual std::vector<std::string> names_in(const std::string& folder) const = 0;
    /// Follows links; files may have any size.
    [[nodiscard]] virtual binary_identity compare(const std::string& one, const std::string& other) const = 0;

    /// Creates the folder and its missing parents.
    virtual void create_folders(const std::string& path) = 0;

    /// Replaces the file in one step: a reader sees the old text or the new one, even after a crash. Refuses symbolic
    /// links.
    virtual void write_atomically(const std::string& path, std::string_view text) = 0;

    /// Appends the line and a line end, while no other process appends. A killed process or a full disk may have left a
    /// line without an end: this function ends that line first. If its own write is cut, it removes the cut line.
    /// Throws input_error for a line with a line break.
    virtual void append_line(const std::string& path, std::string_view line) = 0;

    /// Removes a file, if it exists and may be removed.
    virtual void remove(const std::string& path) noexcept = 0;

    /// Waits at most this long, and then locks the folder for this process until the result is destroyed. The lock is
    /// advisory; the system releases it if this process dies.
    [[nodiscard]] virtual std::shared_ptr<void> lock(const std::string& folder, std::chrono::milliseconds at_most) = 0;
};

/// The files of this machine, on POSIX.
///
/// A write goes to `.<name>.tmp` in the same folder, which is synced and renamed over the target. Writers of one file
/// wait for each other by a lock on its `.tmp`. The next writer reuses one that a killed process left.
///
/// A lock is flock(2) on the folder itself, or on the file that is appended to. It is released explicitly: closing the
/// file would not release it while a forked process has it open.
class posix_file_system final : public file_system {
public:
    [[nodiscard]] file_text read(const std::string& path, std::size_t max_bytes) const override;
    [[nodiscard]] bool is_folder(const std::string& path) const override;
    [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override;
    [[nodiscard]] binary_identity compare(const std::string& one, const std::string& other) const override;
    void create_folders(const std::string& path) override;
    void write_atomically(const std::string& path, std::string_view text) override;
    void append_line(const std::string& path, std::string_view line) override;
    void remove(const std::string& path) noexcept override;
    [[nodiscard]] std::shared_ptr<void> lock(const std::string& folder, std::chrono::milliseconds at_most) override;
};

}  // namespace perfspec::inline v0_2
