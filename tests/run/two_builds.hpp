// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "scripted_run.hpp"

#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/json_fields.hpp>

namespace perfspec::testing {

/// A build, as its workers answer: the time of an iteration in the n-th process and its m-th sample.
struct scripted_build {
    std::function<double(int process, int sample)> call_ns = [](int, int) { return 1e6; };
    served_answer hello{.answer = "hello",
                        .protocol = child_protocol_version,
                        .perfspec = "0.2.0",
                        .unit = "ns",
                        .commit = "3f2c1ab"};  ///< without its key
    std::function<worker_reply(const std::string& request)>
        instead{};  ///< the reply, if its payload or end is not empty
    std::uint64_t iterations = 3;
    std::uint64_t max_iterations = 1'000'000;
    std::function<double(int process)> value = [](int) { return 1e6; };  ///< of a whole process
    int started = 0;
};

/// The word of a request; empty for the start.
inline std::string word_of(const std::string& request) {
    return request.empty() ? "" : detail::read_message_as<served_request>(request).request;
}

/// The same in every process and sample.
inline auto always(double ns) {
    return [ns](int, int) { return ns; };
}

/// A program that runs against another build of it, both scripted; time passes as their samples say.
struct two_builds : scripted_run {
    scripted_build head;
    scripted_build baseline;
    std::string key = "sorting / latency(sort)";
    std::vector<std::string> requests;  ///< "head start", R"(head {"request":"measure"})", in their order over both
    int max_living = 0;

    two_builds() : scripted_run(std::vector<child_end>{}) {
        variables["PERFSPEC_BASELINE_BUILD"] = "/baseline/sort_test";
        launcher.workers = [this](const child_command& command) {
            // A module's program comes before this one.
            const bool is_head = command.executable == start.executable ||
                                 std::ranges::find(command.arguments, start.executable) != command.arguments.end();
            scripted_build& b = is_head ? head : baseline;
            requests.push_back(is_head ? "head start" : "baseline start");
            return script(b, is_head ? "head " : "baseline ", b.started++);
        };
    }

    subject sort = takes("sort", std::chrono::milliseconds(1));

    /// How often a build got this request.
    [[nodiscard]] std::ptrdiff_t count(const std::string& request) const {
        return std::ranges::count(requests, request);
    }

private:
    worker_script script(scripted_build& b, const std::string& name, int process) {
        return [this, &b, name, process, sample = 0](const std::string& request) mutable -> worker_reply {
            max_living = std::max(max_living, launcher.living);
            if (!request.empty()) requests.push_back(name + request);
            if (b.instead) {
                if (worker_reply reply = b.instead(request); !reply.payload.empty() || reply.end) return reply;
            }
            return reply_of(b, request, process, sample);
        };
    }

    worker_reply reply_of(scripted_build& b, const std::string& request, int process, int& sample) {
        const std::string word = word_of(request);
        if (word == "finish") return {R"({"answer":"finished"})", child_end{.how = child_outcome::exited}};
        if (word == "measure") {
            wall.advance(std::chrono::milliseconds(100));
            return {parse_answer(process_of(b.value(process))).payload.value()};
        }
        if (word == "run") return {detail::message_line(sample_of(b, request, process, sample))};
        served_answer hello = b.hello;
        hello.key = key;
        const served_answer prepared{.answer = "prepared",
                                     .call_ns = b.call_ns(process, 0),
                                     .untimed_ns = 0.0,
                                     .tick_ns = 1.0,
                                     .iterations = b.iterations,
                                     .maximum = b.max_iterations};
        return {detail::message_line(word.empty() ? hello : prepared)};
    }

    served_answer sample_of(scripted_build& b, const std::string& request, int process, int& sample) {
        const std::uint64_t iterations = detail::read_message_as<served_request>(request).iterations.value();
        const double elapsed = b.call_ns(process, sample++) * static_cast<double>(iterations);
        wall.advance(std::chrono::nanoseconds(static_cast<std::int64_t>(elapsed)));
        return {.answer = "ran", .iterations = iterations, .elapsed_ns = static_cast<std::uint64_t>(elapsed)};
    }
};

[[nodiscard]] inline child_end ended(int code) { return {.how = child_outcome::exited, .code = code}; }

/// Replaces the reply to requests with this word.
[[nodiscard]] inline auto reply_to(const std::string& word, const worker_reply& reply) {
    return [word, reply](const std::string& request) { return word_of(request) == word ? reply : worker_reply{}; };
}

}  // namespace perfspec::testing
