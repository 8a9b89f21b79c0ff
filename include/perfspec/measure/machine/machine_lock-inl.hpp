// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/machine_lock.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

constexpr int lock_file_flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

/// Opens the file that all users share, or creates it. Not both in one call: in a sticky folder Linux refuses O_CREAT
/// on a file of another user (fs.protected_regular), even with mode 0666.
inline int open_lock_file(const char* file) {
    int descriptor = ::open(file, O_RDWR | lock_file_flags);
    if (descriptor < 0 && errno == ENOENT) {
        descriptor = ::open(file, O_RDWR | O_CREAT | O_EXCL | lock_file_flags, 0666);
        if (descriptor >= 0)
            (void)::fchmod(descriptor,
                           0666);  // undoes the umask; otherwise other users cannot lock, and report that
        else if (errno == EEXIST) descriptor = ::open(file, O_RDWR | lock_file_flags);
    }
    if (descriptor < 0 && errno == EACCES) descriptor = ::open(file, O_RDONLY | lock_file_flags);
    return descriptor;
}

/// Whether the open file is plain, and `file` still names it. Others may have removed it, or replaced it with a trap.
inline bool is_lock_file(int descriptor, const char* file) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::lstat(file, &named) == 0 && S_ISREG(opened.st_mode) &&
           opened.st_nlink == 1 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// The holder's name from the file, which any user may have written.
inline std::string read_holder(const std::string& file) {
    std::array<char, 100> text{};
    const int descriptor = ::open(file.c_str(), O_RDONLY | lock_file_flags);
    if (descriptor < 0) return "an unknown process";
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    ::close(descriptor);
    std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    line = line.substr(0, line.find('\n'));
    const bool printable = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return line.empty() || !printable ? std::string("an unknown process") : std::string(line);
}

inline void write_holder(int descriptor, const std::string& program) {
    const std::string line = fmt::format("process {} ({})\n", ::getpid(), program);
    // Only a help for waiting users, so errors do not matter.
    if (::ftruncate(descriptor, 0) == 0) (void)!::pwrite(descriptor, line.data(), line.size(), 0);
}

/// Returns 0 when locked, EWOULDBLOCK when another process holds the lock, or another errno. On 0 the caller owns the
/// descriptor.
inline int try_lock(const char* file, int& descriptor) {
    constexpr int attempts = 3;
    for (int i = 0; i < attempts; ++i) {
        descriptor = open_lock_file(file);
        if (descriptor < 0) return errno;
        const int error = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        if (error == 0 && is_lock_file(descriptor, file)) return 0;
        ::close(std::exchange(descriptor, -1));
        if (error != 0) return error;
    }
    return ESTALE;
}

constexpr std::int64_t lock_poll_ns = 50'000'000;

/// A lock of the file from one byte on, to its end if `bytes` is 0. It belongs to the open file and not to the process,
/// so closing another descriptor keeps it; and it is independent of flock.
inline struct flock lock_of_bytes(short kind, off_t first, off_t bytes) noexcept {
    struct flock lock {};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = first;
    lock.l_len = bytes;
    return lock;
}

/// The place of a process in the queue, during the lifetime of this object: it locks the byte after the others.
class waiting_mark {
public:
    explicit waiting_mark(const std::string& file) : descriptor_(::open(file.c_str(), O_RDONLY | lock_file_flags)) {
        struct flock others = lock_of_bytes(F_WRLCK, 0, 0);
        while (::fcntl(descriptor_, F_OFD_GETLK, &others) == 0 && others.l_type != F_UNLCK && others.l_len > 0) {
            place_ = others.l_start + others.l_len;
            others = lock_of_bytes(F_WRLCK, place_, 0);
        }
        struct flock own = lock_of_bytes(F_RDLCK, place_, 1);
        (void)::fcntl(descriptor_, F_OFD_SETLK, &own);  // if this fails, there is no order
    }
    waiting_mark(const waiting_mark&) = delete;
    waiting_mark& operator=(const waiting_mark&) = delete;
    ~waiting_mark() {
        if (descriptor_ < 0) return;
        struct flock own = lock_of_bytes(F_UNLCK, place_, 1);
        (void)::fcntl(descriptor_, F_OFD_SETLK,
                      &own);  // closing is not enough while a forked process has the file open
        ::close(descriptor_);
    }

