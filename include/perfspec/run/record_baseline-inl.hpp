// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Recording launches: the update flag, and the first run where nothing is stored.

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/commands.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/run/take_launches-inl.hpp>
#include <perfspec/stats/detectable_effect.hpp>
#include <perfspec/stats/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace perfspec::detail {

inline bool claims_less(const evaluation& e) { return sign_of(e.tree().compared) < 0.0; }

/// "can see about +4 %": what the stored launches resolve in the direction that the claim forbids, or in the worse one of two.
inline double detectable_by(const evaluation& e, std::vector<double> values) {
    for (double& v : values) v = positive_of_launch(e, v);
    if (std::ranges::any_of(values, [](double v) { return !(v > 0.0); })) return 0.0;
    const detectable_effect seen = detectable_from(values);
    if (e.asked.tree.tolerance) return std::max(seen.rise, seen.fall);
    return claims_less(e) ? seen.rise : seen.fall;
}

/// "+4 %": what a baseline can see, in the direction that the claim forbids; "4 % to either side" of a tolerance.
inline std::string sight_text(const evaluation& e, double detectable) {
    if (e.asked.tree.tolerance) return format_percentage(detectable) + " to either side";
    return format_change(claims_less(e) ? detectable : -detectable);
}

std::string bound_formula(const evaluation& e, double stored) {
    const double factor = e.asked.tree.factor;  // as written, of a tolerance its middle
    const double offset = e.asked.tree.offset;
    std::string text = format_value(stored, e.out.unit);
    char factor_text[32];
    std::snprintf(factor_text, sizeof factor_text, "%g x ", factor);
    if (factor != 1.0) text.insert(0, factor_text);
    if (offset != 0.0) text += (offset < 0.0 ? " - " : " + ") + format_value(std::abs(offset), e.out.unit);
    return text;
}

