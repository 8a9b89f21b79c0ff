// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subject_state.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/commands.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/earlier_state.hpp>
#include <perfspec/run/notes.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/stats/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace perfspec::detail {

std::size_t wanted_launches(const evaluation& e) {
    const std::size_t asked = e.plan.launches ? *e.plan.launches : launches_to_record;
    return asked == 0 ? 0 : std::max(asked, stored_rank_test::fewest_stored);
}

double bound_of(const evaluation& e, double stored) { return e.tree().factor * stored + e.tree().offset; }

percentage headroom_of(const evaluation& e, double baseline) {
    const double stored = positive_of_launch(e, baseline);
    return {stored > 0.0 ? std::abs(positive_of_launch(e, bound_of(e, baseline)) / stored - 1.0) : 0.0};
}

inline baseline_address address_in(const evaluation& e, std::string folder) {
    return {std::move(folder), e.out.hardware_key, e.plan.build_variant, e.context.suite()};
}

std::optional<baseline_store> committed_store(const evaluation& e) {
    file_system& files = e.context.around().files;
    const auto folder = find_committed_folder(e.context.paths(e.plan), files);
    if (!folder) return {};
    return baseline_store(files, address_in(e, folder->path));
}

baseline_store local_store(const evaluation& e) {
    file_system& files = e.context.around().files;
    return {files, address_in(e, local_folder(e.context.paths(e.plan), files).path)};
}

std::string update_variables(const evaluation& e, std::string_view file, std::string_view mode) {
    const std::string update = "PERFSPEC_UPDATE_BASELINES=" + std::string(mode);
    const bool is_local = e.plan.policy == missing_baseline_policy::local && file == local_store(e).path();
    const std::string folder = is_local ? local_folder(e.context.paths(e.plan), e.context.around().files).path : e.plan.baseline_dir;
    return folder.empty() ? update : "PERFSPEC_BASELINE_DIR=" + shell_quoted(folder) + " " + update;
}

struct launch_quantiles {
    double q1;
    double q3;
    double p90;
    double p99;
};

/// Quantiles of the query's values in one launch, rising. Of a ratio the last summary is that of the pairs; a rate is small where its time is
/// long, so that its upper quantiles are those of short times.
inline launch_quantiles quantiles_of(const evaluation& e, const sample_summary& s) {
    if (e.query().measured != metric_kind::throughput || s.unit == dimension::ratio) return {s.q1, s.q3, s.p90, s.p99};
    const std::vector<double> times = s.strip.empty() ? std::vector{s.minimum, s.q1, s.median, s.q3} : s.strip;
    const auto rate = [&](double p) { return value_from_time(e, quantile_of_sorted(times, 1.0 - p)); };
    return {rate(0.25), rate(0.75), rate(0.9), rate(0.99)};
}

/// A launch as it is stored, from what the fresh process reported.
inline stored_launch launch_from(const evaluation& e, const record& answer, const std::string& sitting) {
    stored_launch l;
    l.value = answer.measured->centre;
    l.when = answer.time;
    l.commit = e.out.commit;
    l.run = e.out.run_id;
    l.sitting = sitting;
    l.samples = answer.evidence.rounds;
    if (answer.subjects.empty()) return l;
    l.iterations = answer.subjects.front().iterations;
    const launch_quantiles q = quantiles_of(e, answer.subjects.back());
    l.q1 = q.q1;
    l.q3 = q.q3;
    l.p90 = q.p90;
    l.p99 = q.p99;
    return l;
}

