// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Messages between processes: the request to a child, its plan, lines of answers, and what a worker is asked and says.
#include "fuzz/oracle.hpp"
#include "support/scripted_environment.hpp"

#include <perfspec/plan/plan.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/python/subject_worker.hpp>

#include <algorithm>
#include <vector>

#include <unistd.h>

namespace perfspec::fuzz {
namespace {

void check_plan_message(const plan_message& message) {
    if (const auto p = accepted([&] { return read_plan(message); }, "plan: ")) check_plan(*p);
}

void check_request(std::string_view text) {
    const testing::scripted_environment given{{"PERFSPEC_CHILD", std::string(text)}};
    const auto request = accepted([&] { return read_child_request(given).value(); }, "PERFSPEC_CHILD: ");
    if (!request) return;
    const auto written = testing::scripted_environment::of(child_environment({}, *request));
    require(read_child_request(written) == *request, "a request is read back as the same value", text);
    check_plan_message(request->plan);
}

template <class Message> void check_message_as(std::string_view text) {
    std::string written;
    try {
        written = detail::message_line(detail::read_message_as<Message>(text));
    } catch (const detail::json_fault& fault) { return check_message(fault.what(), ""); }
    require(written.find('\n') == written.npos, "a message is one line", written);
    require(detail::message_line(detail::read_message_as<Message>(written)) == written,
            "a message is read back as the same value", written);
}

/// The answers in bytes that arrive in parts of a size, up to the first fault.
std::vector<child_answer> answers_in(std::string_view bytes, std::size_t size) {
    std::vector<child_answer> found;
    std::string pending;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        pending += bytes.substr(0, size);
        while (const auto answer = take_answer(pending)) {
            found.push_back(*answer);
            if (!answer->payload) return found;
        }
    }
    return found;
}

void check_answers(std::string_view text) {
    const std::string line = R"({"answer":"ran"})", bytes = line + '\n' + std::string(text);
    const auto whole = answers_in(bytes, bytes.size()), parts = answers_in(bytes, 1 + some_position(text));
    require(whole.front().payload == line, "a whole line is an answer", text);
    require(std::ranges::equal(whole, parts, {}, &child_answer::payload, &child_answer::payload),
            "bytes that arrive in parts hold the same answers", text);
    if (!whole.back().payload) check_message(whole.back().fault, "the child");
    const child_answer alone = parse_answer({.how = child_outcome::exited, .result = std::string(text)});
    if (!alone.payload) check_message(alone.fault, "the");
    require(!alone.payload || *alone.payload + '\n' == text, "an answer is the whole of what came", text);
}

/// The lines that a worker reads from a pipe.
void check_requests(std::string_view text) {
    int ends[2];
    if (text.size() > 4096 || ::pipe(ends) != 0) return;
    require(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()), "a pipe takes 4 KiB");
    ::close(ends[1]);
    request_reader reader({.request_descriptor = ends[0]});
    std::string lines;
    while (const auto line = reader.next()) lines += *line + '\n';
    ::close(ends[0]);
    require(lines == text.substr(0, text.rfind('\n') + 1), "a worker reads each line of the pipe", lines);
}

}  // namespace
}  // namespace perfspec::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace perfspec::fuzz;
    const std::string_view text = text_of(data, size);
    check_request(text);
    check_message_as<perfspec::served_request>(text);
    check_message_as<perfspec::served_answer>(text);
    check_message_as<perfspec::detail::subject_request>(text);
    check_message_as<perfspec::detail::subject_answer>(text);
    check_answers(text);
    check_requests(text);
    return 0;
}
