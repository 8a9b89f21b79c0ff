// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/progress.hpp>

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/session/session.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace perfspec::detail {

/// Whether a claim that takes so many seconds is worth a line on the console.
inline bool is_worth_a_line(const claim_context& context, double seconds) {
    constexpr double long_seconds = 2.0;
    return seconds >= long_seconds && !context.is_child() && context.plan.verbosity != console_verbosity::quiet;
}

inline std::string cost_text(const std::string& claim, double seconds) {
    return claim + " takes up to " + format_seconds(seconds * 1e9);
}

inline double seconds_left(const process_progress& now) {
    const double one = now.seconds / static_cast<double>(std::max<std::size_t>(now.done, 1));
    return one * static_cast<double>(now.most - std::min(now.done, now.most));
}

/// ", 63 % of the evidence that it holds"; empty where the test has none yet. The evidence is a logarithm: it grows as
/// the processes do.
inline std::string evidence_text(const test_progress& test) {
    const auto share = [](double log_e, double threshold) {
        return threshold > 0.0 ? std::clamp(log_e / threshold, 0.0, 1.0) : 0.0;
    };
    const double holds = share(test.log_e_holds, test.log_threshold_holds);
    const double violated = share(test.log_e_violated, test.log_threshold_violated);
    const auto percent = static_cast<int>(100.0 * std::max(holds, violated));
    if (percent == 0) return {};
    return ", " + std::to_string(percent) + " % of the evidence that it " +
           (holds >= violated ? "holds" : "is violated");
}

std::string progress_text(const std::string& claim, const process_progress& now) {
    return claim + ": " + std::to_string(now.done) + " of " + (now.may_end_sooner ? "at most " : "") +
           std::to_string(now.most) + " " + std::string(now.unit) + ", " + (now.may_end_sooner ? "up to " : "") +
           format_seconds(seconds_left(now) * 1e9) + " left" + evidence_text(now.test);
}

/// How many processes of a claim that ends at its cap have room in it.
inline std::size_t most_within_cap(const claim_context& context, const process_progress& now) {
    const double cap = std::chrono::duration<double>(std::max(context.plan.cap, context.plan.budget)).count();
    const double room = cap * static_cast<double>(now.done) / std::max(now.seconds, 1e-9);
    return room >= static_cast<double>(now.most) ? now.most : std::max(now.done, static_cast<std::size_t>(room));
}

void show_progress(const claim_context& context, process_progress now) {
    constexpr double some_seconds = 1.0;  // a test that may decide at once is announced when it has not
    if (now.is_capped) now.most = most_within_cap(context, now);
    const double all = now.seconds + seconds_left(now);
    if (!is_worth_a_line(context, all) || (now.may_end_sooner && now.seconds < some_seconds)) return;
    status_line& status = context.run.status();
    status.announce(cost_text(context.text, all));
    status.update(progress_text(context.text, now));
}

void show_wait(const claim_context& context, const std::string& who, waiting_time time) {
    context.run.status().wait(who + " measures " + context.text, time);
}

std::string left_out_of_estimate(const claim_context& context) {
    std::string processes;
    for (const subject& x : context.subjects)
        if (const std::string& who = x.state().remote; !who.empty() && processes.find(who) == processes.npos)
            processes += (processes.empty() ? "" : " and ") + who;
    return processes.empty() ? processes : ", without the time of " + processes + " for imports and compiling";
}

void announce_cost(const claim_context& context, double seconds) {
    if (is_worth_a_line(context, seconds))
        context.run.status().announce(cost_text(context.text, seconds) + left_out_of_estimate(context));
}

}  // namespace perfspec::detail
