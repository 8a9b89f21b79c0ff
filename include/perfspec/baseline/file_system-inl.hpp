// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {

file_error::file_error(std::string_view where, std::string_view why)
    : input_error(std::string(where) + ": " + std::string(why)), path(where), reason(why) {}

namespace detail {

[[nodiscard]] inline std::string system_reason(int number) { return std::generic_category().message(number); }

/// Owns a file descriptor.
class descriptor {
public:
    explicit descriptor(int fd) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(other.give()) {}
    descriptor& operator=(descriptor&&) = delete;
    ~descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    [[nodiscard]] bool open() const noexcept { return fd_ >= 0; }
    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] int give() noexcept { return std::exchange(fd_, -1); }

private:
    int fd_;
};

[[nodiscard]] inline std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

[[nodiscard]] inline std::string temporary_beside(const std::string& path) {
    const auto slash = path.rfind('/');
    const auto name = slash == std::string::npos ? 0 : slash + 1;
    return path.substr(0, name) + '.' + path.substr(name) + ".tmp";
}

inline void wait_for_lock(const descriptor& fd, const std::string& path,
                          std::chrono::steady_clock::time_point deadline) {
    while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) throw file_error(path, "cannot be locked: " + system_reason(errno));
        if (std::chrono::steady_clock::now() >= deadline)
            throw file_error(path, "is locked by another process, which did not release it in time");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // flock has no time-out
    }
}

/// Whether the path still names the opened file. While we waited for the lock, its holder may have renamed or removed
/// the file. The path of a folder may be a link.
[[nodiscard]] inline bool still_names(const std::string& path, const descriptor& fd) {
    struct stat at_path {};
    struct stat opened {};
    return ::stat(path.c_str(), &at_path) == 0 && ::fstat(fd.get(), &opened) == 0 && at_path.st_ino == opened.st_ino &&
           at_path.st_dev == opened.st_dev;
}

[[nodiscard]] inline descriptor open_locked(const std::string& path, int flags, std::chrono::milliseconds at_most) {
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    for (;;) {
        descriptor fd(::open(path.c_str(), flags | O_CLOEXEC, 0666));
        if (!fd.open() && errno == EINTR) continue;
        if (!fd.open()) throw file_error(path, system_reason(errno));
        wait_for_lock(fd, path, deadline);
        if (still_names(path, fd)) return fd;
    }
}

inline void write_all(const descriptor& fd, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd.get(), text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw file_error(path, system_reason(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Holds a lock on an open file, and releases it explicitly (see posix_file_system).
class file_lock {
public:
    explicit file_lock(const descriptor& fd) noexcept : fd_(fd) {}
    file_lock(const file_lock&) = delete;
    file_lock& operator=(const file_lock&) = delete;
    ~file_lock() { ::flock(fd_.get(), LOCK_UN); }

private:
    const descriptor& fd_;
};

/// Opens a file to append to; refuses a pipe or a socket. Devices such as /dev/null are allowed.
[[nodiscard]] inline descriptor open_to_append(const std::string& path, struct stat& facts) {
    constexpr int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    descriptor fd(::open(path.c_str(), flags, 0666));
    if (!fd.open() || ::fstat(fd.get(), &facts) != 0) throw file_error(path, system_reason(errno));
    if (!S_ISREG(facts.st_mode) && !S_ISCHR(facts.st_mode))
        throw file_error(path, "is not a regular file: write to one, such as results.jsonl, and copy it from there");
    return fd;
}

/// Whether the file ends in the middle of a line.
[[nodiscard]] inline bool ends_in_a_line(const descriptor& fd, off_t size, const std::string& path) {
    char last = '\n';
    if (size > 0 && ::pread(fd.get(), &last, 1, size - 1) < 0) throw file_error(path, system_reason(errno));
    return last != '\n';
}

/// Writes the line in one call. Throws if the file does not take all of it.
inline void write_line(const descriptor& fd, const std::string& line, const std::string& path) {
    ssize_t written = -1;
    do { written = ::write(fd.get(), line.data(), line.size()); } while (written < 0 && errno == EINTR);
    if (written < 0) throw file_error(path, system_reason(errno));
    if (static_cast<std::size_t>(written) != line.size())
        throw file_error(path, "accepted only " + std::to_string(written) + " of " + std::to_string(line.size()) +
                                   " bytes of a line");
}

/// Writes the line at the end of a regular file while no other process appends. Removes a line that was cut.
inline void write_line_alone(const descriptor& fd, const std::string& line, const std::string& path) {
    wait_for_lock(fd, path, std::chrono::steady_clock::now() + std::chrono::seconds(30));
    const file_lock guard(fd);
    struct stat facts {};
    if (::fstat(fd.get(), &facts) != 0) throw file_error(path, system_reason(errno));
    try {
        write_line(fd, ends_in_a_line(fd, facts.st_size, path) ? '\n' + line : line, path);
    } catch (const file_error&) {
        (void)!::ftruncate(fd.get(), facts.st_size);  // if that fails too, the next write begins with a line end
        throw;
    }
}

inline void sync_folder(const std::string& folder) {
    const descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.open()) throw file_error(folder, system_reason(errno));
    if (::fsync(fd.get()) != 0 && errno != EINVAL)
        throw file_error(folder, system_reason(errno));  // EINVAL: the folder needs no sync
}

/// Writes and syncs the temporary file, then renames it to `path`.
inline void fill_and_rename(const descriptor& fd, const std::string& temporary, const std::string& path,
                            std::string_view text) {
    struct stat before {};
    if (::ftruncate(fd.get(), 0) != 0) throw file_error(temporary, system_reason(errno));
    if (::stat(path.c_str(), &before) == 0 && ::fchmod(fd.get(), before.st_mode & 07777U) != 0)
        throw file_error(temporary, system_reason(errno));
    write_all(fd, text, temporary);
    if (::fsync(fd.get()) != 0) throw file_error(temporary, system_reason(errno));
    if (::rename(temporary.c_str(), path.c_str()) != 0) throw file_error(path, system_reason(errno));
}

[[nodiscard]] inline file_text not_read(read_outcome outcome, std::string reason) {
    return {outcome, {}, std::move(reason)};
}

[[nodiscard]] inline file_text too_large(std::size_t max_bytes) {
    return not_read(read_outcome::too_large, "has more than " + std::to_string(max_bytes) + " bytes");
}

/// Why the file cannot be read; nullopt if it can.
[[nodiscard]] inline std::optional<file_text> refuse_to_read(const descriptor& fd, std::size_t max_bytes) {
    if (!fd.open()) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return not_read(missing ? read_outcome::missing : read_outcome::unreadable, system_reason(errno));
    }
    struct stat facts {};
    if (::fstat(fd.get(), &facts) != 0) return not_read(read_outcome::unreadable, system_reason(errno));
    if (S_ISDIR(facts.st_mode)) return not_read(read_outcome::unreadable, system_reason(EISDIR));
    if (!S_ISREG(facts.st_mode)) return not_read(read_outcome::unreadable, "Not a regular file");
    if (facts.st_size > 0 && static_cast<std::size_t>(facts.st_size) > max_bytes) return too_large(max_bytes);
    return {};
}

[[nodiscard]] inline bool have_equal_bytes(const std::string& one, const std::string& other) {
    constexpr std::size_t step = std::size_t{64} << 10;
    std::ifstream first(one, std::ios::binary);
    std::ifstream second(other, std::ios::binary);
    std::string of_first(step, '\0');
    std::string of_second(step, '\0');
    while (first && second) {
        first.read(of_first.data(), static_cast<std::streamsize>(step));
        second.read(of_second.data(), static_cast<std::streamsize>(step));
        const auto count = static_cast<std::size_t>(first.gcount());
        if (first.gcount() != second.gcount() || of_first.compare(0, count, of_second, 0, count) != 0) return false;
    }
    return first.eof() && second.eof();
}

}  // namespace detail

