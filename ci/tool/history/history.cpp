// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfspec::tool {
namespace {

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

bool violates_twice(const std::vector<history_point>& points) {
    return points.size() >= 2 && points.back().worst == concern::violated &&
           points[points.size() - 2].worst == concern::violated;
}

void find_states(history& all) {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> newest;  // run of each hardware and variant
    for (const key_history& key : all.keys) {
        std::size_t& run = newest[{key.hardware, key.variant}];
        run = std::max(run, key.points.back().run);
    }
    for (key_history& key : all.keys) {
        key.is_missing = key.points.back().run < newest.at({key.hardware, key.variant});
        key.state = violates_twice(key.points) ? key_state::violated
                    : key.is_missing           ? key_state::missing
                                               : key_state::steady;
    }
}

}  // namespace

void history_reader::take(const record& r, const std::string& path) {
    if (r.time < since_) return;
    const std::string name = r.key.empty() ? test_of(r) : r.key;
    const key_identity identity{name, r.hardware_key, r.build_variant, r.suite, unit_name(r)};
    const auto [place, is_new] = run_indices_.try_emplace(r.run_id.empty() ? "file " + path : r.run_id, runs_.size());
    if (is_new) runs_.push_back({r.time, r.commit, r.branch, r.dirty});
    const std::size_t index = place->second;
    runs_[index].time = std::min(runs_[index].time, r.time);
    key_history& key = keys_[identity];
    std::tie(key.key, key.hardware, key.variant, key.suite, key.unit) = identity;
    key.claim = r.claim.empty() ? r.query : r.claim;
    const std::size_t known = key.points.size();
    history_point& point = point_of(key, index);
    add_verdict(point, r, key.points.size() > known);
    add_value(point, r);
}

void history_reader::read(const input_text& file) {
    const results found = read_results({&file, 1});
    notes_.insert(notes_.end(), found.notes.begin(), found.notes.end());
    for (const result_line* line : found.finished()) take(line->about, file.path);
    for (const result_line* line : found.unfinished()) take(result_of_unfinished(line->about), file.path);
}

history history_reader::collected() const {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return runs_[i].time; });
    std::vector<std::size_t> place(runs_.size());
    history all{.runs = {}, .keys = {}, .notes = notes_};
    for (const std::size_t i : order) {
        place[i] = all.runs.size();
        all.runs.push_back(runs_[i]);
    }
    for (const auto& [identity, key] : keys_) {
        key_history& sorted = all.keys.emplace_back(key);
        for (history_point& point : sorted.points) point.run = place[point.run];
        std::ranges::sort(sorted.points, {}, &history_point::run);
    }
    find_states(all);
    return all;
}

}  // namespace perfspec::tool
