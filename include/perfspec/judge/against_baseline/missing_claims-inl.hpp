// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/against_baseline/missing_claims.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/processes/launch_pair.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/plan_text.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/error.hpp>

#include <algorithm>
#include <chrono>

namespace perfspec::detail {

/// The keys of the other build's claims. That build is asked for a claim that does not exist, so it passes all of its
/// claims.
inline std::vector<std::string> keys_of(session& run, const plan& p, const std::vector<std::string>& arguments) {
    const system_access& system = run.system();
    const std::string no_claim = "no claim of any test";
    auto variables = without_new_options(child_environment(
        system.start.environment, {.address = {no_claim, 0}, .task = child_task::serve, .seed = 0, .plan = {}}));
    const child_command command{.executable = reference_program(run, p),
                                .arguments = arguments,
                                .environment = std::move(variables),
                                .working_directory = system.start.working_directory,
                                .time_out = std::max(p.cap, p.budget) + std::chrono::minutes(10)};
    worker other(system.launcher, command, "the reference build (" + command.executable + ")", command.time_out);
    // It passes every claim. Its file name does not show whether it is a build of this program; the claims of this run
    // have checked that.
    const own_suite own = own_suite_of(run);
    static_cast<void>(other.greeting(no_claim, own.told ? own : own_suite{}));
    return other.keys_passed();
}

inline std::string describe_missing(const std::vector<std::string>& gone, const std::string& program) {
    if (gone.empty()) return {};
    std::string text = "perfspec: " + std::to_string(gone.size()) +
                       (gone.size() == 1 ? " claim of the reference build is" : " claims of the reference build are") +
                       " gone (" + program + ")\n";
    for (const std::string& key : gone) text += "  " + excerpt(key) + "\n";
    return text;
}

inline bool asks_for_settings(const plan& p) {
    return !p.device.empty() || p.dtype != requested_dtype::as_written || p.batch || p.threads;
}

std::string missing_claims(session& run, const std::vector<std::string>& arguments) {
    try {
        const plan p = run.resolve_plan({});
        if (run.child() || p.against.empty() || p.mode != evaluation_mode::measure || run.records().empty()) return {};
        if (asks_for_settings(p)) return {};  // the reference build would tell its keys without them
        const std::vector<std::string> own = run.keys();
        std::vector<std::string> theirs = keys_of(run, p, arguments);
        std::erase_if(theirs, [&](const std::string& key) { return std::ranges::binary_search(own, key); });
        return describe_missing(theirs, reference_program(run, p));
    } catch (const measurement_failure& failure) {
        return std::string("perfspec: claims that only the reference build has are not listed: ") + failure.what() +
               "\n";
    } catch (const input_error&) { return {}; }  // every assertion has reported it
}

}  // namespace perfspec::detail
