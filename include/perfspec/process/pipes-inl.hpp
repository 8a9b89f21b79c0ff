// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace perfspec::detail {

/// A file descriptor that is closed with its owner; -1 means none.
class pipe_descriptor {
public:
    pipe_descriptor() = default;
    explicit pipe_descriptor(int number) noexcept : number_(number) {}
    pipe_descriptor(pipe_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    pipe_descriptor& operator=(pipe_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~pipe_descriptor() { close(); }

    void close() noexcept {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] int get() const noexcept { return number_; }

private:
    int number_{-1};
};

/// Both ends of a pipe, or the errno where there is none.
struct pipe_ends {
    pipe_descriptor read;
    pipe_descriptor write;
    int error{};
};

/// Moves both ends to numbers above those that a child is given (0 to `child_request_descriptor`), even in a program
/// that closed its standard streams. Moving one end to its number in the child then never overwrites the other.
[[nodiscard]] inline pipe_ends moved_up(const int (&low)[2]) noexcept {
    constexpr int above_those_given = 10;
    const pipe_descriptor low_read(low[0]);
    const pipe_descriptor low_write(low[1]);
    pipe_ends ends;
    ends.read = pipe_descriptor(::fcntl(low[0], F_DUPFD_CLOEXEC, above_those_given));
    ends.write = pipe_descriptor(ends.read.get() < 0 ? -1 : ::fcntl(low[1], F_DUPFD_CLOEXEC, above_those_given));
    if (ends.write.get() < 0) ends.error = errno;
    return ends;
}

/// Opens a pipe that no other child inherits.
[[nodiscard]] inline pipe_ends open_pipe() noexcept {
    int low[2];
    if (::pipe2(low, O_CLOEXEC) != 0) return {{}, {}, errno};
    pipe_ends ends = moved_up(low);
    // Only the reading end does not block: the child's writes wait for us as in any pipe.
    if (ends.error == 0 && ::fcntl(ends.read.get(), F_SETFL, O_NONBLOCK) != 0) ends.error = errno;
    return ends;
}

/// Opens a connection for requests: the parent's end and the child's. It is a socket, because a write to a child that
/// is gone must be an error and not a signal to this program.
[[nodiscard]] inline pipe_ends open_request_channel() noexcept {
    int low[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) != 0) return {{}, {}, errno};
    return moved_up(low);
}

enum class keep_bytes : std::uint8_t { first, last };

/// Empties a pipe without ever waiting, and keeps a limited part of its bytes.
class pipe_reader {
public:
    pipe_reader(pipe_descriptor source, keep_bytes which, std::size_t maximum) noexcept
        : source_(std::move(source)), which_(which), max_(maximum) {}

    /// Reads the available bytes, up to a limit: a writer that never stops must not keep the reader from checking the
    /// time. Closes the source at its end.
    void read_some() {
        char bytes[65536];
        for (int n = 0; n < 32 && source_.get() >= 0; ++n) {
            const ssize_t count = ::read(source_.get(), bytes, sizeof bytes);
            if (count > 0) keep({bytes, static_cast<std::size_t>(count)});
            else if (count == 0 || (errno != EINTR && errno != EAGAIN)) source_.close();
            else if (errno == EAGAIN) return;
        }
    }

    [[nodiscard]] int descriptor() const noexcept { return source_.get(); }
    /// The bytes kept so far, for a reader that takes parts of them.
    [[nodiscard]] std::string& kept() noexcept { return kept_; }
    /// Takes the kept bytes: the first ones, or at least the last ones. They are more than the maximum where something
    /// was cut.
    [[nodiscard]] std::string take() noexcept { return std::move(kept_); }

private:
    void keep(std::string_view bytes) {
        if (which_ == keep_bytes::first) {
            kept_ += bytes.substr(0, max_ - kept_.size());
            return;
        }
        kept_ += bytes;
        if (kept_.size() > 2 * max_)
            kept_.erase(0, kept_.size() - max_ - 1);  // one byte more than the maximum shows the cut
    }

    pipe_descriptor source_;
    keep_bytes which_;
    std::size_t max_;
    std::string kept_;
};

}  // namespace perfspec::detail
