// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../results/merge.hpp"
#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfspec::tool {
namespace {

/// What a history does not show. These are most of a line, and reading them would take most of the time.
constexpr std::string_view not_shown[] = {"subjects", "evidence", "disturbed",  "operators", "verified", "commands", "options",  "origins",
                                          "axes",     "metrics",  "experiment", "model",     "advice",   "notes",    "timestamp"};

/// The point of a key in a run; a new one where the run has none yet.
history_point& point_of(key_history& key, std::size_t run) {
    const auto found = std::ranges::find(key.points, run, &history_point::run);
    if (found != key.points.end()) return *found;
    return key.points.emplace_back(history_point{.run = run});
}

void add_value(history_point& point, const record& r) {
    if (!r.estimate || !std::isfinite(r.estimate->centre)) return;
    point.value = r.estimate->centre;
    point.low = r.estimate->low;
    point.high = r.estimate->high;
}

void add_verdict(history_point& point, const record& r, bool is_first) {
    const concern here = concern_of(r);
    if (!is_first && here >= point.worst) return;
    point.worst = here;
    point.judged = r.verdict;
    if (r.bound) point.bound = *r.bound;
}

}  // namespace

bool history_reader::is_wanted(const record& r) const {
    return (wanted_.branch.empty() || r.branch == wanted_.branch) && r.time >= wanted_.since && contains_pattern(r.key, wanted_.keys);
}

std::size_t history_reader::run_index(const record& r, const key_identity& key, const std::string& path) {
    const auto index_of = [&](run_mark mark) {
        const auto [place, is_new] = run_indices_.try_emplace(std::move(mark), runs_.size());
        if (is_new) runs_.push_back({r.time, r.commit, r.branch, r.dirty, 0});
        return place->second;
    };
    if (!r.run_id.empty()) return index_of(run_of(r));
    const run_mark of_file{r.host, "file " + path};
    if (r.started_by.empty() || run_indices_.contains(of_file)) return index_of(of_file);
    const std::size_t index = index_of(run_of(r));
    const std::string& file = files_of_keys_.try_emplace({index, key}, path).first->second;
    return file == path ? index : index_of(of_file);
}

void history_reader::take(const record& r, const std::string& path) {
    if (!is_wanted(r)) return;
    const std::string name = r.key.empty() ? test_of(r) : r.key;
    const key_identity identity{name, r.hardware_key, r.build_variant, r.suite, unit_name(r)};
    const std::size_t index = run_index(r, identity, path);
    history_run& run = runs_[index];
    run.time = std::min(run.time, r.time);
    ++run.results;
    key_history& key = keys_[identity];
    key.hardware = r.hardware_key;
    key.variant = r.build_variant;
    key.suite = r.suite;
    key.key = name;
    key.claim = r.claim.empty() ? r.query : r.claim;
    key.unit = unit_name(r);
    key.direction = r.direction;
    const std::size_t known = key.points.size();
    history_point& point = point_of(key, index);
    add_verdict(point, r, key.points.size() > known);
    add_value(point, r);
    if (r.baseline && r.baseline->median > 0 && (std::isnan(key.first_baseline) || r.time < key.first_baseline_time)) {
        key.first_baseline = r.baseline->median;
        key.first_baseline_time = r.time;
    }
}

void history_reader::read(const input_text& file) {
    std::multimap<measurement_identity, record> open;
    visit_results(
        file,
        [&](result_line&& line) {
            if (line.kind == json_line_kind::started) {
                open.emplace(identity_of(line.about), std::move(line.about));
                return;
            }
            if (const auto started = open.find(identity_of(line.about)); started != open.end()) open.erase(started);
            take(line.about, file.path);
        },
        cut_, not_shown);
    for (const auto& [identity, started] : open) take(result_of_unfinished(started), file.path);
}

history history_reader::collected() const {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return runs_[i].time; });
    std::vector<std::size_t> place(runs_.size());
    history all{.runs = {}, .keys = {}, .notes = cut_.notes};
    for (const std::size_t i : order) {
        place[i] = all.runs.size();
        all.runs.push_back(runs_[i]);
    }
    for (const auto& [identity, key] : keys_) {
        key_history& sorted = all.keys.emplace_back(key);
        for (history_point& point : sorted.points) point.run = place[point.run];
        std::ranges::sort(sorted.points, {}, &history_point::run);
    }
    return all;
}

}  // namespace perfspec::tool
