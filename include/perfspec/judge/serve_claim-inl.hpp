// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/session/build_kind.hpp>
#include <perfspec/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace perfspec::inline v0_2::detail {

inline std::string error_line(std::string reason, std::string kind = {}) {
    return message_line(served_answer{.answer = "error", .reason = std::move(reason), .kind = std::move(kind)});
}

/// The line that `make` returns; "error" with the reason if it throws.
template <class Make> std::string line_or_reason(Make make) {
    try {
        return make();
    } catch (const measurement_failure& failure) {
        return error_line(failure.what(), std::string(to_string(failure.kind)));
    } catch (const std::exception& fault) { return error_line(fault.what()); }
}

/// The code that other processes run for these subjects; empty if one is in C++.
inline std::string remote_code(const std::vector<subject>& subjects) {
    std::vector<std::string> all;
    for (const subject& x : subjects) {
        if (x.state().runs.empty()) return {};
        all.push_back(x.state().runs);
    }
    return fmt::format("{}", fmt::join(all, " and "));
}

/// "hello", or "error" with the reason why this claim cannot be measured here.
inline std::string introduction(const claim_context& context) {
    return line_or_reason([&] {
        if (context.position.failed_before) return error_line("an assertion before the claim failed");
        if (std::string reason = traits_of(context.query.metric).from == reading::module
                                     ? reason_of_build(context.where.build, context.run)
                                     : reason_of_build_or_machine(context.where.build, context.run);
            !reason.empty())
            return error_line(std::move(reason));
        if (std::string reason = reason_not_to_measure(context); !reason.empty()) return error_line(std::move(reason));
        served_answer hello{.answer = "hello",
                            .protocol = child_protocol_version,
                            .perfspec = std::string(library_version),
                            .suite = context.run.project().suite,  // not the file name: a build may have been renamed
                            .key = context.key,
                            .unit = std::string(base_unit(context.unit)),
                            .commit = context.run.built_commit(),
                            .runs = remote_code(context.query.subjects)};
        if (is_rate(context.query.metric)) hello.work = declared_work(context.query, context.names.front());
        return message_line(hello);
    });
}

inline std::string answer_to_prepare(const claim_context& context) {
    const metric_kind m = context.query.metric;
    const subject& x = context.query.subjects.front();
    const subject_calibration c = calibrate_calls(x, settings_of(context, m), clocks_for(context, m));
    return message_line(served_answer{.answer = "prepared",
                                      .call_ns = c.call_ns,
                                      .untimed_ns = std::max(c.untimed_ns, 0.0),
                                      .tick_ns = context.run.facts_of(clocks_for(context, m).metric).resolution_ns,
                                      .iterations = c.iterations,
                                      .maximum = c.most_iterations,
                                      .computes = c.computes});
}

inline std::string answer_to_run(const claim_context& context, const served_request& request) {
    if (request.iterations.value_or(0) == 0 || !request.warm)
        return error_line("a request says " + message_line(request) +
                          R"(, expected for example {"request":"run","iterations":5,"warm":true})");
    if (request.core) context.run.system().move_to_core(*request.core);
    const sample taken = take_metered_sample(
        context.query.subjects.front(), *request.iterations, *request.warm ? warm_call::yes : warm_call::no,
        clocks_for(context, context.query.metric), metered_waiting::of_all_threads);
    served_answer ran{
        .answer = "ran", .iterations = taken.iterations, .elapsed_ns = static_cast<std::uint64_t>(taken.elapsed_ns)};
    if (taken.use != processor_use{.is_beside_others = taken.use.is_beside_others}) ran.use = taken.use;
    return message_line(ran);
}

inline std::string answer_to_process(const claim_context& context) {
    const counting_scope counting(context);
    if (!counting.fault().empty()) return error_line(counting.fault());
    return to_json_line(record_of(context, measure_one_process(context)));
}

inline served_request read_request(std::string_view line) {
    try {
        return read_message_as<served_request>(line);
    } catch (const json_fault& fault) { return {.request = fmt::format("{}: {}", excerpt(line), fault.what())}; }
}

/// The answer to "prepare", "run" or "measure"; "error" with the reason for a failure and for any other request.
inline std::string answer_to(const claim_context& context, const served_request& request) {
    return line_or_reason([&] {
        if (request.request == "prepare") return answer_to_prepare(context);
        if (request.request == "run") return answer_to_run(context, request);
        if (request.request == "measure") return answer_to_process(context);
        return error_line("a request says " + request.request + ", expected prepare, run, measure or finish");
    });
}

void serve_parent(const claim_context& context) {
    const child_request& request = *context.run.child();
    request_reader requests(request);
    context.framework.measuring_starts(context.where, context.claim);  // the host names the claim after a crash
    answer(request, introduction(context));
    while (const auto line = requests.next()) {
        const served_request asked = read_request(*line);
        if (asked.request == "finish") reply_and_exit(request, message_line(served_answer{"finished"}));
        answer(request, answer_to(context, asked));
    }
    ::_exit(1);
}

void send_unreached_at_exit() {
    static const pid_t own = ::getpid();
    std::atexit([] {
        if (::getpid() != own) return;  // a forked process ends
        answer(*this_session().child(),
               message_line(served_answer{.answer = "unreached", .suite = this_session().suite()}));
    });
}

}  // namespace perfspec::inline v0_2::detail
