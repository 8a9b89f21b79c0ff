// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/printable.hpp>
#include <perfspec/process/workers/worker_channel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perfspec {

failure_kind detail::kind_of_fault(std::string_view words) {
    if (words.find(time_out_words) != words.npos)
        return failure_kind::timed_out;  // the words may go on with the child's last ones
    return speaks_of_memory(words) ? failure_kind::out_of_memory : failure_kind::worker_failed;
}

worker_channel::worker_channel(process_launcher& launcher, const child_command& command, std::string who,
                               std::chrono::nanoseconds patience)
    : who_(std::move(who)), patience_(patience), process_(launcher.start(command)) {}

void worker_channel::fail(const std::string& what) const {
    throw measurement_failure(detail::kind_of_fault(what), who_ + ": " + what);
}

void worker_channel::throw_unexpected(const worker_message& found, std::string_view expected) const {
    if (found.word == "invalid") fail(found.text("reason").value_or("it cannot be measured, and does not say why"));
    fail(fmt::format("it says {} where \"{}\" was expected", detail::excerpt(to_text(found)), expected));
}

worker_message worker_channel::parse(std::string_view payload) const {
    auto message = parse_worker_message(payload);
    if (!message) fail(fmt::format("it says {}, which is not a message", detail::excerpt(std::string(payload))));
    return *std::move(message);
}

child_answer worker_channel::receive(const waiting_teller& tell) {
    std::chrono::nanoseconds waited{};
    while (tell && waited < patience_ && !process_->answers_within(std::min(waiting_step, patience_ - waited))) {
        waited += waiting_step;
        tell(waited);
    }
    return process_->receive(std::max(patience_ - waited, std::chrono::nanoseconds::zero()));
}

worker_message worker_channel::next_message(const waiting_teller& tell) {
    const child_answer found = receive(tell);
    if (!found.payload) fail(found.fault);
    return parse(*found.payload);
}

worker_message worker_channel::exchange(const worker_message& request, const waiting_teller& tell) {
    process_->send(to_text(request));
    return next_message(tell);
}

worker_message worker_channel::ask(const worker_message& request, std::string_view expected) {
    worker_message found = exchange(request);
    if (found.word != expected) throw_unexpected(found, expected);
    return found;
}

}  // namespace perfspec
