// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

enum class read_outcome : std::uint8_t { complete, missing, unreadable, too_large };

/// Two paths: of different files (or of what cannot be read), of two files with the same bytes, or of one file.
enum class likeness : std::uint8_t { different, same_bytes, same_file };

/// What reading a file gave.
struct file_text {
    read_outcome outcome = read_outcome::missing;
    std::string text{};    ///< the whole file, where the outcome is complete; else empty
    std::string reason{};  ///< why not, as the system words it; empty where complete
};

/// A file or folder that could not be written, created or locked. The text is "path: reason"; who catches it adds the remedy.
struct file_error : input_error {
    file_error(std::string_view where, std::string_view why);

    std::string path;
    std::string reason;
};

class file_system;

/// A folder held by this process alone, until the end of its life.
class folder_lock {
public:
    folder_lock(folder_lock&& other) noexcept : files_(other.files_), handle_(other.handle_) { other.files_ = nullptr; }
    folder_lock& operator=(folder_lock&&) = delete;
    ~folder_lock();

private:
    friend class file_system;
    folder_lock(file_system& files, int handle) noexcept : files_(&files), handle_(handle) {}

    file_system* files_;
    int handle_;
};

/// All that perfspec does with files, so that tests script it (`tests/support/scripted_file_system.hpp`).
/// Every member that changes something throws file_error where it cannot.
class file_system {
public:
    virtual ~file_system() = default;

    /// The whole file, unless it has more than so many bytes. Anything but a regular file is unreadable.
    [[nodiscard]] virtual file_text read(const std::string& path, std::size_t max_bytes) const = 0;

    [[nodiscard]] virtual bool is_folder(const std::string& path) const = 0;
    /// The names in a folder, sorted; none where it cannot be read.
    [[nodiscard]] virtual std::vector<std::string> names_in(const std::string& folder) const = 0;
    /// Links are followed; files of any size.
    [[nodiscard]] virtual likeness compare(const std::string& one, const std::string& other) const = 0;

    /// Whether a file was last written before another one; false where one of them cannot be asked. Links are followed.
    [[nodiscard]] virtual bool is_older(const std::string& path, const std::string& than) const = 0;

    /// The folder and those above it; what exists stays.
    virtual void create_folders(const std::string& path) = 0;

    /// Replaces the file in one step: whoever reads, and whatever kills us, finds the old text or the new one. Symbolic links are refused.
    virtual void write_atomically(const std::string& path, std::string_view text) = 0;

    /// Appends the line and its end, while no other process appends. A line that a killed process or a full disk cut is ended first, so that it
    /// takes no other along; one that is cut here is taken back.
    /// Throws input_error for a line that holds a line break.
    virtual void append_line(const std::string& path, std::string_view line) = 0;

    /// Waits at most so long to hold the folder; advisory, and released by the system should this process die.
    [[nodiscard]] folder_lock lock(const std::string& folder, std::chrono::milliseconds at_most) {
        return {*this, acquire(folder, at_most)};
    }

private:
    friend class folder_lock;
    [[nodiscard]] virtual int acquire(const std::string& folder, std::chrono::milliseconds at_most) = 0;
    virtual void release(int handle) noexcept = 0;
};

inline folder_lock::~folder_lock() {
    if (files_ != nullptr) files_->release(handle_);
}

/// The files of this machine, on POSIX.
///
/// A write goes to `.<name>.tmp` in the same folder, is synced, renamed over the file, and the folder synced. Writers of one file
/// wait for each other on that temporary file; one that a killed process left is taken over by the next write.
/// A lock is flock(2) on the folder itself, or on the file that is appended to: no lock file ever lies among committed ones. Network file
/// systems that cannot lock are an error, never a write without a lock. A lock is given back by name, because closing the file does not where a
/// process that was forked meanwhile holds it, too.
class posix_file_system final : public file_system {
public:
    [[nodiscard]] file_text read(const std::string& path, std::size_t max_bytes) const override;
    [[nodiscard]] bool is_folder(const std::string& path) const override;
    [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override;
    [[nodiscard]] likeness compare(const std::string& one, const std::string& other) const override;
    [[nodiscard]] bool is_older(const std::string& path, const std::string& than) const override;
    void create_folders(const std::string& path) override;
    void write_atomically(const std::string& path, std::string_view text) override;
    void append_line(const std::string& path, std::string_view line) override;

private:
    [[nodiscard]] int acquire(const std::string& folder, std::chrono::milliseconds at_most) override;
    void release(int handle) noexcept override;
};

}  // namespace perfspec
