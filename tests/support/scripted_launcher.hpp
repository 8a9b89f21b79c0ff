// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>

#include <functional>
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

    [[nodiscard]] const std::vector<child_command>& commands() const noexcept { return commands_; }

private:
    std::function<child_end(const child_command&)> answer_;
    std::vector<child_command> commands_;
};

}  // namespace perfspec::testing
