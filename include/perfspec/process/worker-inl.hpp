// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/worker.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace perfspec {

failure_kind detail::kind_of_fault(std::string_view words) {
    if (words.find(time_out_words) != words.npos) return failure_kind::timed_out;  // the words may go on with the child's last ones
    return speaks_of_memory(words) ? failure_kind::out_of_memory : failure_kind::worker_failed;
}

worker::worker(process_launcher& launcher, const child_command& command, std::string who, std::chrono::nanoseconds patience)
    : who_(std::move(who)), patience_(patience), process_(launcher.start(command)) {}

void worker::fail(const std::string& what) const { throw measurement_failure(detail::kind_of_fault(what), who_ + ": " + what); }

void worker::throw_unexpected(const worker_message& found, std::string_view expected) const {
    if (found.word == "invalid") fail(found.text("reason").value_or("it cannot be measured, and does not say why"));
    fail(fmt::format("it says {} where \"{}\" was expected", detail::excerpt(to_text(found)), expected));
}

void worker::require_suite(const worker_message& found, const own_suite& own) const {
    const std::string theirs = found.text("suite").value_or(own.name);  // an older build does not send it
    if (own.name.empty() || theirs == own.name) return;
    fail(fmt::format(
        "it is another program: its suite is {}, and this one's is {}; name a build of this program, and where it is one, give both "
        "one suite: perfspec_discover_tests(… SUITE name)",
        detail::excerpt(theirs), detail::excerpt(own.name)));
}

worker_message worker::next_message() {
    const child_answer found = process_->receive(patience_);
    if (!found.payload) fail(found.fault);
    auto message = parse_worker_message(*found.payload);
    if (!message) fail(fmt::format("it says {}, which is not a message", detail::excerpt(*found.payload)));
    return *std::move(message);
}

worker_message worker::ask(const worker_message& request, std::string_view expected) {
    process_->send(to_text(request));
    worker_message found = next_message();
    if (found.word != expected) throw_unexpected(found, expected);
    return found;
}

std::optional<worker_greeting> worker::greeting(std::string_view key, const own_suite& own) {
    const child_answer first = process_->receive(patience_);
    if (!first.payload) {
        const child_end end = process_->wait(patience_);
        const bool silent = end.how == child_outcome::exited && end.code == 0;
        fail(first.fault + (silent ? "; is it a test program that was built with perfspec?" : ""));
    }
    const auto found = parse_worker_message(*first.payload);
    if (!found) fail(fmt::format("it says {}, which is not a message", detail::excerpt(*first.payload)));
    if (found->word == "unreached") {
        require_suite(*found, own);
        for (const auto& [name, value] : found->fields)
            if (name == "key") keys_passed_.push_back(value);
        const child_end end = process_->wait(patience_);
        const bool ended_well = (end.how == child_outcome::exited && end.code == 0) || end.how == child_outcome::uncollected;
        if (!ended_well) fail("it did not reach this claim: " + describe(end));
        return std::nullopt;
    }
    if (found->word != "hello") throw_unexpected(*found, "hello");
    worker_greeting greeting{.perfspec = found->text("perfspec").value_or("unknown"),
                             .key = found->text("key").value_or(""),
                             .unit = found->text("unit").value_or(""),
                             .work = found->number("work").value_or(0.0),
                             .commit = found->text("commit").value_or(""),
                             .hardware = found->text("hardware").value_or("")};
    if (const auto version = found->text("protocol").value_or("none"); version != std::to_string(child_protocol_version))
        fail(
            fmt::format("it is built with perfspec {}, whose workers speak version {}, and this program speaks version {}: build both with "
                        "one version of perfspec",
                        greeting.perfspec, version, child_protocol_version));
    if (own.told) require_suite(*found, own);
    if (greeting.key != key) fail(fmt::format("it answers for {}, asked was \"{}\"", detail::excerpt(greeting.key), key));
    return greeting;
}

worker_calibration worker::prepare() {
    const worker_message found = ask({"prepare"}, "prepared");
    const auto call = found.number("call_ns");
    const auto untimed = found.number("untimed_ns");
    const auto iterations = found.whole("iterations");
    const auto maximum = found.whole("most_iterations");
    const auto resolution = found.number("resolution_ns");
    if (!call || *call == 0.0 || !untimed || !iterations || *iterations == 0 || !maximum || *maximum == 0 || !resolution)
        throw_unexpected(found, "prepared call_ns=20123.4 untimed_ns=0 iterations=5 most_iterations=1000000000 resolution_ns=1");
    return {{*call, *untimed, *iterations}, *maximum, *resolution};
}

sample worker::run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core) {
    worker_message request{"run"};
    request.add("iterations", iterations);
    request.add("warm", std::string(warm == warm_call::yes ? "yes" : "no"));
    if (core) request.add("core", std::uint64_t{*core});
    const worker_message found = ask(request, "ran");
    const auto elapsed = found.whole("elapsed_ns");
    const bool usable = elapsed && *elapsed > 0 && *elapsed < std::uint64_t{1} << 62U;
    if (!usable || found.whole("iterations") != iterations)
        throw_unexpected(found, fmt::format("ran iterations={} elapsed_ns=100123", iterations));
    return {static_cast<std::int64_t>(*elapsed), iterations};
}

std::string worker::launch() {
    const worker_message found = ask({"launch"}, "launched");
    auto record = found.text("record");
    if (!record) throw_unexpected(found, "launched record=…");
    return *std::move(record);
}

void worker::finish() {
    static_cast<void>(ask({"finish"}, "finished"));
    static_cast<void>(process_->wait(patience_));
}

}  // namespace perfspec
