// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// A child that answered with this payload.
[[nodiscard]] inline child_end answered(std::string_view payload) {
    return {.how = child_outcome::exited, .code = 0, .result = frame_answer(payload), .last_words = {}, .seconds = 0.25};
}

/// What a scripted worker says to a request, "" being the first word that nobody asks for: a payload, or how it ended instead.
struct worker_reply {
    std::string payload{};
    std::optional<child_end> end{};
};
using worker_script = std::function<worker_reply(const std::string& request)>;

/// A worker that runs by a script. How many live is counted, so that a test sees that none is left.
class scripted_process final : public running_process {
public:
    scripted_process(worker_script script, int& living) : script_(std::move(script)), living_(living) { ++living_; }
    ~scripted_process() override { --living_; }

    void send(std::string_view line) override { request_ = line; }
    [[nodiscard]] child_answer receive(std::chrono::nanoseconds) override {
        if (end_) return {{}, "there is no answer: " + describe(*end_)};
        worker_reply reply = script_(request_);
        end_ = std::move(reply.end);
        if (end_ && reply.payload.empty()) return {{}, "there is no answer: " + describe(*end_)};
        return {std::move(reply.payload), {}};
    }
    [[nodiscard]] child_end wait(std::chrono::nanoseconds) override { return end_.value_or(child_end{.how = child_outcome::exited}); }

private:
    worker_script script_;
    int& living_;
    std::string request_;
    std::optional<child_end> end_;
};

/// Starts nothing: remembers each command, and hands out the scripted ends in order or what a function makes of the command.
class scripted_launcher final : public process_launcher {
public:
    explicit scripted_launcher(std::vector<child_end> ends)
        : answer_([ends = std::move(ends), next = std::size_t{0}](const child_command&) mutable {
              if (next == ends.size()) throw std::logic_error("scripted_launcher: more children than scripted ends");
              return ends[next++];
          }) {}
    explicit scripted_launcher(std::function<child_end(const child_command&)> answer) : answer_(std::move(answer)) {}

    [[nodiscard]] child_end run(const child_command& command) override {
        commands_.push_back(command);
        return answer_(command);
    }

    /// What the workers that are started say: made for each from its command.
    std::function<worker_script(const child_command&)> workers;
    /// How many of them live.
    int living{};

    [[nodiscard]] std::unique_ptr<running_process> start(const child_command& command) override {
        if (!workers) throw std::logic_error("scripted_launcher: a worker was started, and none is scripted");
        commands_.push_back(command);
        return std::make_unique<scripted_process>(workers(command), living);
    }

    [[nodiscard]] const std::vector<child_command>& commands() const noexcept { return commands_; }

private:
    std::function<child_end(const child_command&)> answer_;
    std::vector<child_command> commands_;
};

}  // namespace perfspec::testing
