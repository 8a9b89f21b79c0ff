// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_launcher.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace perfspec::testing {

child_end answered(std::string_view payload) {
    return {.how = child_outcome::exited, .result = std::string(payload) + "\n", .seconds = 0.25};
}

scripted_process::scripted_process(worker_script script, int& living, int& pauses,
                                   const std::chrono::nanoseconds& waited_for_processor, usage_meter* usage)
    : script_(std::move(script)), living_(living), pauses_(pauses), waited_for_processor_(waited_for_processor),
      usage_(usage) {
    ++living_;
}
scripted_process::~scripted_process() { --living_; }

child_answer scripted_process::receive(std::chrono::nanoseconds at_most, const wait_callback& tell) {
    if (end_) return {{}, "there is no answer: " + describe(*end_), kind_of(*end_)};
    worker_reply reply = script_(request_);
    for (auto so_far = waiting_step; tell && so_far < std::min(reply.after, at_most); so_far += waiting_step)
        tell(so_far);
    end_ = std::move(reply.end);
    if (end_ && reply.payload.empty()) return {{}, "there is no answer: " + describe(*end_), kind_of(*end_)};
    return {std::move(reply.payload), {}};
}

scripted_launcher::scripted_launcher(std::vector<child_end> ends)
    : answer_([ends = std::move(ends), next = std::size_t{0}](const child_command&) mutable {
          if (next == ends.size()) throw std::logic_error("scripted_launcher: more children than scripted ends");
          return ends[next++];
      }) {}
scripted_launcher::scripted_launcher(std::function<child_end(const child_command&)> answer)
    : answer_(std::move(answer)) {}
scripted_launcher::~scripted_launcher() = default;

child_end scripted_launcher::run(const child_command& command, const wait_callback& tell) {
    for (auto so_far = waiting_step; tell && so_far < runs_for; so_far += waiting_step) tell(so_far);
    commands_.push_back(command);
    commands_.back().belongings.reset();
    return answer_(command);
}

std::unique_ptr<running_process> scripted_launcher::start(const child_command& command) {
    if (!workers) throw std::logic_error("scripted_launcher: a worker was started, and none is scripted");
    commands_.push_back(command);
    commands_.back().belongings.reset();
    return std::make_unique<scripted_process>(workers(command), living, pauses, waited_for_processor, usage);
}

}  // namespace perfspec::testing