/// One fresh process more; nothing, with the verdict set, when it could not be measured.
inline std::optional<launch_result> launch_once(evaluation& e, const std::string& sitting) {
    const child_evidence child = ask_child(e, child_task::launch);
    e.out.evidence.seconds += child.seconds;
    if (child.answer) add_disturbances(e, child.answer->disturbed);
    if (!child.answer || child.answer->verdict == verdict::invalid || !child.answer->measured) {
        const std::string why = child.answer ? child.answer->reason : child.fault;
        const bool cannot = child.answer && child.answer->verdict == verdict::not_judged;
        set_verdict(e, cannot ? verdict::not_judged : verdict::invalid, "a fresh launch could not be measured: " + why);
        return {};
    }
    add_notes(e, *child.answer);
    return launch_result{launch_from(e, *child.answer, sitting), child.answer->subjects, child.answer->evidence.rounds, child.seconds,
                         child.answer->evidence.exact,           child.answer->parts};
}

std::optional<stored_launch> take_launch(evaluation& e) { return take_launch_at(e, e.out.evidence.launches); }

/// Whether fresh launches are like those of a series. Nothing, with the verdict set, where one could not be measured.
inline std::optional<bool> are_launches_unchanged(evaluation& e, const launch_series& series) {
    std::vector<double> values;
    for (const launch_result& l : series.launches) values.push_back(positive_of_launch(e, l.launch.value));
    std::vector<double> fresh;
    while (fresh.size() < fresh_samples_to_share) {
        const auto launch = launch_once(e, series.sitting);
        if (!launch) return {};
        fresh.push_back(positive_of_launch(e, launch->launch.value));
    }
    return are_alike(fresh, values);
}

/// The launches that this claim is judged by: those of an earlier claim, where nothing has changed since, or none yet. Null, with the verdict set,
/// where a launch could not be measured.
inline launch_series* series_of_launches(evaluation& e) {
    launch_series& series = launches_of(e);
    bool measured = true;
    const auto is_unchanged = [&] {
        const auto unchanged = are_launches_unchanged(e, series);
        measured = unchanged.has_value();
        return unchanged.value_or(false);
    };
    const bool shares = may_share(e, series.users, is_unchanged);
    if (!measured) return nullptr;
    if (!shares) series = {};
    use_series(e, series.users);
    return &series;
}

std::optional<stored_launch> take_launch_at(evaluation& e, std::size_t index) {
    launch_series* const found = series_of_launches(e);
    if (found == nullptr) return {};
    launch_series& series = *found;
    if (series.sitting.empty()) series.sitting = e.out.time + "/" + std::to_string(e.context.around().draw_seed());
    if (index == series.launches.size()) {
        auto fresh = launch_once(e, series.sitting);
        if (!fresh) return {};
        const auto missing = index == 0 ? missing_earlier_state(e, *fresh) : std::nullopt;
        if (missing) {
            set_verdict(e, verdict::invalid, *missing);
            return {};
        }
        series.launches.push_back(std::move(*fresh));
    } else {
        e.out.evidence.seconds += series.launches[index].seconds;
        e.out.evidence.shared_seconds += series.launches[index].seconds;
    }
    const launch_result& taken = series.launches[index];
    e.out.subjects = taken.subjects;
    e.out.evidence.launches += 1;
    e.out.evidence.rounds += taken.rounds;
    return taken.launch;
}

std::vector<stored_launch> take_launches(evaluation& e, std::size_t count) {
    std::vector<stored_launch> launches;
    while (launches.size() < count) {
        auto launch = take_launch(e);
        if (!launch) break;
        launches.push_back(std::move(*launch));
    }
    return launches;
}

fingerprint machine_of(const evaluation& e) {
    const bool on_device = std::ranges::any_of(e.query().subjects, [](const subject& x) {
        return x.state().kernels == kernel_view::device || x.state().functions->device_ns != nullptr;
    });
    fingerprint machine = e.context.machine(on_device ? library_use::on_device : library_use::always);
    if (machine.flags.empty()) machine.flags = e.asked.where.flags;
    return machine;
}

baseline_entry entry_of(const evaluation& e, std::vector<stored_launch> launches) {
    return {.key = e.out.key,
            .unit = unit_name(e.out),
            .polarity = e.out.direction,
            .recorded_on = machine_of(e),
            .launches = std::move(launches)};
}

}  // namespace perfspec::detail
