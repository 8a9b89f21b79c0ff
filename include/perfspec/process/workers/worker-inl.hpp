// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child_request.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/workers/worker.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace perfspec {

worker::worker(process_launcher& launcher, const child_command& command, std::string who,
               std::chrono::nanoseconds patience)
    : belongings_(command.belongings), channel_(launcher, command, std::move(who), patience) {}

void worker::require_suite(const worker_message& found, const own_suite& own) const {
    const std::string theirs = found.text("suite").value_or(own.name);  // an older build does not send it
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
        channel_.fail(first.fault + (silent ? "; is it a test program that was built with perfspec?" : ""));
    }
    const worker_message found = channel_.parse(*first.payload);
    if (found.word == "unreached") {
        require_suite(found, own);
        for (const auto& [name, value] : found.fields)
            if (name == "key") keys_passed_.push_back(value);
        const child_end end = channel_.wait();
        const bool ended_well =
            (end.how == child_outcome::exited && end.code == 0) || end.how == child_outcome::uncollected;
        if (!ended_well) channel_.fail("it did not reach this claim: " + describe(end));
        return std::nullopt;
    }
    if (found.word != "hello") channel_.throw_unexpected(found, "hello");
    worker_greeting greeting{.perfspec = found.text("perfspec").value_or("unknown"),
                             .key = found.text("key").value_or(""),
                             .unit = found.text("unit").value_or(""),
                             .work = found.number("work").value_or(0.0),
                             .commit = found.text("commit").value_or(""),
                             .hardware = found.text("hardware").value_or(""),
                             .runs = found.text("runs").value_or("")};
    if (const auto version = found.text("protocol").value_or("none"); version != std::to_string(child_protocol_version))
        channel_.fail(fmt::format(
            "it is built with perfspec {}, whose workers speak version {}, and this program speaks version {}: build both with "
            "one version of perfspec",
            greeting.perfspec, version, child_protocol_version));
    if (own.told) require_suite(found, own);
    if (greeting.key != key)
        channel_.fail(fmt::format("it answers for {}, asked was \"{}\"", detail::excerpt(greeting.key), key));
    return greeting;
}

worker_calibration worker::prepare() {
    const worker_message found = channel_.ask({"prepare"}, "prepared");
    const auto call = found.number("call_ns");
    const auto untimed = found.number("untimed_ns");
    const auto iterations = found.whole("iterations");
    const auto maximum = found.whole("most_iterations");
    const auto resolution = found.number("resolution_ns");
    if (!call || *call == 0.0 || !untimed || !iterations || *iterations == 0 || !maximum || *maximum == 0 ||
        !resolution)
        channel_.throw_unexpected(
            found, "prepared call_ns=20123.4 untimed_ns=0 iterations=5 most_iterations=1000000000 resolution_ns=1");
    return {{*call, *untimed, *iterations}, *maximum, *resolution};
}

sample worker::run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core) {
    worker_message request{"run"};
    request.add("iterations", iterations);
    request.add("warm", std::string(warm == warm_call::yes ? "yes" : "no"));
    if (core) request.add("core", std::uint64_t{*core});
    const worker_message found = channel_.ask(request, "ran");
    const auto elapsed = found.whole("elapsed_ns");
    const bool usable = elapsed && *elapsed > 0 && *elapsed < std::uint64_t{1} << 62U;
    if (!usable || found.whole("iterations") != iterations)
        channel_.throw_unexpected(found, fmt::format("ran iterations={} elapsed_ns=100123", iterations));
    return {static_cast<std::int64_t>(*elapsed), iterations};
}

std::string worker::launch() {
    const worker_message found = channel_.ask({"launch"}, "launched");
    auto record = found.text("record");
    if (!record) channel_.throw_unexpected(found, "launched record=…");
    return *std::move(record);
}

void worker::finish() {
    static_cast<void>(channel_.ask({"finish"}, "finished"));
    static_cast<void>(channel_.wait());
}

}  // namespace perfspec
