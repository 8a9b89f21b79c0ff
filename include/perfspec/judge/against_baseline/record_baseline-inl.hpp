// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Records launches: with the update flag, and on the first run where nothing is stored.

#include <perfspec/baseline/locate.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/judge/commands.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/devices.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/take_launches.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>

#include <perfspec/judge/against_baseline/find_baseline.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>

namespace perfspec::detail {

/// The change beyond the bound that the stored launches detect, in the direction that the claim forbids. For a
/// tolerance, the larger change of both directions. 0 where it is unknown.
inline double detectable_by(const claim_context& context, const comparable_launches& stored) {
    const auto towards = [&](direction claimed) { return detectable_by(stored, claimed).value_or(0.0); };
    if (context.has_tolerance()) return std::max(towards(direction::less), towards(direction::more));
    return towards(context.claims_less() ? direction::less : direction::more);
}

/// "+9 % or more beyond the bound": the change that a baseline detects. For a tolerance, "9 % or more beyond either
/// side".
inline std::string detectable_text(const claim_context& context, double detectable) {
    if (!std::isfinite(detectable)) return "nothing below ten times the bound";
    if (context.has_tolerance()) return format_percentage(detectable) + " or more beyond either side";
    return format_change(context.claims_less() ? detectable : -detectable) + " or more beyond the bound";
}

/// What to do about a baseline that misses most regressions; empty where it does not. The spread that refuses an update
/// is robust, so a few launches under load do not show in it.
inline std::string how_to_detect_more(const claim_context& context, const baseline_origin& origin) {
    constexpr double usual = 0.5;
    if (origin.detectable <= usual) return {};
    return "; it misses smaller changes, so record it again when the machine has less to do: " +
           update_variables(context, origin.file, "all");
}

/// "detects +9 % or more beyond the bound, from 3 recording sessions". Counts that all launches agree on are compared
/// exactly.
inline std::string resolution_text(const claim_context& context, const claim_result& result) {
    const baseline_origin& origin = *result.baseline;
    const std::string sessions = ", from " + counted(origin.sessions, "recording session");
    if (result.evidence.exact) return "any other count is a change" + sessions;
    return "detects " + detectable_text(context, origin.detectable) + sessions + how_to_detect_more(context, origin);
}

inline void describe_origin(const claim_context& context, claim_result& result, const std::string& file,
                            const baseline_entry& entry, baseline_action action) {
    const comparable_launches stored = launches_to_compare(context, entry);
    const std::vector<double> values = values_to_compare(context, stored);
    baseline_origin origin;
    origin.file = file;
    origin.key = entry.key;
    origin.median = median(values);
    origin.launches = entry.launches.size();
    const recording_session newest = sessions_of(entry.launches).back();
    origin.recorded = newest.when;
    origin.commit = newest.commit;
    origin.detectable = detectable_by(context, stored);
    origin.sessions = stored.sessions;
    origin.drift = stored.allowance();
    origin.values = values;
    origin.action = action;
    origin.machine = machine_of(context);
    origin.headroom = headroom_of(context, origin.median).fraction;
    result.baseline = std::move(origin);
    result.bound = bound_of(context, result.baseline->median);
    result.bound_text = bound_formula(context, result.baseline->median) +
                        (action == baseline_action::refused ? ", of " : ", a baseline of ") +
                        counted(result.baseline->launches, "launch") +
                        (action == baseline_action::refused ? " that are not recorded" : "");
}

inline baseline_action action_of(update_action a) {
    switch (a) {
    case update_action::keep: return baseline_action::kept;
    case update_action::record: return baseline_action::recorded;
    case update_action::replace: return baseline_action::recorded_anew;
    case update_action::append: return baseline_action::appended;
    case update_action::refuse: break;
    }
    return baseline_action::refused;
}

inline std::string describe_update(const claim_context& context, const claim_result& result,
                                   const update_result& done) {
    const auto text = [&](const baseline_entry& entry) {
        return format_value(median(values_of(entry.launches)), context.unit);
    };
    std::string line = done.decision.reason;
    if (done.before && done.after) {
        const double change = change_between(*done.before, *done.after).fraction;
        line += "; was " + text(*done.before) + ", is " + text(*done.after) + " (" + format_change(change) + ")";
    } else if (done.after) {
        line += "; " + text(*done.after);
    }
    return line + "; " + resolution_text(context, result) + "; in " + result.baseline->file;
}

/// Updates, and adds this program's own options to the remedies in errors and reasons.
inline update_result update_with_remedies(baseline_store& store, const baseline_entry& entry,
                                          const update_request& wanted) {
    try {
        update_result done = store.update(entry, wanted);
        if (done.decision.because == refusal::noisy) done.decision.reason += "; --perf-force records them anyway";
        return done;
    } catch (const unwritable_baselines& error) {
        throw input_error(std::string(error.what()) +
                          ":  --perf-baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines");
    }
}

/// Notes the value of a key that a claim compares with a baseline.
/// Throws input_error where an earlier pass of this run measured something else under the key.
inline void note_value_of_key(const claim_context& context, double value) {
    context.run.keys_in_use().note_value(context.key, positive_of_launch(context, value), [&](double v) {
        return format_value(context.query.unit == dimension::power ? std::log(v) : v, context.unit);
    });
}

/// Whether there is time for launches beyond the minimum.
inline bool is_patient(const claim_result& result) {
    return result.evidence.seconds < std::chrono::duration<double>(patience_for_launches).count();
}

/// A session takes the launches for which there is time, and at least the minimum.
inline process_progress progress_of_session(const claim_result& result, const launches_wanted& wanted) {
    const double one =
        result.evidence.seconds / static_cast<double>(std::max<std::size_t>(result.evidence.launches, 1));
    const double in_time =
        std::ceil(std::chrono::duration<double>(patience_for_launches).count() / std::max(one, 1e-9));
    const auto most = static_cast<std::size_t>(std::clamp(
        in_time, static_cast<double>(wanted.minimum), static_cast<double>(std::max(wanted.minimum, wanted.maximum))));
    return {
        .done = result.evidence.launches, .most = most, .seconds = result.evidence.seconds, .may_end_sooner = false};
}

/// The launches of a recording session: the minimum, then more up to the maximum while the patience lasts.
inline std::vector<stored_launch> take_session(const claim_context& context, claim_result& result,
                                               const launches_wanted& wanted) {
    std::vector<stored_launch> launches;
    while (launches.size() < wanted.minimum || (launches.size() < wanted.maximum && is_patient(result))) {
        launches.push_back(take_launch(context, result));
        show_progress(context, progress_of_session(result, wanted));
    }
    return launches;
}

/// Half of the processors that this process may run on, one at least.
inline std::size_t processors_to_keep_busy(const claim_context& context) {
    return std::max<std::size_t>(context.run.system().cores.size() / 2, 1);
}

/// How many launches of a recording session run beside busy processors.
/// None where no load can be made, where the metric may repeat exactly, or where they would take too long.
inline std::size_t launches_beside_load(const claim_context& context, double seconds_of_one) {
    constexpr std::size_t usual = 5;
    constexpr double longest_seconds = 5.0;
    if (context.run.system().make_load == nullptr || may_repeat_exactly(context.query.metric)) return 0;
    return seconds_of_one * usual > longest_seconds ? 0 : usual;
}

/// How far a load moves the median, as a fraction: a few launches beside busy processors against those of the session.
/// Nothing where no such launches are taken: a claim then allows for drift alone.
inline std::optional<double> move_by_load(const claim_context& context, claim_result& result,
                                          const std::vector<stored_launch>& session) {
    const std::size_t wanted =
        launches_beside_load(context, result.evidence.seconds / static_cast<double>(session.size()));
    const double quiet = positive_of_launch(context, median(values_of(session)));
    if (wanted == 0 || !(quiet > 0.0)) return {};
    claim_result aside = result;  // disturbances by the load are not noted on the recording
    std::vector<double> loaded;
    try {
        const auto load = context.run.system().make_load(processors_to_keep_busy(context));
        while (loaded.size() < wanted) loaded.push_back(positive_of_launch(context, take_launch_aside(context, aside)));
    } catch (const std::exception& failure) {  // the session is complete without them
        add_disturbances(result,
                         {.notes = {"its change under load could not be measured: " + std::string(failure.what())}});
        loaded.clear();
    }
    result.evidence.seconds = aside.evidence.seconds;
    if (loaded.empty()) return {};
    return std::round((median(loaded) / quiet - 1.0) * 1e3) / 1e3;
}

/// The launches of a recording session, each with the move that a load causes.
inline std::vector<stored_launch> take_session_and_load(const claim_context& context, claim_result& result) {
    std::vector<stored_launch> session = take_session(context, result, launches_to_record(context));
    const std::optional<double> moved = move_by_load(context, result, session);
    for (stored_launch& l : session) l.moved_by_load = moved;
    return session;
}

/// Keeps the launches that this run recorded, once two launches have shown that the key still measures the same thing.
inline void keep_recorded(const claim_context& context, claim_result& result, const baseline_store& store,
                          const baseline_entry& entry, baseline_action action, const char* reason) {
    const std::vector<stored_launch> launches = take_launches(context, result, 2);
    note_value_of_key(context, median(values_of(launches)));
    describe_origin(context, result, store.path(), entry, action);
    set_verdict(result, verdict::not_judged, reason);
}

/// Refuses a session that other work or heat slowed down: its times are a multiple of the code's own, and still look
/// steady. For an update that is a failure; a first run only tries again another time.
inline void refuse_slowed(const claim_context& context, claim_result& result, const baseline_store& store,
                          const baseline_entry& entry, const std::string& seen, const char* when) {
    describe_origin(context, result, store.path(), entry, baseline_action::refused);
    const bool updates = context.plan.update != baseline_update::none;
    set_verdict(result, updates ? verdict::invalid : verdict::not_judged,
                seen + (updates ? std::string(": record it when ") + when + "; --perf-force records it anyway"
                                : std::string(": nothing is recorded; the next run on this machine tries again")));
    result.advice.emplace_back(
        "if this machine is always busy, compare with another build of the program, which needs no record: "
        "PERFSPEC_AGAINST=BUILD_FOLDER; --perf-force records such launches all the same");
}

/// Whether the entry would be written now. The update itself decides again, with the folder locked.
inline bool would_write(const baseline_store& store, const baseline_entry& entry, const update_request& wanted) {
    const baseline_lookup known = store.find(entry.key);
    return decide_update(wanted, known.entry ? &*known.entry : nullptr, entry).writes();
}

inline void record_into(const claim_context& context, claim_result& result, baseline_store& store,
                        const update_request& request) {
    if (context.run.has_recorded(store.path(), context.key)) {
        return keep_recorded(context, result, store, store.find(context.key).entry.value(), baseline_action::kept,
                             "an earlier assertion of this run recorded its launches");
    }
    baseline_entry entry = entry_of(context, take_session_and_load(context, result));
    if (!context.plan.force && are_launches_overcommitted(result))
        return refuse_slowed(context, result, store, entry, overcommitment_text(result), "the machine has less to do");
    if (!context.plan.force && are_devices_slowed(result))
        return refuse_slowed(context, result, store, entry, slowed_device_text(result),
                             "the device is cool and nobody else uses it");
    const std::vector<double> values = values_of(entry.launches);
    note_value_of_key(context, median(values));
    update_request wanted = request;
    wanted.headroom = headroom_of(context, median(values));
    if (would_write(store, entry, wanted)) entry.operators = operators_to_store(context, result);
    const update_result done = update_with_remedies(store, entry, wanted);
    if (done.decision.writes()) context.run.note_recorded(store.path(), context.key);
    describe_origin(context, result, store.path(), done.after ? *done.after : entry, action_of(done.decision.action));
    result.baseline->now = values;
    result.baseline->taken = entry.launches;
    result.baseline->operators = entry.operators;
    result.baseline->headroom = wanted.headroom.fraction;
    if (done.decision.action == update_action::refuse) {
        set_verdict(result, verdict::invalid, done.decision.reason);
        return;
    }
    set_verdict(result, verdict::not_judged, describe_update(context, result, done));
}

inline bool was_written(const claim_result& result) {
    if (!result.baseline) return false;
    const baseline_action done = result.baseline->action;
    return done == baseline_action::recorded || done == baseline_action::recorded_anew ||
           done == baseline_action::appended;
}

/// Warns where the measured code differs from the commit that its launches name: this matters to everyone who compares
/// with them. Changes of the baseline files do not count: the update itself makes them.
inline void warn_of_uncommitted_code(const claim_context& context, const claim_result& result,
                                     const std::string& folder) {
    const std::string& commit = context.run.origin().commit;
    if (commit.empty() || context.plan.verbosity == console_verbosity::quiet || !was_written(result)) return;
    const std::string from_top = from_repository(context.run.system().files, absolute_path(context.run, folder));
    const bool in_repository = !from_top.starts_with('/');
    if (context.run.has_uncommitted_code(in_repository ? from_top : ""))
        context.run.log_once(
            "warning: the working tree has changes after " + commit.substr(0, 10) +
            ": these launches carry that commit, but changed code was measured; commit, and record again, before you share them");
}

/// Records instead of judging, as the update flag asks.
inline void update_baseline(const claim_context& context, claim_result& result) {
    note_request(context, result);
    file_system& files = context.run.system().files;
    const std::string folder = committed_folder(context.run.paths(context.plan), files).path;
    baseline_store store(files, address_in(context, folder));
    if (context.plan.update == baseline_update::missing) {
        const baseline_lookup known = store.find(context.key);
        if (known.outcome == lookup_outcome::found) {
            describe_origin(context, result, store.path(), *known.entry, baseline_action::kept);
            set_verdict(result, verdict::not_judged, "it has a baseline, and this run records only missing ones");
            return;
        }
    }
    record_into(context, result, store,
                {.mode = context.plan.update,
                 .headroom = {},
                 .noisy = context.plan.force ? noisy_launches::record : noisy_launches::refuse});
    warn_of_uncommitted_code(context, result, folder);
}

/// How to accept the launches of this run. It goes into the reason, because a claim that is not judged is one line
/// without commands.
inline std::string how_to_accept(const claim_context& context, const claim_result& result) {
    const std::string accept = accept_from_results(context, result);
    return accept.empty() ? accept : "; the results of this run hold launches to accept: " + accept;
}

/// " (cuda:0 is NVIDIA H100 80GB HBM3)"; empty for a claim on the processor.
inline std::string models_of_devices(const claim_context& context) {
    std::string text;
    for (const std::string& device : devices_of(context.subjects))
        text += (text.empty() ? " (" : ", ") + device + " is " + context.run.device(device).model;
    return text.empty() ? text : text + ")";
}

/// The hardware that a claim has no baselines for. Of a device also its model, and the hardware that has some: often it
/// is another device.
inline std::string hardware_without_baselines(const claim_context& context) {
    const std::string models = models_of_devices(context);
    const std::string text = "no baselines for hardware \"" + context.hardware_key + "\"" + models + " are committed";
    if (models.empty()) return text;
    std::string others;
    file_system& files = context.run.system().files;
    if (const auto folder = find_committed_folder(context.run.paths(context.plan), files))
        for (const std::string& hardware : files.names_in(folder->path))
            if (files.is_folder(folder->path + "/" + hardware))
                others += (others.empty() ? "; there are some for " : ", ") + hardware;
    return text + others;
}

/// Handles a claim without a baseline: records here (local policy), or takes launches to accept and reports that there
/// is none (ci policy).
inline void without_baseline(const claim_context& context, claim_result& result, bool hardware_is_known) {
    if (context.plan.policy == missing_baseline_policy::local) {
        baseline_store store = local_store(context);
        record_into(context, result, store,
                    {.mode = baseline_update::all, .headroom = {}, .noisy = noisy_launches::record});
        if (was_written(result)) {
            const baseline_origin& own = *result.baseline;
            result.reason = "the first run on this machine" + models_of_devices(context) + ": " +
                            std::to_string(own.launches) + " launches recorded, " +
                            format_value(own.median, context.unit) + ", " + resolution_text(context, result) +
                            "; the next run compares with them (" + own.file + ")";
        }
        return;
    }
    std::vector<stored_launch> launches = take_session(context, result, wanted_launches(context));
    result.baseline = baseline_origin{};
    result.baseline->key = context.key;
    result.baseline->now = values_of(launches);
    result.baseline->action = baseline_action::would_be_recorded;
    result.baseline->machine = machine_of(context);
    if (!launches.empty()) result.baseline->headroom = headroom_of(context, median(result.baseline->now)).fraction;
    result.baseline->taken = std::move(launches);
    if (!result.baseline->taken.empty()) result.baseline->operators = operators_to_store(context, result);
    set_verdict(
        result, hardware_is_known ? verdict::invalid : verdict::not_judged,
        hardware_is_known
            ? "this hardware has baselines, but this key has none: record it with the update flag, and commit the file"
            : hardware_without_baselines(context) + how_to_accept(context, result));
}

}  // namespace perfspec::detail