file_text posix_file_system::read(const std::string& path, std::size_t max_bytes) const {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const detail::descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (auto refused = detail::refuse_to_read(fd, max_bytes)) return *refused;
    // A freed block of 128 KiB moves the thresholds of glibc's heap, and the times of the user's code with these.
    std::array<char, 4096> part;
    std::string text;
    for (;;) {  // read to the end, not to st_size: it is 0 for files in /proc
        const ssize_t count = ::read(fd.get(), part.data(), part.size());
        if (count < 0 && errno != EINTR)
            return detail::not_read(read_outcome::unreadable, detail::system_reason(errno));
        text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0) return {read_outcome::complete, std::move(text), {}};
        if (text.size() > max_bytes) return detail::too_large(max_bytes);
    }
}

bool posix_file_system::is_folder(const std::string& path) const {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

std::vector<std::string> posix_file_system::names_in(const std::string& folder) const {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

binary_identity posix_file_system::compare(const std::string& one, const std::string& other) const {
    struct stat first {};
    struct stat second {};
    if (::stat(one.c_str(), &first) != 0 || ::stat(other.c_str(), &second) != 0) return binary_identity::different;
    if (first.st_dev == second.st_dev && first.st_ino == second.st_ino) return binary_identity::same_file;
    const bool regular = S_ISREG(first.st_mode) && S_ISREG(second.st_mode);
    const bool equal = regular && first.st_size == second.st_size && detail::have_equal_bytes(one, other);
    return equal ? binary_identity::same_bytes : binary_identity::different;
}

void posix_file_system::create_folders(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw file_error(path, error.message());
}

void posix_file_system::write_atomically(const std::string& path, std::string_view text) {
    if (std::error_code error; std::filesystem::is_symlink(path, error))
        throw file_error(
            path, "is a symbolic link, and an update would replace it; name the folder of the file that it points to");
    const std::string temporary = detail::temporary_beside(path);
    const auto fd =
        detail::open_locked(temporary, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, std::chrono::seconds(30));
    const detail::file_lock guard(fd);
    try {
        detail::fill_and_rename(fd, temporary, path, text);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    detail::sync_folder(detail::folder_of(path));
}

void posix_file_system::append_line(const std::string& path, std::string_view line) {
    if (line.find('\n') != std::string_view::npos)
        throw input_error(path + ": a line to append contains a line break; write one record in each line");
    struct stat facts {};
    const detail::descriptor fd = detail::open_to_append(path, facts);
    const std::string whole = std::string(line) + '\n';
    S_ISREG(facts.st_mode) ? detail::write_line_alone(fd, whole, path) : detail::write_line(fd, whole, path);
}

void posix_file_system::remove(const std::string& path) noexcept { static_cast<void>(::unlink(path.c_str())); }

std::shared_ptr<void> posix_file_system::lock(const std::string& folder, std::chrono::milliseconds at_most) {
    const int handle = detail::open_locked(folder, O_RDONLY | O_DIRECTORY, at_most).give();
    return {nullptr, [handle](void*) {
                ::flock(handle, LOCK_UN);
                ::close(handle);
            }};
}

}  // namespace perfspec::inline v0_2
