// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::inline v0_1 {

void worker_message::add(std::string name, std::uint64_t value) { add(std::move(name), std::to_string(value)); }
void worker_message::add(std::string name, double value) { add(std::move(name), fmt::format("{}", value)); }

std::optional<std::string> worker_message::text(std::string_view name) const {
    const auto found = std::ranges::find(fields, name, [](const auto& field) { return std::string_view(field.first); });
    return found == fields.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> worker_message::number(std::string_view name) const {
    const auto value = text(name);
    const auto number = value ? parse_number(*value) : std::nullopt;
    return number && *number >= 0.0 ? number : std::nullopt;
}

std::optional<std::uint64_t> worker_message::whole(std::string_view name) const {
    const auto value = text(name);
    return value ? detail::whole_number<std::uint64_t>(*value) : std::nullopt;
}

std::string to_text(const worker_message& message) {
    std::string line = message.word;
    for (const auto& [name, value] : message.fields)
        line += fmt::format(" {}={}", name, detail::escape_value(value, ' '));
    return line;
}

std::optional<worker_message> parse_worker_message(std::string_view line) {
    worker_message message{.word = std::string(line.substr(0, line.find(' ')))};
    if (message.word.empty() || message.word.find('=') != std::string::npos || line.find('\n') != line.npos)
        return std::nullopt;
    line.remove_prefix(message.word.size());
    while (!line.empty()) {
        line.remove_prefix(1);  // skip the blank
        const auto field = line.substr(0, line.find(' '));
        line.remove_prefix(field.size());
        const auto equals = field.find('=');
        if (equals == field.npos || equals == 0) return std::nullopt;
        auto value = detail::unescape_value(field.substr(equals + 1));
        if (!value) return std::nullopt;
        message.add(std::string(field.substr(0, equals)), *std::move(value));
    }
    return message;
}

worker_channel::worker_channel(process_launcher& launcher, const child_command& command, std::string who,
                               std::chrono::nanoseconds patience)
    : who_(std::move(who)), patience_(patience), process_(launcher.start(command)) {}

void worker_channel::fail(const std::string& what, failure_kind kind) const {
    throw measurement_failure(kind, who_ + ": " + what);
}

void worker_channel::throw_unexpected(const worker_message& reply, std::string_view expected) const {
    const failure_kind said = failure_kind_named(reply.text("kind").value_or("")).value_or(failure_kind::worker_failed);
    const bool is_of_body = said == failure_kind::body_threw || said == failure_kind::setup_threw;
    if (reply.word == "invalid")
        fail(reply.text("reason").value_or("it cannot be measured, and gives no reason"),
             is_of_body ? failure_kind::worker_failed : said);
    fail(fmt::format("it says {} where \"{}\" was expected", detail::excerpt(to_text(reply)), expected));
}

worker_message worker_channel::parse(std::string_view payload) const {
    auto message = parse_worker_message(payload);
    if (!message) fail(fmt::format("it says {}, which is not a message", detail::excerpt(std::string(payload))));
    return *std::move(message);
}

child_answer worker_channel::receive(const wait_callback& tell) { return process_->receive(patience_, tell); }

worker_message worker_channel::next_message(const wait_callback& tell) {
    const child_answer reply = receive(tell);
    if (!reply.payload) fail(reply.fault, reply.kind);
    return parse(*reply.payload);
}

worker_message worker_channel::exchange(const worker_message& request, const wait_callback& tell) {
    process_->send(to_text(request));
    return next_message(tell);
}

worker_message worker_channel::ask(const worker_message& request, std::string_view expected) {
    worker_message reply = exchange(request);
    if (reply.word != expected) throw_unexpected(reply, expected);
    return reply;
}

worker::worker(process_launcher& launcher, const child_command& command, std::string who,
               std::chrono::nanoseconds patience)
    : belongings_(command.belongings), channel_(launcher, command, std::move(who), patience) {}

void worker::require_suite(const worker_message& reply, const own_suite& own) const {
    const std::string theirs = reply.text("suite").value_or(own.name);  // an older build does not send it
    if (own.name.empty() || theirs == own.name) return;
    channel_.fail(fmt::format(
        "it is another program: its suite is {}, and this one's is {}; name a build of this program, and where it is one, give both "
        "one suite: perfspec_discover_tests(… SUITE name)",
        detail::excerpt(theirs), detail::excerpt(own.name)));
}

std::optional<worker_greeting> worker::greeting(std::string_view key, const own_suite& own) {
    const child_answer first = channel_.receive();
    if (!first.payload) {
        const child_end end = channel_.wait();
        const bool silent = end.how == child_outcome::exited && end.code == 0;
        channel_.fail(first.fault + (silent ? "; is it a test program that was built with perfspec?" : ""), first.kind);
    }
    const worker_message reply = channel_.parse(*first.payload);
    if (reply.word == "unreached") {
        require_suite(reply, own);
        const child_end end = channel_.wait();
        if (!end.is_good()) channel_.fail("it did not reach this claim: " + describe(end), kind_of(end));
        return std::nullopt;
    }
    if (reply.word != "hello") channel_.throw_unexpected(reply, "hello");
    worker_greeting greeting{.perfspec = reply.text("perfspec").value_or("unknown"),
                             .key = reply.text("key").value_or(""),
                             .unit = reply.text("unit").value_or(""),
                             .work = reply.number("work").value_or(0.0),
                             .commit = reply.text("commit").value_or(""),
                             .runs = reply.text("runs").value_or("")};
    if (const auto version = reply.text("protocol").value_or("none"); version != std::to_string(child_protocol_version))
        channel_.fail(fmt::format(
            "it is built with perfspec {}, whose workers speak version {}, and this program speaks version {}: build both with "
            "one version of perfspec",
            greeting.perfspec, version, child_protocol_version));
    if (own.is_explicit) require_suite(reply, own);
    if (greeting.key != key)
        channel_.fail(fmt::format("it answers for {}; the request was for \"{}\"", detail::excerpt(greeting.key), key));
    return greeting;
}

worker_message detail::with_use(worker_message message, const processor_use& use) {
    const auto add = [&](const char* name, std::uint64_t value) {
        if (value > 0) message.add(name, value);
    };
    add("own_ns", static_cast<std::uint64_t>(use.own_ns));
    add("others_ns", static_cast<std::uint64_t>(use.others_ns));
    add("ended_ns", static_cast<std::uint64_t>(use.ended_ns));
    add("waited_ns", static_cast<std::uint64_t>(use.waited_ns));
    add("interruptions", use.interruptions);
    add("blocks", use.blocks);
    return message;
}

processor_use detail::use_in(const worker_message& answer) {
    constexpr std::uint64_t longest_ns = std::uint64_t{1} << 62U;
    const auto count = [&](const char* name) { return answer.whole(name).value_or(0); };
    const auto time = [&](const char* name) { return static_cast<std::int64_t>(std::min(count(name), longest_ns)); };
    return {.own_ns = time("own_ns"),
            .others_ns = time("others_ns"),
            .ended_ns = time("ended_ns"),
            .waited_ns = time("waited_ns"),
            .interruptions = count("interruptions"),
            .blocks = count("blocks")};
}

worker_calibration worker::prepare() {
    const worker_message reply = channel_.ask({"prepare"}, "prepared");
    const auto call = reply.number("call_ns");
    const auto untimed = reply.number("untimed_ns");
    const auto iterations = reply.whole("iterations");
    const auto maximum = reply.whole("most_iterations");
    const auto resolution = reply.number("resolution_ns");
    if (!call || *call == 0.0 || !untimed || !iterations || *iterations == 0 || !maximum || *maximum == 0 ||
        !resolution)
        channel_.throw_unexpected(
            reply, "prepared call_ns=20123.4 untimed_ns=0 iterations=5 most_iterations=1000000000 resolution_ns=1");
    worker_calibration calibration{{*call, *untimed, *iterations, *maximum}, *resolution};
    calibration.x.computes = reply.whole("computes") != 0U;
    return calibration;
}

sample worker::run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core) {
    worker_message request{"run"};
    request.add("iterations", iterations);
    request.add("warm", std::string(warm == warm_call::yes ? "yes" : "no"));
    if (core) request.add("core", std::uint64_t{*core});
    const worker_message reply = channel_.ask(request, "ran");
    const auto elapsed = reply.whole("elapsed_ns");
    const bool usable = elapsed && *elapsed > 0 && *elapsed < std::uint64_t{1} << 62U;
    if (!usable || reply.whole("iterations") != iterations)
        channel_.throw_unexpected(reply, fmt::format("ran iterations={} elapsed_ns=100123", iterations));
    return {static_cast<std::int64_t>(*elapsed), iterations, detail::use_in(reply)};
}

std::string worker::launch() {
    const worker_message reply = channel_.ask({"launch"}, "launched");
    auto record = reply.text("record");
    if (!record) channel_.throw_unexpected(reply, "launched record=…");
    return *std::move(record);
}

void worker::finish() {
    static_cast<void>(channel_.ask({"finish"}, "finished"));
    static_cast<void>(channel_.wait());
}

}  // namespace perfspec::inline v0_1
