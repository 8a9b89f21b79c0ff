// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/launcher.hpp>
#include <perfspec/python/subject_worker.hpp>

#include "support/scripted_clock.hpp"
#include "support/scripted_launcher.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

inline const std::string worker_hello =
    R"({"answer":"hello","protocol":2,"language":"Python 3.11.7","subjects":["eager","inductor"],"settings":{"threads":"2","torch":"2.13.0"}})";

using replies = std::map<std::string, worker_reply>;

[[nodiscard]] inline detail::subject_request request_in(const std::string& line) {
    return line.empty() ? detail::subject_request{} : detail::read_message_as<detail::subject_request>(line);
}

/// The reply with the number of the request, unless it has one.
inline worker_reply numbered(worker_reply reply, const std::string& request) {
    if (!request.empty() && !reply.end && reply.payload.find("\"number\":") == std::string::npos)
        reply.payload.insert(reply.payload.size() - 1,
                             ",\"number\":" + std::to_string(request_in(request).number.value()));
    return reply;
}

/// A request without its number.
[[nodiscard]] inline std::string unnumbered(const std::string& request) {
    detail::subject_request read = request_in(request);
    read.number.reset();
    return request.empty() ? "" : detail::message_line(read);
}

/// A worker's process with one answer for each kind of request, and its requests. An answer takes 20 ms by a stepped
/// clock.
struct scripted_subject_worker {
    replies answers;
    std::vector<std::string> requests{};
    std::chrono::nanoseconds answers_after{std::chrono::milliseconds(20)};
    std::chrono::nanoseconds starves{};  ///< of that, the wait for a processor
    stepped_clock wall{};
    scripted_launcher launcher{std::vector<child_end>{}};

    explicit scripted_subject_worker(replies to_requests) : answers(std::move(to_requests)) {
        answers.try_emplace("", worker_reply{worker_hello});
        answers.try_emplace("load", worker_reply{R"({"answer":"loaded"})"});
        launcher.workers = [this](const child_command&) {
            return [this](const std::string& request) {
                requests.push_back(unnumbered(request));
                wall.advance(answers_after);
                launcher.waited_for_processor += starves;
                return numbered(answers.at(request_in(request).request), request);
            };
        };
    }

    static detail::worker_recipe recipe(const std::string& file = "models.py") {
        detail::worker_recipe recipe;
        recipe.who = "the worker of " + file;
        recipe.command.executable = "/usr/bin/python3";
        recipe.has_own_clock = true;
        return recipe;
    }
};

}  // namespace perfspec::testing
