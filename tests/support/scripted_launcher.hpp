// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// A child that answered with this payload.
[[nodiscard]] child_end answered(std::string_view payload);

/// The reply of a scripted worker to a request: a payload, or how it ended instead. The request "" stands for the
/// start, which it answers without a request.
struct worker_reply {
    std::string payload{};
    std::optional<child_end> end{};
    std::chrono::nanoseconds after{};  ///< how long it is awaited, by `receive`
};
using worker_script = std::function<worker_reply(const std::string& request)>;

/// A worker that runs by a script. It counts the living workers, so a test can check that none is left.
class scripted_process final : public running_process {
public:
    scripted_process(worker_script script, int& living, int& pauses,
                     const std::chrono::nanoseconds& waited_for_processor, usage_meter* usage);
    ~scripted_process() override;

    void send(std::string_view line) override { request_ = line; }
    void pause() override { ++pauses_; }
    [[nodiscard]] std::chrono::nanoseconds waited_for_processor() const override { return waited_for_processor_; }
    [[nodiscard]] usage_meter* usage() override { return usage_; }
    [[nodiscard]] child_answer receive(std::chrono::nanoseconds at_most, const wait_callback& tell) override;
    [[nodiscard]] child_end wait(std::chrono::nanoseconds) override {
        return end_.value_or(child_end{.how = child_outcome::exited});
    }

private:
    worker_script script_;
    int& living_;
    int& pauses_;
    const std::chrono::nanoseconds& waited_for_processor_;
    usage_meter* usage_;
    std::string request_;
    std::optional<child_end> end_;
};

/// Starts nothing. It remembers each command, and returns the scripted ends in order, or the result of a function of
/// the command.
class scripted_launcher final : public process_launcher {
public:
    explicit scripted_launcher(std::vector<child_end> ends);
    explicit scripted_launcher(std::function<child_end(const child_command&)> answer);
    ~scripted_launcher() override;

    [[nodiscard]] child_end run(const child_command& command, const wait_callback& tell) override;
    /// How long each run takes.
    std::chrono::nanoseconds runs_for{};

    /// Makes the script of each worker that is started, from its command.
    std::function<worker_script(const child_command&)> workers;
    /// How many workers live.
    int living{};
    /// How often workers were stopped until their next request.
    int pauses{};
    /// How long they have waited for a processor.
    std::chrono::nanoseconds waited_for_processor{};
    /// The meter of the next one; null: none.
    usage_meter* usage{};

    [[nodiscard]] std::unique_ptr<running_process> start(const child_command& command) override;

    [[nodiscard]] const std::vector<child_command>& commands() const noexcept { return commands_; }

private:
    std::function<child_end(const child_command&)> answer_;
    std::vector<child_command> commands_;
};

}  // namespace perfspec::testing
