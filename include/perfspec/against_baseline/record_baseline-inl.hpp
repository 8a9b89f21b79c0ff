// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Records baselines: with the update flag, and on a first run without one.

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/devices.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/claim/stores.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>

namespace perfspec::inline v0_2::detail {

inline baseline_action action_of(update_action a) {
    switch (a) {
    case update_action::keep: return baseline_action::kept;
    case update_action::record: return baseline_action::recorded;
    case update_action::replace: return baseline_action::updated;
    case update_action::append: return baseline_action::appended;
    case update_action::refuse: break;
    }
    return baseline_action::refused;
}

inline std::string describe_update(const claim_context& context, const claim_result& result,
                                   const update_result& done) {
    const auto text = [&](const baseline_entry& entry) {
        return format_value(median(values_of(entry.processes)), context.unit);
    };
    std::string line = done.decision.reason;
    if (done.before && done.after && done.before->unit == done.after->unit) {
        const double change = change_between(*done.before, *done.after).fraction;
        line += "; was " + text(*done.before) + ", is " + text(*done.after) + " (" + format_change(change) + ")";
    } else if (done.after) {
        line += "; " + text(*done.after);
    }
    return line + "; " + resolution_text(context, result) + "; in " + result.baseline->file;
}

/// Updates the store. Errors name this program's options as remedies.
inline update_result update_with_remedies(baseline_store& store, const baseline_entry& entry,
                                          const update_request& request) {
    try {
        return store.update(entry, request);
    } catch (const unwritable_baselines& error) {
        throw input_error(std::string(error.what()) +
                          ":  --perf-baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines");
    }
}

/// The result of a claim whose processes this run recorded.
inline claim_result as_recorded(const claim_context& context, claim_result result, const baseline_store& store,
                                const baseline_entry& entry, baseline_action action, const char* reason) {
    baseline_origin origin =
        with_partial_result(result, [&] { return origin_of(context, store.path(), entry, action); });
    return judged(with_baseline(context, std::move(result), std::move(origin)), {.reason = reason});
}

inline constexpr const char* if_always_busy =
    "if this machine is always busy, compare with another build of the program, which needs no recording: "
    "PERFSPEC_BASELINE_BUILD=BUILD_FOLDER; to record such processes nevertheless, add --perf-record-anyway";

/// Refuses a session that other work or heat slowed down: its times are too long by a factor, and still look steady. An
/// update then fails; a first run tries again next time. Empty if the session is usable.
inline std::optional<judgement> refusal_of_session(const claim_context& context, const claim_result& result) {
    const bool are_lengthened = are_processes_lengthened(result);
    if (context.plan.record_anyway || (!are_lengthened && !are_devices_slowed(result))) return {};
    const bool updates = context.plan.update != baseline_update::none;
    const std::string when =
        are_lengthened ? "the machine has less to do" : "the device is cool and no other process uses it";
    return judgement{updates ? verdict::error : verdict::skipped,
                     (are_lengthened ? lengthening_text(result) : slowed_device_text(result)) +
                         (updates ? ": record it when " + when + ", or add --perf-record-anyway"
                                  : ", so nothing is recorded: the next run on this machine tries again"),
                     {if_always_busy}};
}

/// Whether an update would write the entry now. The update decides again, with the folder locked.
inline bool would_write(const baseline_store& store, const baseline_entry& entry, const update_request& request) {
    const baseline_lookup stored = store.find(entry.key);
    return decide_update(request, stored.entry ? &*stored.entry : nullptr, entry).writes();
}

/// The result with the recording of a session, unless the store refuses it.
inline claim_result with_recording(const claim_context& context, claim_result result, baseline_store& store,
                                   std::vector<stored_process> session, update_request request) {
    baseline_entry entry = entry_of(context, std::move(session));
    if (auto refused = refusal_of_session(context, result)) {
        baseline_origin origin = origin_of(context, store.path(), entry, baseline_action::refused);
        return judged(with_baseline(context, std::move(result), std::move(origin)), *std::move(refused));
    }
    const std::vector<double> values = values_of(entry.processes);
    request.headroom = headroom_of(context, median(values));
    explanation recorded;
    if (would_write(store, entry, request)) recorded = profile_to_store(context);
    entry.profile = recorded.profile;
    const update_result done = update_with_remedies(store, entry, request);
    if (done.decision.writes()) context.run.note_recorded(store.path(), context.key);
    baseline_origin origin =
        origin_of(context, store.path(), done.after ? *done.after : entry, action_of(done.decision.action));
    origin.now = values;
    origin.taken = entry.processes;
    origin.headroom = request.headroom.fraction;
    result = explained(with_baseline(context, std::move(result), std::move(origin)), std::move(recorded));
    const bool is_refused = done.decision.action == update_action::refuse;
    judgement outcome{is_refused ? verdict::error : verdict::skipped,
                      is_refused ? done.decision.reason : describe_update(context, result, done)};
    if (done.decision.because == refusal::noisy) outcome.advice = {if_always_busy};
    if (done.decision.because == refusal::another_source)
        outcome.advice = {"if you renamed the file, add --perf-record-anyway to record it"};
    return judged(std::move(result), std::move(outcome));
}

inline claim_result record_into(const claim_context& context, claim_result result, baseline_store& store,
                                const update_request& request) {
    if (context.run.has_recorded(store.path(), context.key)) {
        return as_recorded(context, std::move(result), store, store.find(context.key).entry.value(),
                           baseline_action::kept, "an earlier claim of this run recorded this baseline");
    }
    process_source processes(context);
    std::vector<stored_process> session =
        with_partial_result([&] { return joined(processes.totals(), result); },
                            [&] { return take_processes(context, processes, processes_to_record(context)); });
    result = joined(processes.totals(), std::move(result));
    return with_partial_result(result,
                               [&] { return with_recording(context, result, store, std::move(session), request); });
}

inline bool was_written(const claim_result& result) {
    if (!result.baseline) return false;
    const baseline_action action = result.baseline->action;
    return action == baseline_action::recorded || action == baseline_action::updated ||
           action == baseline_action::appended;
}

/// Records instead of judging, for the update flag.
inline claim_result update_baseline(const claim_context& context) {
    claim_result result = empty_result(context);
    result.on_request = is_on_request(context);
    file_system& files = context.run.system().files;
    const std::string folder = committed_folder(context.run.paths(context.plan), files);
    baseline_store store(files, address_in(context, folder));
    if (context.plan.update == baseline_update::missing) {
        const baseline_lookup stored = store.find(context.key);
        if (stored.outcome == lookup_outcome::found)
            return judged(with_baseline(context, std::move(result),
                                        origin_of(context, store.path(), *stored.entry, baseline_action::kept)),
                          {.reason = "this claim has a baseline, and this run records only missing ones"});
    }
    const update_request request{.mode = context.plan.update,
                                 .headroom = {},
                                 .noisy =
                                     context.plan.record_anyway ? noisy_processes::record : noisy_processes::refuse};
    return with_partial_result(result, [&] { return record_into(context, result, store, request); });
}

/// The command that accepts the processes of this run. It is part of the reason, because the line of a claim that is
/// skipped has no commands.
inline std::string how_to_accept(const claim_context& context, const claim_result& result) {
    const std::string accept = accept_from_results(context, result);
    return accept.empty() ? accept : "; to store what this run measured as baselines: " + accept;
}

/// " (accelerator:0 is Model X)"; empty for a claim on the processor.
inline std::string models_of_devices(const claim_context& context) {
    std::string text;
    for (const std::string& device : devices_of(context.subjects))
        text += (text.empty() ? " (" : ", ") + device + " is " + context.run.device(device).model;
    return text.empty() ? text : text + ")";
}

/// Says for which hardware there are no baselines. For a device also its model, and the hardware with baselines: often
/// that is another device.
inline std::string hardware_without_baselines(const claim_context& context) {
    const std::string models = models_of_devices(context);
    const std::string text = "no baselines for hardware \"" + context.hardware_key + "\"" + models + " are committed";
    if (models.empty()) return text;
    std::string others;
    file_system& files = context.run.system().files;
    if (const auto folder = find_committed_folder(context.run.paths(context.plan), files))
        for (const std::string& hardware : files.names_in(*folder))
            if (files.is_folder(*folder + "/" + hardware))
                others += (others.empty() ? "; there are baselines for " : ", ") + hardware;
    return text + others;
}

/// Records the first run on this machine.
inline claim_result record_first_run(const claim_context& context) {
    baseline_store store = local_store(context);
    claim_result result = record_into(context, empty_result(context), store,
                                      {.mode = baseline_update::all, .headroom = {}, .noisy = noisy_processes::record});
    if (!was_written(result)) return result;
    const baseline_origin& origin = *result.baseline;
    result.reason = "the first run on this machine" + models_of_devices(context) + ": " +
                    std::to_string(origin.processes) + " processes recorded, " +
                    format_value(origin.median, context.unit) + ", " + resolution_text(context, result) +
                    "; the next run compares with them (" + origin.file + ")";
    return result;
}

/// The origin of processes that `perfspec accept` can store, if this run records none.
inline baseline_origin origin_to_accept(const claim_context& context, std::vector<stored_process> processes) {
    baseline_origin origin;
    origin.key = context.key;
    origin.now = values_of(processes);
    origin.action = baseline_action::would_be_recorded;
    origin.machine = machine_of(context);
    if (!processes.empty()) origin.headroom = headroom_of(context, median(origin.now)).fraction;
    origin.taken = std::move(processes);
    return origin;
}

/// Handles a claim without a baseline: records one (outside of CI), or takes processes to accept and reports that there
/// is none (in CI).
inline claim_result without_baseline(const claim_context& context, bool has_hardware) {
    if (context.plan.ci != ci_rules::on) return record_first_run(context);
    process_source processes(context);
    const auto partial = [&] { return joined(processes.totals(), empty_result(context)); };
    std::vector<stored_process> session =
        with_partial_result(partial, [&] { return take_processes(context, processes, requested_processes(context)); });
    claim_result result = partial();
    result.baseline = with_partial_result(result, [&] { return origin_to_accept(context, std::move(session)); });
    if (!result.baseline->taken.empty()) result = explained(std::move(result), profile_to_store(context));
    judgement outcome{
        has_hardware ? verdict::error : verdict::skipped,
        has_hardware
            ? "this hardware has baselines, but this key has none: record it with PERFSPEC_UPDATE_BASELINES=missing, "
              "and commit the file"
            : hardware_without_baselines(context) + how_to_accept(context, result)};
    return judged(std::move(result), std::move(outcome));
}

}  // namespace perfspec::inline v0_2::detail
