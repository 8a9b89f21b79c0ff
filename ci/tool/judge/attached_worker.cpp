// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "attached_worker.hpp"

#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace perfspec::tool {
namespace {

class attached_process final : public running_process {
public:
    // A new process says hello by itself.
    explicit attached_process(worker_descriptors to) : to_(to) { send(R"({"request":"hello"})"); }

    void send(std::string_view line) override {
        const std::string whole = std::string(line) + '\n';
        for (std::string_view left = whole; !left.empty();) {
            const ssize_t count = ::write(to_.requests, left.data(), left.size());
            if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
            else if (errno != EINTR) return;  // `receive` reports that the process ended
        }
    }
    void pause() override {}  // the process of the test has other work, too

    [[nodiscard]] std::chrono::nanoseconds waited_for_processor() const override {
        return std::chrono::nanoseconds(detail::run_delay_of(std::to_string(::getppid())) +
                                        detail::run_delay_of("thread-self"));
    }
    [[nodiscard]] usage_meter* usage() override { return usage_.get(); }
    [[nodiscard]] child_answer receive(std::chrono::nanoseconds at_most, const wait_callback& tell) override {
        waiting_clock time(at_most, tell);
        while (!next_ && !(next_ = take_answer(bytes_))) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(time.left());
            if (left.count() <= 0)
                return {
                    {},
                    fmt::format("it did not answer within {:.0f} s", std::chrono::duration<double>(at_most).count())};
            pollfd source{to_.answers, POLLIN, 0};
            if (::poll(&source, 1, static_cast<int>(std::min<long>(left.count(), 3'600'000))) > 0) read_some();
        }
        return std::exchange(next_, std::nullopt).value();
    }
    [[nodiscard]] child_end wait(std::chrono::nanoseconds) override { return {.how = child_outcome::exited}; }

private:
    void read_some() {
        char some[65536];
        const ssize_t count = ::read(to_.answers, some, sizeof some);
        if (count > 0) bytes_.append(some, static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR) next_ = child_answer{{}, "the test's process ended"};
    }

    worker_descriptors to_;
    std::unique_ptr<usage_meter> usage_{usage_of_process(::getppid())};
    std::string bytes_{};
    std::optional<child_answer> next_{};
};

}  // namespace

child_end attaching_launcher::run(const child_command&, const wait_callback&) {
    throw input_error("the test's own process serves requests, so it cannot be started");
}

std::unique_ptr<running_process> attaching_launcher::start(const child_command&) {
    return std::make_unique<attached_process>(to_);
}

}  // namespace perfspec::tool
