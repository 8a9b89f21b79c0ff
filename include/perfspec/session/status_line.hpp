// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace perfspec {

/// How long something has been waited for, and how long it may be.
struct waiting_time {
    std::chrono::nanoseconds so_far{};
    std::chrono::nanoseconds limit{};
};

/// A line on the console that says how far a long measurement is. On a terminal each text replaces the one before, and
/// `remove` takes the last one away, so what is printed next starts on an empty line. A file or a pipe gets
/// announcements alone, each as a line.
class status_line {
public:
    /// is_live: whether the console is a terminal that can take a line back.
    status_line(std::FILE* console, bool is_live) : console_(console), is_live_(is_live) {}

    /// That something long begins: the first one since `remove`, later ones are not shown.
    void announce(const std::string& text);
    /// How far it is; on a terminal alone.
    void update(const std::string& text);
    /// That something lasts, `what` for ten seconds or more: on a terminal as `update`; elsewhere a line, once for each
    /// thing since `remove`.
    void wait(const std::string& what, waiting_time time);
    /// Whether `wait` shows nothing: in a run that is to be quiet, and in a process that answers another one.
    void mute(bool is_mute) { is_mute_ = is_mute; }
    /// Ends what was announced.
    void remove();

private:
    std::FILE* console_;
    bool is_live_;
    bool is_announced_{};
    bool is_shown_{};
    bool is_mute_{};
    std::string waited_for_{};
};

}  // namespace perfspec