inline void describe_origin(evaluation& e, const std::string& file, const baseline_entry& entry, baseline_action action) {
    const std::vector<double> values = values_of(entry.launches);
    baseline_origin origin;
    origin.file = file;
    origin.key = entry.key;
    origin.median = median(values);
    origin.launches = entry.launches.size();
    origin.recorded = entry.launches.back().when;
    origin.commit = entry.launches.back().commit;
    origin.detectable = detectable_by(e, values);
    origin.values = values;
    origin.action = action;
    origin.machine = machine_of(e);
    origin.headroom = headroom_of(e, origin.median).fraction;
    e.out.baseline = std::move(origin);
    e.out.bound = bound_of(e, e.out.baseline->median);
    e.out.bound_text =
        bound_formula(e, e.out.baseline->median) + ", a baseline of " + std::to_string(e.out.baseline->launches) + " launches";
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

inline std::string describe_update(const evaluation& e, const update_result& done) {
    const auto text = [&](const baseline_entry& entry) { return format_value(median(values_of(entry.launches)), e.out.unit); };
    std::string line = done.decision.reason;
    if (done.before && done.after) {
        const double change = change_between(*done.before, *done.after).fraction;
        line += "; was " + text(*done.before) + ", is " + text(*done.after) + " (" + format_change(change) + ")";
    } else if (done.after) {
        line += "; " + text(*done.after);
    }
    line += "; can see " + sight_text(e, e.out.baseline ? e.out.baseline->detectable : 0.0);
    return line + "; in " + e.out.baseline->file;
}

/// Updates, and adds this program's own options to what they remedy.
inline update_result update_with_remedies(baseline_store& store, const baseline_entry& entry, const update_request& wanted) {
    try {
        update_result done = store.update(entry, wanted);
        if (done.decision.because == refusal::noisy) done.decision.reason += "; --perf-force records them all the same";
        return done;
    } catch (const unwritable_baselines& error) {
        throw input_error(std::string(error.what()) + ":  --perf-baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines");
    }
}

/// Notes what was measured for a claim on a baseline. Throws input_error where an earlier pass of this run measured something else under the key.
inline void note_value_of_key(evaluation& e, double value) {
    e.context.keys_in_use().note_value(e.out.key, positive_of_launch(e, value), [&](double v) {
        return format_value(e.query().unit == dimension::power ? std::log(v) : v, e.out.unit);
    });
}

/// What this run recorded stays, once two launches have shown that it is the same thing still.
inline void keep_recorded(evaluation& e, const baseline_store& store, const baseline_entry& entry, baseline_action action,
                          const char* reason) {
    const std::vector<stored_launch> launches = take_launches(e, 2);
    if (launches.size() < 2) return;
    note_value_of_key(e, median(values_of(launches)));
    describe_origin(e, store.path(), entry, action);
    set_verdict(e, verdict::not_judged, reason);
}

inline void record_into(evaluation& e, baseline_store& store, const update_request& request) {
    if (e.context.has_recorded(store.path(), e.out.key)) {
        return keep_recorded(e, store, store.find(e.out.key).entry.value(), baseline_action::kept,
                             "an earlier assertion of this run recorded its launches");
    }
    const std::size_t count = std::max(wanted_launches(e), launches_to_record);
    std::vector<stored_launch> launches = take_launches(e, count);
    if (launches.size() < count) return;
    const baseline_entry entry = entry_of(e, std::move(launches));
    const std::vector<double> values = values_of(entry.launches);
    note_value_of_key(e, median(values));
    update_request wanted = request;
    wanted.headroom = headroom_of(e, median(values));
    const update_result done = update_with_remedies(store, entry, wanted);
    if (done.decision.writes()) e.context.note_recorded(store.path(), e.out.key);
    describe_origin(e, store.path(), done.after ? *done.after : entry, action_of(done.decision.action));
    e.out.baseline->now = values;
    e.out.baseline->taken = entry.launches;
    e.out.baseline->headroom = wanted.headroom.fraction;
    if (done.decision.action == update_action::refuse) {
        set_verdict(e, verdict::invalid, done.decision.reason);
        return;
    }
    set_verdict(e, verdict::not_judged, describe_update(e, done));
}

inline bool was_written(const evaluation& e) {
    if (!e.out.baseline) return false;
    const baseline_action done = e.out.baseline->action;
    return done == baseline_action::recorded || done == baseline_action::recorded_anew || done == baseline_action::appended;
}

/// Launches name a commit. Whether that is what was measured matters to whoever compares with them; the files of baselines change by the update
/// itself, and say nothing about the code.
inline void warn_of_uncommitted_code(evaluation& e, const std::string& folder) {
    const std::string& commit = e.context.origin().commit;
    if (commit.empty() || e.plan.verbosity == console_verbosity::quiet || !was_written(e)) return;
    const std::string from_top = from_repository(e.context.around().files, absolute_path(e.context, folder));
    const bool in_repository = !from_top.starts_with('/');
    if (e.context.has_uncommitted_code(in_repository ? from_top : ""))
        e.context.tell_once(
            "warning: the working tree has changes after " + commit.substr(0, 10) +
            ": launches are recorded as that commit's, and are not; commit, and record again, what others are to compare with");
}

void update_baseline(evaluation& e) {
    note_request(e);
    file_system& files = e.context.around().files;
    const std::string folder = committed_folder(e.context.paths(e.plan), files).path;
    baseline_store store(files, address_in(e, folder));
    if (e.plan.update == baseline_update::missing) {
        const baseline_lookup known = store.find(e.out.key);
        if (known.outcome == lookup_outcome::found) {
            describe_origin(e, store.path(), *known.entry, baseline_action::kept);
            set_verdict(e, verdict::not_judged, "it has a baseline, and only missing ones are recorded");
            return;
        }
    }
    record_into(e, store, {.mode = e.plan.update, .headroom = {}, .noisy = e.plan.force ? noisy_launches::record : noisy_launches::refuse});
    warn_of_uncommitted_code(e, folder);
}

/// What is not judged is one line, without its commands.
inline std::string how_to_accept(const evaluation& e) {
    const std::string accept = accept_from_results(e);
    return accept.empty() ? accept : "; the results of this run hold launches to accept: " + accept;
}

void without_baseline(evaluation& e, const baseline_lookup& committed) {
    if (e.plan.policy == missing_baseline_policy::local) {
        baseline_store store = local_store(e);
        record_into(e, store, {.mode = baseline_update::all, .headroom = {}, .noisy = noisy_launches::record});
        if (e.out.verdict == verdict::not_judged) {
            const baseline_origin& own = *e.out.baseline;
            e.out.reason = "the first run on this machine: " + std::to_string(own.launches) + " launches recorded, " +
                           format_value(own.median, e.out.unit) + ", can see " + sight_text(e, own.detectable) +
                           "; the next run compares with them (" + own.file + ")";
        }
        return;
    }
    const std::size_t count = wanted_launches(e);
    std::vector<stored_launch> launches = take_launches(e, count);
    if (launches.size() < count) return;
    e.out.baseline = baseline_origin{};
    e.out.baseline->key = e.out.key;
    e.out.baseline->now = values_of(launches);
    e.out.baseline->action = baseline_action::would_be_recorded;
    e.out.baseline->machine = machine_of(e);
    if (!launches.empty()) e.out.baseline->headroom = headroom_of(e, median(e.out.baseline->now)).fraction;
    e.out.baseline->taken = std::move(launches);
    const bool known = committed.hardware_known();
    set_verdict(e, known ? verdict::invalid : verdict::not_judged,
                known ? "this hardware has baselines, this key has none: record it with the update flag and commit the file"
                      : "no baselines for hardware \"" + e.out.hardware_key + "\" are committed" + how_to_accept(e));
}

}  // namespace perfspec::detail
