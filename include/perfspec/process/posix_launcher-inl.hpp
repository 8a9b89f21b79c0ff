// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/spawn-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {

namespace detail {

inline void require_names(const child_command& command) {
    for (const auto& [name, value] : command.environment)
        if (name.empty() || name.find('=') != std::string::npos)
            throw input_error(fmt::format(
                "child command: found a variable called {}, expected a name without \"=\" such as \"PATH\"; correct it",
                excerpt(name)));
}

/// Kills a process group at any end of this program: a shell waits for the end of a channel whose other end only this
/// program has. The system's signal for this, PR_SET_PDEATHSIG, needs a fork, and comes when the thread that started
/// the child ends.
class group_guard {
public:
    explicit group_guard(pid_t group) {
        spawn_settings settings;
        auto channel = open_request_channel();
        settings.note(channel.error);
        settings.note(::posix_spawn_file_actions_adddup2(&settings.actions, channel.read.get(), STDIN_FILENO));
        for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
            settings.note(::posix_spawn_file_actions_addopen(&settings.actions, descriptor, "/dev/null", O_WRONLY, 0));
        close_descriptors_from(settings, STDERR_FILENO + 1);
        set_spawn_signals(settings);
        std::vector<std::string> arguments{"/bin/sh", "-c", "read -r end; kill -s KILL -- \"-$0\"",
                                           std::to_string(group)};
        std::vector<std::string> variables;
        if (settings.error != 0 || ::posix_spawn(&id_, "/bin/sh", &settings.actions, &settings.attributes,
                                                 pointers_to(arguments).data(), pointers_to(variables).data()) != 0)
            id_ = 0;  // without a shell there is no guard
        alive_ = std::move(channel.write);
    }
    group_guard(const group_guard&) = delete;
    group_guard& operator=(const group_guard&) = delete;
    ~group_guard() {
        if (id_ == 0) return;
        ::kill(id_, SIGKILL);
        while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {}
    }

private:
    pid_t id_{};
    pipe_descriptor alive_;
};

/// A running child: its id, and the descriptors between it and the parent.
struct running_child {
    pid_t id{};
    pipe_descriptor death;  ///< readable when the child has ended; none if the system has no such descriptor
    pipe_reader result;
    pipe_reader output;
    pipe_descriptor requests;  ///< for requests; none for a child that answers once
    std::unique_ptr<group_guard> guard{};
};

/// A descriptor that becomes readable when the process ends: Linux 5.3.
[[nodiscard]] inline pipe_descriptor death_descriptor([[maybe_unused]] pid_t id) noexcept {
#if defined(SYS_pidfd_open)
    return pipe_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
#else
    return {};
#endif
}

/// Calls waitid, and repeats it after a signal. Returns 0 or an errno.
[[nodiscard]] inline int wait_for_process(pid_t id, siginfo_t& news, int options) noexcept {
    news = {};
    while (::waitid(P_PID, static_cast<id_t>(id), &news, options) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/// Whether the child ended or is unknown. The child stays uncollected: its id then still names it and its group.
[[nodiscard]] inline bool has_child_ended(pid_t id) noexcept {
    siginfo_t news;
    return wait_for_process(id, news, WEXITED | WNOHANG | WNOWAIT) != 0 || news.si_pid == id;
}

/// Sleeps until the child wrote or ended, or the time is up.
inline void wait_for_news(const running_child& child, std::chrono::nanoseconds at_most) noexcept {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_most).count();
    // Without a descriptor for its death, only polling finds an end that leaves the pipes open in other processes.
    const std::chrono::milliseconds::rep nap = child.death.get() >= 0 ? INT_MAX : 10;
    pollfd sources[] = {
        {child.death.get(), POLLIN, 0}, {child.result.descriptor(), POLLIN, 0}, {child.output.descriptor(), POLLIN, 0}};
    ::poll(sources, 3, static_cast<int>(std::min(left, nap)));
}

/// Follows the child until it ends (true) or the time is up (false).
[[nodiscard]] inline bool follow_child(running_child& child, waiting_clock time) {
    for (;;) {
        child.result.read_some();
        child.output.read_some();
        if (has_child_ended(child.id)) return true;
        const auto left = time.left();
        if (left <= std::chrono::nanoseconds::zero()) return false;
        wait_for_news(child, left);
    }
}

/// Kills the rest of the child and its group, and collects how it ended.
[[nodiscard]] inline child_end collect_child(running_child& child, bool in_time) {
    siginfo_t news;
    // While the child is uncollected, no other group can have its number.
    if (wait_for_process(child.id, news, WEXITED | WNOHANG | WNOWAIT) == 0) {
        ::kill(-child.id, SIGKILL);
        ::kill(child.id, SIGKILL);  // it may have left its group
    }
    child.guard.reset();  // before another group can get the number
    child_end end;
    if (wait_for_process(child.id, news, WEXITED) != 0) {
        end.how = child_outcome::uncollected;
    } else {
        end.how = news.si_code == CLD_EXITED ? child_outcome::exited : child_outcome::signalled;
        end.code = news.si_status;
    }
    if (!in_time) {
        end.how = child_outcome::timed_out;
        end.code = 0;
    }
    child.result.read_some();
    child.output.read_some();
    end.result = child.result.take();
    end.last_words = std::string(last_bytes(child.output.take(), max_last_words));
    return end;
}

[[nodiscard]] inline child_end start_failure(const child_command& command, int error) {
    const auto place =
        command.working_directory.empty() ? std::string() : fmt::format(" in {}", excerpt(command.working_directory));
    return {child_outcome::not_started,
            error,
            {},
            fmt::format("{}{}: {}", excerpt(command.executable), place, std::generic_category().message(error)),
            0};
}

enum class child_requests : std::uint8_t { none, served };

/// A child that serves requests.
class posix_process final : public running_process {
public:
    posix_process(const child_command& command, child_requests requests) {
        require_names(command);
        auto result = open_pipe();
        auto output = open_pipe();
        auto channel = requests == child_requests::served ? open_request_channel() : pipe_ends{};
        spawned_process spawned;
        for (const int error : {result.error, output.error, channel.error})
            if (spawned.error == 0) spawned.error = error;
        if (spawned.error == 0)
            spawned = spawn_child(command, {result.write.get(), output.write.get(), channel.read.get()});
        if (spawned.error != 0) {
            end_ = start_failure(command, spawned.error);
            return;
        }
        child_.reset(new running_child{spawned.id, death_descriptor(spawned.id),
                                       pipe_reader(std::move(result.read), keep_bytes::first, largest_child_result + 1),
                                       pipe_reader(std::move(output.read), keep_bytes::last, max_last_words),
                                       std::move(channel.write)});
        usage_ = usage_of_process(spawned.id);
        if (command.dies_with_parent) child_->guard = std::make_unique<group_guard>(child_->id);
    }
    ~posix_process() override {
        if (!end_) finish(true);
    }

    void send(std::string_view line) override {
        if (end_) return;
        resume();
        std::string bytes(line);
        bytes += '\n';
        ssize_t sent = 0;
        do {
            sent = ::send(child_->requests.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        } while (sent < 0 && errno == EINTR);
        // Each short request is answered before the next one, so the channel has room, unless the child reads none.
        const bool child_has_ended = sent < 0 && errno == EPIPE;  // or has closed the channel; `receive` says which
        unsent_ = child_has_ended ? 0 : bytes.size() - static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    }

    void pause() override {
        if (end_ || is_paused_) return;
        is_paused_ = true;
        signal_group(SIGSTOP);
    }

    [[nodiscard]] std::chrono::nanoseconds waited_for_processor() const override {
        return std::chrono::nanoseconds(end_ ? 0
                                             : run_delay_of(std::to_string(child_->id)) + run_delay_of("thread-self"));
    }

    [[nodiscard]] usage_meter* usage() override { return end_ ? nullptr : usage_.get(); }

    [[nodiscard]] child_answer receive(std::chrono::nanoseconds at_most, const wait_callback& tell) override {
        waiting_clock time(at_most, tell);
        if (!end_ && unsent_ > 0) {
            finish(true);
            return {{}, fmt::format("the child did not read {} bytes of a request", unsent_)};
        }
        while (!end_) {
            const bool ended = has_child_ended(child_->id);  // check before reading the pipe, so the last bytes count
            child_->result.read_some();
            child_->output.read_some();
            if (auto found = take_answer(child_->result.kept())) {
                if (!found->payload) finish(true);
                return *std::move(found);
            }
            const auto left = time.left();
            if (ended || left <= std::chrono::nanoseconds::zero()) finish(ended);
            else wait_for_news(*child_, left);
        }
        return {{}, "there is no answer: " + describe(*end_), kind_of(*end_)};
    }

    [[nodiscard]] child_end wait(std::chrono::nanoseconds at_most) override { return wait(waiting_clock(at_most, {})); }

    [[nodiscard]] child_end wait(const waiting_clock& time) {
        resume();
        if (!end_) finish(follow_child(*child_, time));
        return *end_;
    }

private:
    void resume() {
        if (!std::exchange(is_paused_, false) || end_) return;
        signal_group(SIGCONT);
    }

    void signal_group(int number) const noexcept {
        ::kill(-child_->id, number);
        ::kill(child_->id, number);  // it may have left its group
    }

    void finish(bool in_time) {
        end_ = collect_child(*child_, in_time);
        end_->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
        child_.reset();
    }

    std::chrono::steady_clock::time_point started_{std::chrono::steady_clock::now()};
    std::unique_ptr<running_child> child_;
    std::unique_ptr<usage_meter> usage_;
    std::optional<child_end> end_;
    bool is_paused_{};
    std::size_t unsent_{};  ///< bytes of the last request that the child's channel did not take
};

}  // namespace detail

child_end posix_launcher::run(const child_command& command, const wait_callback& tell) {
    const waiting_clock time(command.time_out, tell);
    return detail::posix_process(command, detail::child_requests::none).wait(time);
}

std::unique_ptr<running_process> posix_launcher::start(const child_command& command) {
    return std::make_unique<detail::posix_process>(command, detail::child_requests::served);
}

}  // namespace perfspec::inline v0_2
