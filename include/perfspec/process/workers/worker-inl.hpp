// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::inline v0_2 {

worker_channel::worker_channel(process_launcher& launcher, const child_command& command, std::string who,
                               std::chrono::nanoseconds patience)
    : who_(std::move(who)), patience_(patience), process_(launcher.start(command)) {}

void worker_channel::fail(const std::string& what, failure_kind kind) const {
    throw measurement_failure(kind, who_ + ": " + what);
}

void worker_channel::refuse(const std::string& reason, std::string_view kind) const {
    const failure_kind said = failure_kind_named(kind).value_or(failure_kind::worker_failed);
    const bool is_of_body = said == failure_kind::body_threw || said == failure_kind::setup_threw;
    fail(reason.empty() ? "it cannot be measured, and gives no reason" : reason,
         is_of_body ? failure_kind::worker_failed : said);
}

void worker_channel::refuse_line(std::string_view line, const std::string& why) const {
    fail(fmt::format("it says {}: {}", detail::excerpt(line), why));
}

child_answer worker_channel::receive(const wait_callback& tell) { return process_->receive(patience_, tell); }

child_answer worker_channel::send(std::string_view request, const wait_callback& tell) {
    process_->send(request);
    return receive(tell);
}

worker::worker(process_launcher& launcher, const child_command& command, std::string who,
               std::chrono::nanoseconds patience)
    : belongings_(command.belongings), channel_(launcher, command, std::move(who), patience) {}

void worker::require_suite(const served_answer& reply, const own_suite& own) const {
    const std::string theirs = reply.suite.empty() ? own.name : reply.suite;  // an older build does not send it
    if (own.name.empty() || theirs == own.name) return;
    channel_.fail(fmt::format(
        "it is another program, because its suite is {} and this one's is {}: name a build of this program, or, if it "
        "is one, give both the same suite, perfspec_discover_tests(… SUITE name)",
        detail::excerpt(theirs), detail::excerpt(own.name)));
}

std::optional<served_answer> worker::greeting(std::string_view key, const own_suite& own) {
    const child_answer first = channel_.receive();
    if (!first.payload) {
        const child_end end = channel_.wait();
        const bool silent = end.how == child_outcome::exited && end.code == 0;
        channel_.fail(first.fault + (silent ? "; is it a test program that was built with perfspec?" : ""), first.kind);
    }
    const auto reply = channel_.read<served_answer>(first);
    if (reply.answer == "unreached") {
        require_suite(reply, own);
        const child_end end = channel_.wait();
        if (!end.is_good()) channel_.fail("it did not reach this claim: " + describe(end), kind_of(end));
        return std::nullopt;
    }
    if (reply.answer != "hello") channel_.throw_unexpected(reply, "hello");
    if (reply.protocol != child_protocol_version)
        channel_.fail(fmt::format(
            "it is built with perfspec {}, whose workers speak version {}, and this program speaks version {}: build both with "
            "one version of perfspec",
            reply.perfspec.empty() ? "unknown" : reply.perfspec, reply.protocol.value_or(0), child_protocol_version));
    if (reply.work && !detail::is_amount(reply.work)) channel_.throw_unexpected(reply, "work from 0 up");
    if (own.is_explicit) require_suite(reply, own);
    if (reply.key != key)
        channel_.fail(fmt::format("it answered for {}, expected \"{}\"", detail::excerpt(reply.key), key));
    return reply;
}

bool detail::is_time(std::optional<std::uint64_t> ns) { return ns && *ns < std::uint64_t{1} << 57U; }
bool detail::are_times(const std::optional<processor_use>& use) {
    if (!use) return true;
    const auto is_in_range = [](auto n) { return is_time(static_cast<std::uint64_t>(n)); };  // below 0: far too large
    return is_in_range(use->waited_ns) && is_in_range(use->own_ns) && is_in_range(use->others_ns) &&
           is_in_range(use->ended_ns) && is_in_range(use->interruptions) && is_in_range(use->blocks);
}

bool detail::is_amount(std::optional<double> number) { return number && std::isfinite(*number) && *number >= 0.0; }

worker_calibration worker::prepare() {
    const auto reply = channel_.ask<served_answer>(served_request{"prepare"}, "prepared");
    if (!detail::is_amount(reply.call_ns) || *reply.call_ns == 0.0 || !detail::is_amount(reply.untimed_ns) ||
        !detail::is_amount(reply.tick_ns) || reply.iterations.value_or(0) == 0 || reply.maximum.value_or(0) == 0)
        channel_.throw_unexpected(reply, "call_ns, iterations and maximum above 0, untimed_ns and tick_ns from 0 up");
    return {{.call_ns = *reply.call_ns,
             .untimed_ns = *reply.untimed_ns,
             .iterations = *reply.iterations,
             .most_iterations = *reply.maximum,
             .computes = reply.computes.value_or(true)},
            *reply.tick_ns};
}

sample worker::run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core) {
    const auto reply =
        channel_.ask<served_answer>(served_request{"run", iterations, warm == warm_call::yes, core}, "ran");
    if (!detail::is_time(reply.elapsed_ns) || *reply.elapsed_ns == 0 || reply.iterations != iterations ||
        !detail::are_times(reply.use))
        channel_.throw_unexpected(reply, fmt::format("ran with iterations {} and elapsed_ns above 0", iterations));
    return {static_cast<std::int64_t>(*reply.elapsed_ns), iterations, reply.use.value_or(processor_use{})};
}

std::string worker::measure() {
    child_answer received = channel_.send(detail::message_line(served_request{"measure"}));
    const auto reply = channel_.read<served_answer>(received);
    if (!reply.answer.empty()) channel_.throw_unexpected(reply, "a record");
    return *std::move(received.payload);
}

void worker::finish() {
    static_cast<void>(channel_.ask<served_answer>(served_request{"finish"}, "finished"));
    static_cast<void>(channel_.wait());
}

}  // namespace perfspec::inline v0_2
