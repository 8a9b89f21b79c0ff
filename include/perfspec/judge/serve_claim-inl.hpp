// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/launches/take_launches.hpp>
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

namespace perfspec::inline v0_1::detail {

inline worker_message invalid_message(std::string reason) {
    worker_message message{"invalid"};
    message.add("reason", std::move(reason));
    return message;
}

inline worker_message invalid_message(const measurement_failure& failure) {
    worker_message message = invalid_message(std::string(failure.what()));
    message.add("kind", std::string(to_string(failure.kind)));
    return message;
}

/// The message that `make` returns; "invalid" with the reason if it throws.
template <class Make> worker_message message_or_reason(Make make) {
    try {
        return make();
    } catch (const measurement_failure& failure) { return invalid_message(failure); } catch (const input_error& wrong) {
        return invalid_message(std::string(wrong.what()));
    }
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

/// "hello", or "invalid" with the reason why this claim cannot be measured here.
inline worker_message introduction(const claim_context& context) {
    return message_or_reason([&] {
        if (context.position.failed_before) return invalid_message("an assertion before the claim failed");
        if (std::string reason = traits_of(context.query.metric).from == reading::module
                                     ? reason_of_build(context.where.build, context.run)
                                     : reason_of_build_or_machine(context.where.build, context.run);
            !reason.empty())
            return invalid_message(std::move(reason));
        if (std::string reason = reason_not_to_measure(context); !reason.empty())
            return invalid_message(std::move(reason));
        worker_message hello{"hello"};
        hello.add("protocol", std::uint64_t{child_protocol_version});
        hello.add("perfspec", std::string(library_version));
        hello.add("unit", std::string(base_unit(context.unit)));
        hello.add("work", is_rate(context.query.metric) ? declared_work(context.query, context.names.front()) : 0.0);
        hello.add("commit", context.run.built_commit());
        if (const std::string runs = remote_code(context.query.subjects); !runs.empty()) hello.add("runs", runs);
        // A suite that is only the file name is not sent, because a build may have been renamed.
        if (const std::string& suite = context.run.project().suite; !suite.empty()) hello.add("suite", suite);
        hello.add("key", context.key);
        return hello;
    });
}

inline worker_message answer_to_prepare(const claim_context& context) {
    const metric_kind m = context.query.metric;
    const subject& x = context.query.subjects.front();
    const subject_calibration c = calibrate_calls(x, settings_of(context, m), clocks_for(context, m));
    worker_message prepared{"prepared"};
    prepared.add("call_ns", c.call_ns);
    prepared.add("untimed_ns", std::max(c.untimed_ns, 0.0));
    prepared.add("iterations", c.iterations);
    prepared.add("most_iterations", c.most_iterations);
    prepared.add("computes", std::uint64_t{c.computes});
    prepared.add("resolution_ns", context.run.facts_of(clocks_for(context, m).metric).resolution_ns);
    return prepared;
}

inline worker_message answer_to_run(const claim_context& context, const worker_message& request) {
    const auto iterations = request.whole("iterations");
    const auto warm = request.text("warm");
    if (!iterations || *iterations == 0 || (warm != "yes" && warm != "no"))
        return invalid_message("a request says \"" + to_text(request) +
                               "\", expected such as \"run iterations=5 warm=yes\"");
    if (const auto core = request.whole("core"); core && *core <= UINT32_MAX)
        context.run.system().move_to_core(static_cast<std::uint32_t>(*core));
    const sample taken =
        take_metered_sample(context.query.subjects.front(), *iterations, warm == "yes" ? warm_call::yes : warm_call::no,
                            clocks_for(context, context.query.metric), metered_waiting::of_all_threads);
    worker_message ran{"ran"};
    ran.add("iterations", taken.iterations);
    ran.add("elapsed_ns", static_cast<std::uint64_t>(taken.elapsed_ns));
    return with_use(std::move(ran), taken.use);
}

inline worker_message answer_to_launch(const claim_context& context) {
    const counting_scope counting(context);
    if (!counting.fault().empty()) return invalid_message(counting.fault());
    worker_message launched{"launched"};
    launched.add("record", to_json_line(record_of(context, measure_one_launch(context))));
    return launched;
}

/// The answer to "prepare", "run" or "launch"; "invalid" with the reason for a failure and for any other line.
inline worker_message answer_to(const claim_context& context, const std::string& line) {
    return message_or_reason([&] {
        const auto request = parse_worker_message(line);
        if (request && request->word == "prepare") return answer_to_prepare(context);
        if (request && request->word == "run") return answer_to_run(context, *request);
        if (request && request->word == "launch") return answer_to_launch(context);
        return invalid_message("a request says \"" + line + "\", expected prepare, run, launch or finish");
    });
}

void serve_parent(const claim_context& context) {
    const child_request& request = *context.run.child();
    request_reader requests(request);
    context.framework.measuring_starts(context.where, context.claim);  // the host names the claim after a crash
    answer(request, to_text(introduction(context)));
    while (const auto line = requests.next()) {
        if (*line == "finish") reply_and_exit(request, "finished");
        answer(request, to_text(answer_to(context, *line)));
    }
    ::_exit(1);
}

void send_unreached_at_exit() {
    static const pid_t own = ::getpid();
    std::atexit([] {
        if (::getpid() != own) return;  // a forked process ends
        worker_message message{"unreached"};
        message.add("suite", this_session().suite());
        answer(*this_session().child(), to_text(message));
    });
}

}  // namespace perfspec::inline v0_1::detail