    /// Whether no earlier process waits.
    [[nodiscard]] bool is_first() const {
        struct flock earlier = lock_of_bytes(F_WRLCK, 0, place_);
        return place_ == 0 || ::fcntl(descriptor_, F_OFD_GETLK, &earlier) != 0 || earlier.l_type == F_UNLCK;
    }

private:
    int descriptor_;
    off_t place_{};
};

inline bool has_timed_out(const machine_lock_settings& settings, const std::string& holder) {
    return settings.memory != nullptr && settings.memory->timed_out_holders.contains(holder);
}

inline void report_wait(const machine_lock_settings& settings) {
    const std::string text = fmt::format(
        "perfspec: waiting for another measurement to end: {} holds {}. After {:.3g} s this one starts in any case\n",
        read_holder(settings.file), settings.file, static_cast<double>(settings.timeout.count()) / 1e9);
    std::fputs(text.c_str(), settings.console);  // unlike fmt::print, without an exception for a closed console
    std::fflush(settings.console);
}

}  // namespace detail

std::string machine_lock_file(const std::string& temporary_folder) {
    return (temporary_folder.empty() ? "/tmp" : temporary_folder) + "/perfspec-machine.lock";
}

int machine_lock::take(const machine_lock_settings& settings, clock& wall, sleeper& rest) {
    constexpr std::int64_t report_after_ns = 2'000'000'000;
    const std::int64_t start = wall.now();
    std::int64_t since = start;  // of the current holder
    const detail::waiting_mark mark(settings.file);
    bool reported = settings.console == nullptr || (memory_ != nullptr && memory_->has_reported);
    for (;;) {
        const int error = mark.is_first() ? detail::try_lock(settings.file.c_str(), descriptor_) : EWOULDBLOCK;
        if (error != EWOULDBLOCK) return error;
        if (std::string now = detail::read_holder(settings.file); now != holder_) {
            holder_ = std::move(now);
            since = wall.now();
        }
        if (wall.now() - since >= settings.timeout.count() || detail::has_timed_out(settings, holder_)) return error;
        rest.sleep(detail::lock_poll_ns);
        if (reported || wall.now() - start < report_after_ns) continue;
        detail::report_wait(settings);
        reported = true;
        if (memory_ != nullptr) memory_->has_reported = true;
    }
}

void machine_lock::describe(int error, const machine_lock_settings& settings) {
    if (error != EWOULDBLOCK) {
        note_ = fmt::format(
            "the machine lock is not available, so another measurement may have run: {}: {}", settings.file,
            error == ESTALE ? "is not a regular file with one name" : std::generic_category().message(error));
        return;
    }
    if (memory_ != nullptr) memory_->timed_out_holders.insert(holder_);
    note_ = fmt::format("another measurement was running: {} held {}, and this one ran at the same time", holder_,
                        settings.file);
}

machine_lock::machine_lock(const machine_lock_settings& settings, clock& wall, sleeper& rest)
    : memory_(settings.memory) {
    const int error = take(settings, wall, rest);
    if (error != 0) {
        describe(error, settings);
        return;
    }
    detail::write_holder(descriptor_, settings.program);
    if (memory_ != nullptr) memory_->timed_out_holders.clear();  // these holders may have ended
}

machine_lock::~machine_lock() {
    if (descriptor_ < 0) return;
    (void)!::ftruncate(descriptor_, 0);
    ::flock(descriptor_, LOCK_UN);  // closing is not enough while a forked process has the file open
    ::close(descriptor_);
}

}  // namespace perfspec::inline v0_2
